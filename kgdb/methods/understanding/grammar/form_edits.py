"""Changes to forms as conditions meet them: a hop more, a condition inside, two sets as one."""

from __future__ import annotations

from dataclasses import replace

from kgdb.graph.forms.operators import (
    And,
    Condition,
    Direction,
    EntityForm,
    Except,
    Filter,
    FilterByCount,
    FilterLabel,
    FindAll,
    Or,
    Relate,
    subforms,
)

_OPPOSITE: dict[Direction, Direction] = {"out": "in", "in": "out", "any": "any"}


def opposite(direction: Direction) -> Direction:
    """The direction of a hop as seen from where it leads to."""
    return _OPPOSITE[direction]


def of_label(form: EntityForm, label: str | None) -> EntityForm:
    """The form, where those of any label become those of one."""
    return FindAll(label) if form == FindAll() else form


def relations_of(form: EntityForm | None) -> list[str]:
    """The relations of a form, the last hop's first."""
    return [each.relation for each in subforms(form) if isinstance(each, Relate)] if form else []


def narrowed(form: EntityForm, linked: EntityForm) -> EntityForm:
    """Those of a set that a hop leads to, too."""
    match form:
        case FindAll():
            return linked
        case Relate(form=FindAll()) if form.where and isinstance(linked, Relate):
            if (linked.relation, linked.direction) == (form.relation, form.direction):
                # What was anything is now something: *played Neo in The Matrix*.
                return replace(linked, where=(*linked.where, *form.where))
        case Filter(form=FindAll()):
            return replace(form, form=linked)
    return And(form, linked)


def with_condition(form: EntityForm, relation: str, condition: Condition) -> EntityForm | None:
    """The form with a condition on its hop along the relation, ``None`` without such a hop."""
    match form:
        case Relate() if form.relation == relation:
            return replace(form, where=(*form.where, condition))
        case Relate() | Filter() | FilterByCount() | FilterLabel():
            inner = with_condition(form.form, relation, condition)
            return None if inner is None else replace(form, form=inner)
        case And() | Or() | Except():
            left = with_condition(form.left, relation, condition)
            if left is not None:
                return replace(form, left=left)
            right = with_condition(form.right, relation, condition)
            return None if right is None else replace(form, right=right)
    return None
