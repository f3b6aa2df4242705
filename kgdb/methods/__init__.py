"""The reasoning methods, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from kgdb.errors import UsageError
from kgdb.methods.context import QuestionContext, Resources, Watch
from kgdb.methods.conversation import Conversation
from kgdb.methods.option_declarations import MethodOptions, parse
from kgdb.methods.reasoner import Method, Reasoner, check_question
from kgdb.methods.registry import METHODS, MethodKind, all_methods
from kgdb.methods.texts import FORM_NAMES, FormOptions, TextForm
from kgdb.text_arguments import text
from kgdb.wording import short

DEFAULT = "auto"


def kind_of(name: str) -> MethodKind:
    """The method of that name. Raises :class:`UsageError` for one that there is not."""
    name = text("method", name, "the name of a method", empty=True)
    if found := METHODS.get(name) or all_methods().get(name):
        return found
    raise UsageError(f"There is no method {short(name)}. Methods are: {', '.join(all_methods())}.")


def create(name: str, given: Mapping[str, Any] | None = None) -> Method:
    """The method of that name; ``given`` are options by name, as values or as texts.

    Every method takes :class:`kgdb.methods.texts.FormOptions` beside its own options.
    Raises :class:`UsageError` for a method or an option that there is not, or a value that the
    option cannot have.
    """
    kind, given = kind_of(name), given or {}
    of_form = {each.name for each in fields(FormOptions)}
    own = {key: value for key, value in given.items() if key not in of_form}
    form = parse(FormOptions, {key: given[key] for key in of_form & given.keys()}, "every method")
    options = parse(kind.options, own, f"the method {name}")
    method = kind.make(options)
    if form.form != "text":
        return method
    return TextForm(
        method,
        agreement=kind.agreement,
        allow_unsupported=getattr(options, "allow_unsupported", False),
    )


__all__ = [
    "DEFAULT",
    "FORM_NAMES",
    "METHODS",
    "Conversation",
    "Method",
    "MethodKind",
    "MethodOptions",
    "QuestionContext",
    "Reasoner",
    "Resources",
    "Watch",
    "all_methods",
    "check_question",
    "create",
    "kind_of",
]
