"""Actions about an earlier answer: *these films*, and the last question with another part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kgdb.graph.forms.operators import (
    EntityForm,
    Except,
    Filter,
    Find,
    Form,
    Verify,
    replaced,
    set_of,
    subforms,
)
from kgdb.methods.understanding.grammar.actions import Actions, Ways
from kgdb.methods.understanding.grammar.meanings import Bound, Last, Set, Whole, Word


class EarlierPhrases(Actions):
    """Actions whose meanings are of an earlier answer."""

    def _these(self, of: Set, word: Word) -> Ways:
        """*these films*: what was given, if it is films."""
        for noun, features in self.linker.named_by(word):
            if noun.kind == "noun" and noun.label == of.label:
                yield of, features

    def _set_of_it(self, of: Set) -> Ways:
        """*of them*: of several things those that are meant."""
        yield replace(of, kind="noun"), ()

    def _left_out(self, of: Set, name: Set) -> Ways:
        """*without Heat*: one that is named is taken out."""
        if of.form is not None and name.form is not None and of.label == name.label:
            yield replace(of, form=Except(of.form, name.form)), ()

    def _swapped(self, last: Last, *parts: Any) -> Ways:
        """*and Tom Hanks?*, *and in 1990?*: the last question with another part."""
        new = parts[-1]
        form = _with_bound(last.form, new) if isinstance(new, Bound) else _with_set(last, new)
        if form is not None:
            yield Whole(form), ()


def _with_set(last: Last, new: Set) -> Form | None:
    """The form with a name in the place of the only one of its kind, or of what has its values."""
    if new.value is not None:
        kept = [
            each
            for each in _conditions(last.form)
            if getattr(each, "property", None) == new.value.property and each.op == "="
        ]
        return _with_value(last.form, kept, new.value.value)
    if new.form is None or new.kind != "name":
        return None
    alike = [form for form, labels in last.parts if new.label in labels]
    same: list[EntityForm] = [form for form in alike if isinstance(form, Find)]
    if not same:  # he of *which films did he direct?*
        same = [form for form in alike if form != last.form][:1]
    return replaced(last.form, same[0], new.form) if len(same) == 1 else None


def _with_bound(form: Form, by: Bound) -> Form | None:
    """The form with another number or date in the place of its one.

    *After 1990* and then *before 2000* are two conditions.
    """
    kept = [each for each in _conditions(form) if isinstance(each.value, str) == by.dated]
    if len(kept) != 1 or by.also is not None or by.unit is not None:
        return None
    old, value = kept[0], str(by.value) if by.dated else by.value
    if by.op == "=" or old.op in (by.op, "="):
        return replaced(form, old, replace(old, op=by.op, value=value))
    base = set_of(form)
    return Filter(base, old.property, by.op, value) if isinstance(old, Filter) and base else None


def _with_value(form: Form, kept: list[Any], value: Any) -> Form | None:
    return replaced(form, kept[0], replace(kept[0], value=value)) if len(kept) == 1 else None


def _conditions(form: Form) -> Iterator[Any]:
    """What a form compares with a value: filters, conditions of a hop, and what decides a *yes*."""
    for each in subforms(form):
        if isinstance(each, Filter) or (isinstance(each, Verify) and each.op is not None):
            yield each
        yield from getattr(each, "where", ())
