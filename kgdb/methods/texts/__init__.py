"""Answers as texts: a paragraph whose sentences cite their facts, after any method."""

from kgdb.methods.texts.form import TextForm
from kgdb.methods.texts.text_options import FORM_NAMES, FormOptions

__all__ = ["FORM_NAMES", "FormOptions", "TextForm"]
