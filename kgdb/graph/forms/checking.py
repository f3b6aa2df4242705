"""Whether a form may be asked of a graph: its labels, relations and properties are there."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from kgdb.errors import UsageError
from kgdb.graph.forms.operators import (
    Aggregate,
    Compare,
    Filter,
    FilterByCount,
    FilterLabel,
    FindAll,
    Form,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    Verify,
    subforms,
)
from kgdb.graph.schema import Schema
from kgdb.wording import listed, short

MOST_OPERATORS = 40


def check_form(form: Form, schema: Schema) -> None:  # noqa: PLR0912 - one case for each operator
    """Raises :class:`UsageError` that names what there is not, and what there is."""
    forms = list(subforms(form))
    if len(forms) > MOST_OPERATORS:
        raise UsageError(f"The form has {len(forms)} operators; at most {MOST_OPERATORS} are run.")
    for each in forms:
        match each:
            case FindAll(label=label) | FilterLabel(label=label) if label is not None:
                _known("label", label, schema.labels)
            case Filter(property=name) | Property(property=name) | Compare(property=name):
                _known("property", name, schema.properties)
            case Select(property=name, k=k):
                _known("property", name, schema.properties)
                _positive(k)
            case FilterByCount() | SelectByCount():
                _known("relation", each.relation, schema.relations)
                if each.label is not None:
                    _known("label", each.label, schema.labels)
                if isinstance(each, SelectByCount):
                    _positive(each.k)
            case Relate(relation=relation, where=where):
                _known("relation", relation, schema.relations)
                for condition in where:
                    _qualifier(condition.property, relation, schema)
            case Qualifier(relation=relation, property=name):
                _known("relation", relation, schema.relations)
                _qualifier(name, relation, schema)
            case GroupBy():
                _check_groups(each, schema)
            case Verify(op=op, value=value):
                if (op is None) != (value is None):
                    raise UsageError("Verify has an op without a value, or a value without an op.")
                compares = isinstance(each.form, Property | Qualifier)
                numbers = compares or type(each.form).__name__ in ("Count", "Aggregate")
                if op is not None and not numbers:
                    raise UsageError(
                        "Verify compares a set of entities with a value.",
                        hint="Compare a Property, a Qualifier, a Count or an Aggregate.",
                    )
            case Aggregate():
                pass


def _check_groups(form: GroupBy, schema: Schema) -> None:
    if (form.relation is None) == (form.property is None):
        raise UsageError("GroupBy has both a relation and a property, or neither.")
    if (form.function is None) != (form.of is None):
        raise UsageError("GroupBy has a function without the property that it is of (of).")
    if form.relation is not None:
        _known("relation", form.relation, schema.relations)
    for name in (form.property, form.of):
        if name is not None:
            _known("property", name, schema.properties)


def _known(kind: str, name: str, known: Iterable[str]) -> None:
    names = sorted(known)
    if name in names:
        return
    near = get_close_matches(name, names, n=1)
    meant = f" Did you mean {short(near[0])}?" if near else ""
    plural = "properties" if kind == "property" else f"{kind}s"
    raise UsageError(
        f"The graph has no {kind} {short(name)}.{meant}", hint=f"Its {plural}: {listed(names)}."
    )


def _qualifier(name: str, relation: str, schema: Schema) -> None:
    known = [each.name for each in schema.relations[relation].properties]
    if name not in known:
        raise UsageError(
            f"Relationships {short(relation)} have no property {short(name)}.",
            hint=f"Their properties: {listed(known)}.",
        )


def _positive(k: int) -> None:
    if k < 1:
        raise UsageError(f"k is {k}; expected a whole number of at least 1.")
