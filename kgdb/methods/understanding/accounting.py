"""Whether a form has an operator for each operator word of a question."""

from __future__ import annotations

from kgdb.graph.forms.operators import (
    ENTITY_FORMS,
    Aggregate,
    Compare,
    Count,
    Except,
    Filter,
    FilterByCount,
    Form,
    GroupBy,
    Or,
    Property,
    Qualifier,
    Relate,
    Superlative,
    Verify,
    subforms,
)
from kgdb.graph.schema import Schema
from kgdb.methods.understanding.question import Anchor, QuestionParts
from kgdb.wording import counted

_NONE = {("=", 0), ("<=", 0), ("<", 1)}
"""Conditions on a number that only none fulfils."""


def missing_operators(parts: QuestionParts, form: Form) -> list[str]:
    """What the form lacks that an operator word of the question asks for."""
    own = list(subforms(form))
    ranks = any(isinstance(each, Superlative | Compare | Aggregate) for each in own)
    reduces = any(getattr(each, "function", None) for each in own)
    conditions = sum(map(_conditions, own))
    wanted = {
        f"{counted(len(parts.comparisons), 'condition')} with a number or date": (
            conditions >= len(parts.comparisons)
        ),
        "Select, SelectByCount, SelectByQualifier, Compare or Aggregate": ranks
        or not (parts.superlative or parts.extreme or parts.comparative),
        "Aggregate, or a GroupBy with a function": reduces or not parts.function,
        "GroupBy": parts.each_at < 0 or any(isinstance(each, GroupBy) for each in own),
        "Or, or Compare": not parts.either or any(isinstance(each, Or | Compare) for each in own),
        "Except": sum(map(_excludes, own)) >= _denials(parts),
    }
    return [name for name, fulfilled in wanted.items() if not fulfilled]


def wrong_kind(parts: QuestionParts, form: Form, schema: Schema) -> str | None:
    """What the form should give instead, as the first words of the question ask for it."""
    if parts.yes_no and not isinstance(form, Verify | Compare):
        return "a Verify, which gives yes or no"
    numbers = (Count, Aggregate, GroupBy, Property, Qualifier)
    if parts.counts and not any(isinstance(each, numbers) for each in subforms(form)):
        return "a Count, or another number"
    if parts.asks == "when" and not _gives_dates(form, schema):
        return "the Property or Qualifier with the date"
    if parts.asks == "how much" and isinstance(form, ENTITY_FORMS):
        return "the Property with the number"
    return None


def _gives_dates(form: Form, schema: Schema) -> bool:
    if isinstance(form, Relate):
        return schema.property_info(form.relation).type == "date"
    return isinstance(form, Property | Qualifier | Aggregate)


def _conditions(form: Form) -> int:
    """How many conditions an operator sets by itself."""
    return (
        isinstance(form, Filter | FilterByCount)
        + len(getattr(form, "where", ()))
        + (isinstance(form, Verify) and form.op is not None)
    )


def _denials(parts: QuestionParts) -> int:
    """How many sets are taken away; names that are denied may be taken away as one."""
    denied = any(anchor.excluded for anchor in parts.anchors)
    return min(1, len(parts.excludes_at)) if denied else len(parts.excludes_at)


def _excludes(form: Form) -> bool:
    return (
        isinstance(form, Except)
        or (isinstance(form, Filter) and (form.value is False or form.op == "!="))
        or (isinstance(form, FilterByCount) and (form.op, form.value) in _NONE)
    )


def is_used(anchor: Anchor, form: Form) -> bool:
    """Whether the form speaks of what the anchor names."""
    for each in subforms(form):
        conditions = [*getattr(each, "where", ()), *([each] if isinstance(each, Filter) else [])]
        for one in anchor.readings:
            if each == one.form:
                return True
            if any((c.property, c.value) == (one.key, one.value) for c in conditions):
                return True
    return False
