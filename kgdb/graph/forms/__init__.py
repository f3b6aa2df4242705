"""Logical forms (KoPL): what a question asks, as a small tree that the database executes."""

from kgdb.graph.forms.checking import check_form
from kgdb.graph.forms.form_json import form_schema, form_to_dict, read_form
from kgdb.graph.forms.operators import Form
from kgdb.graph.forms.printing import form_text
from kgdb.graph.forms.running import FormResult, run_form

__all__ = [
    "Form",
    "FormResult",
    "check_form",
    "form_schema",
    "form_text",
    "form_to_dict",
    "read_form",
    "run_form",
]
