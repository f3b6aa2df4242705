"""The last question with another entity, value or number in it: *and Tom Hanks?*."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from kgdb.graph.forms.operators import Filter, Find, Form, Verify, replaced, subforms
from kgdb.methods.follow_ups.antecedents import finds, set_of
from kgdb.methods.understanding.question import Anchor, Comparison
from kgdb.wording import listed, short


@dataclass(frozen=True, slots=True)
class Substituted:
    """The form with the other part, or the reason why no part can be taken for another."""

    form: Form | None
    reason: str | None = None


def with_entity(form: Form, anchor: Anchor, labels: Mapping[Find, frozenset[str]]) -> Substituted:
    """The form with what the anchor names in the place of what is of its kind."""
    for one in anchor.readings:
        if one.key is not None:
            kept = [
                c
                for c in _conditions(form)
                if getattr(c, "property", None) == one.key and c.op == "="
            ]
            if len(kept) == 1 and one.value is not None:
                return Substituted(replaced(form, kept[0], replace(kept[0], value=one.value)))
    name = short(anchor.text)
    for one in anchor.readings:
        if one.key is not None or not isinstance(one.form, Find):
            continue
        same = [find for find in finds(form) if labels.get(find, frozenset()) & one.labels]
        if len(same) == 1:
            return Substituted(replaced(form, same[0], one.form))
        if same:
            names = listed(find.name for find in same)
            return Substituted(
                None, f"{name} may take the place of {names}: ask the whole question"
            )
    reason = f"the last question names nothing that {name} could take the place of"
    return Substituted(None, reason)


def with_comparison(form: Form, by: Comparison, *, swaps: bool) -> Form | None:
    """The form with another number or date in the place of its one; ``None`` where it has none.

    *After 1990* and then *before 2000* are two conditions, unless the question ``swaps``.
    """
    kept = [c for c in _conditions(form) if isinstance(c.value, str) == by.dated]
    if len(kept) != 1:
        return None
    old, value = kept[0], str(by.value) if by.dated else by.value
    if swaps or old.op in (by.op, "="):
        return replaced(form, old, replace(old, op=by.op, value=value))
    base = set_of(form)
    if isinstance(old, Filter) and base is not None:
        return Filter(base, old.property, by.op, value)
    return None


def _conditions(form: Form) -> Iterator[Any]:
    """What a form compares with a value: filters, conditions of a hop, and what decides a *yes*."""
    for each in subforms(form):
        if isinstance(each, Filter) or (isinstance(each, Verify) and each.op is not None):
            yield each
        yield from getattr(each, "where", ())
