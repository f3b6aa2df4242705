"""Logical forms: what a question asks, as a small typed tree.

The operators are those of KoPL (Cao et al., *KQA Pro*, ACL 2022), over the entities, relations and
properties of a graph. A form is plain data without a connection. It is one of

    a set of entities   :data:`EntityForm`
    values of entities  :data:`ValueForm`
    a single value      :data:`ScalarForm`

A property is a property of the nodes, or a relation whose tails are the values, by their names: a
form names both in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, TypeAlias

Value: TypeAlias = bool | int | float | str
"""A value in a form. A date is a text: ``1999``, ``1999-03`` or ``1999-03-31``."""

Direction = Literal["out", "in", "any"]
"""Along a relation, against it, or both ways (an undirected relation)."""

Comparator = Literal["=", "!=", "<", "<=", ">", ">=", "contains", "starts with"]
Extreme = Literal["max", "min"]
Function = Literal["sum", "mean", "min", "max"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on one property; where it has several values, one of them must fulfil it."""

    property: str
    op: Comparator
    value: Value


@dataclass(frozen=True, slots=True)
class Find:
    """The entities of that name, or exactly those with these ids."""

    name: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FindAll:
    """All entities, or all with a label."""

    label: str | None = None


@dataclass(frozen=True, slots=True)
class Relate:
    """The entities one hop away; ``where`` are conditions on the relationship's own properties.

    Hops that follow each other use no relationship twice, as everywhere in Cypher; one that begins
    ``anew`` may use those of the hops before it, too.
    """

    form: EntityForm
    relation: str
    direction: Direction = "out"
    where: tuple[Condition, ...] = ()
    anew: bool = False


@dataclass(frozen=True, slots=True)
class FilterLabel:
    """Those with a label."""

    form: EntityForm
    label: str


@dataclass(frozen=True, slots=True)
class Filter:
    """Those with a value of the property that fulfils the condition.

    The value may be that of another entity, or of many: *taller than Ann*, *than the average*.
    """

    form: EntityForm
    property: str
    op: Comparator
    value: Value | Property | Aggregate


@dataclass(frozen=True, slots=True)
class FilterByCount:
    """Those with so many entities at the other end of a relation; ``to`` restricts these.

    ``relationships``: these are counted, also where several lead to one entity. Hops behind it
    may use the relationships of the hops before it where ``to`` is more than a label.
    """

    form: EntityForm
    relation: str
    op: Literal["=", "!=", "<", "<=", ">", ">="]
    value: int
    direction: Direction = "out"
    to: EntityForm | None = None
    relationships: bool = False


@dataclass(frozen=True, slots=True)
class And:
    """Those in both sets."""

    left: EntityForm
    right: EntityForm


@dataclass(frozen=True, slots=True)
class Or:
    """Those in at least one of the sets."""

    left: EntityForm
    right: EntityForm


@dataclass(frozen=True, slots=True)
class Except:
    """Those in the left set and not in the right one."""

    left: EntityForm
    right: EntityForm


@dataclass(frozen=True, slots=True)
class Select:
    """The ``k`` entities with the largest (``max``) or smallest values, and those that tie."""

    form: EntityForm
    property: str
    extreme: Extreme
    k: int = 1


@dataclass(frozen=True, slots=True)
class SelectByCount:
    """The ``k`` with the most (``max``) or fewest entities at the other end, and those that tie.

    ``to`` restricts the other ends. ``relationships``: these are counted, also where several
    lead to one entity.
    """

    form: EntityForm
    relation: str
    extreme: Extreme
    direction: Direction = "out"
    k: int = 1
    to: EntityForm | None = None
    relationships: bool = False


@dataclass(frozen=True, slots=True)
class SelectByQualifier:
    """The ``k`` with the largest (``max``) or smallest values of a property of their relationships.

    Each entity ranks by its best value, or by what ``function`` makes of its values: the movies
    with the highest mean rating. ``to`` restricts the other ends. Those that tie are given, too.
    """

    form: EntityForm
    relation: str
    property: str
    extreme: Extreme
    direction: Direction = "out"
    function: Function | None = None
    to: EntityForm | None = None
    k: int = 1


@dataclass(frozen=True, slots=True)
class Compare:
    """Of two entities those with the larger (``max``) or smaller value."""

    left: EntityForm
    right: EntityForm
    property: str
    extreme: Extreme


@dataclass(frozen=True, slots=True)
class Property:
    """The values of a property, each with its entity."""

    form: EntityForm
    property: str


@dataclass(frozen=True, slots=True)
class Qualifier:
    """The values of a property of the relationships from ``form``, each with the other end.

    ``to`` restricts the other ends.
    """

    form: EntityForm
    relation: str
    property: str
    direction: Direction = "out"
    to: EntityForm | None = None


@dataclass(frozen=True, slots=True)
class GroupBy:
    """A number for each group: how many entities, or what their values come to.

    The groups are the other ends of ``relation``, or the values of ``property``. ``function``
    is applied to the values of ``of``, a property of the entities, or of ``qualifier``, one of the
    relationships that lead to the group; without it the entities are counted, or the
    ``relationships`` that lead to the group.
    """

    form: EntityForm
    relation: str | None = None
    direction: Direction = "out"
    property: str | None = None
    function: Function | None = None
    of: str | None = None
    qualifier: str | None = None
    relationships: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How many entities, or how many ``relationships`` of the last hop lead to them.

    The number of relationships is that of events: a player who scores twice in a match has two
    relationships with one entity.
    """

    form: EntityForm
    relationships: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The sum, mean, least or largest of values that are numbers; of dates, min and max only."""

    values: Property | Qualifier
    function: Function


@dataclass(frozen=True, slots=True)
class Verify:
    """Yes or no: whether the set has an entity, or a value fulfils the condition."""

    form: EntityForm | Property | Qualifier | Count | Aggregate
    op: Comparator | None = None
    value: Value | None = None


Superlative: TypeAlias = Select | SelectByCount | SelectByQualifier
"""Those that choose the first ``k`` of a set."""

EntityForm: TypeAlias = (
    Find
    | FindAll
    | Relate
    | FilterLabel
    | Filter
    | FilterByCount
    | And
    | Or
    | Except
    | Select
    | SelectByCount
    | SelectByQualifier
    | Compare
)
ValueForm: TypeAlias = Property | Qualifier | GroupBy
ScalarForm: TypeAlias = Count | Aggregate | Verify
Form: TypeAlias = EntityForm | ValueForm | ScalarForm

ENTITY_FORMS = (
    Find,
    FindAll,
    Relate,
    FilterLabel,
    Filter,
    FilterByCount,
    And,
    Or,
    Except,
    Select,
    SelectByCount,
    SelectByQualifier,
    Compare,
)
VALUE_FORMS = (Property, Qualifier, GroupBy)
SCALAR_FORMS = (Count, Aggregate, Verify)
FORMS = (*ENTITY_FORMS, *VALUE_FORMS, *SCALAR_FORMS)


def subforms(form: Form) -> Iterator[Form]:
    """The form and all forms inside it, the outermost first."""
    yield form
    for field in fields(form):
        inner: Any = getattr(form, field.name)
        if is_dataclass(inner) and isinstance(inner, FORMS):
            yield from subforms(inner)


def set_of(form: Form) -> EntityForm | None:
    """The set that a form is about: what it counts, ranks, groups, or gives values of."""
    if isinstance(form, ENTITY_FORMS):
        return form
    for field in fields(form):
        inner = getattr(form, field.name)
        if isinstance(inner, FORMS):
            return set_of(inner)
    return None


def is_label(form: EntityForm | None) -> bool:
    """Whether other ends are restricted by nothing but a label."""
    return form is None or isinstance(form, FindAll)


def last_hop(form: Form) -> Relate | None:
    """The hop that leads to a set, whatever filters follow it; of ``And`` that of the left set."""
    while isinstance(form, FilterLabel | Filter | FilterByCount | And):
        form = form.left if isinstance(form, And) else form.form
    return form if isinstance(form, Relate) else None


def replaced(form: Form, old: object, new: object) -> Form:
    """The form with another part wherever it has the one."""
    with_part: Form = _with_part(form, old, new)
    return with_part


def _with_part(form: Any, old: object, new: object) -> Any:
    if form == old:
        return new
    changes: dict[str, Any] = {}
    for field in fields(form):
        inner = getattr(form, field.name)
        if isinstance(inner, (*FORMS, Condition)):
            changes[field.name] = _with_part(inner, old, new)
        elif isinstance(inner, tuple):
            changes[field.name] = tuple(
                _with_part(one, old, new) if isinstance(one, Condition) else one for one in inner
            )
    return replace(form, **changes)
