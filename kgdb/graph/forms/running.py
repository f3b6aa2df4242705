"""Runs a logical form: one read, from whose rows come the value and its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.forms.checking import check_form
from kgdb.graph.forms.comparing import bounds, fulfils
from kgdb.graph.forms.compiling import Compiler
from kgdb.graph.forms.form_json import form_to_dict
from kgdb.graph.forms.operators import (
    ENTITY_FORMS,
    VALUE_FORMS,
    Aggregate,
    Comparator,
    Condition,
    Count,
    Filter,
    Form,
    GroupBy,
    Property,
    Qualifier,
    SelectByQualifier,
    Value,
    Verify,
    replaced,
    subforms,
)
from kgdb.graph.option_values import integer
from kgdb.graph.schema import Schema
from kgdb.graph.value_types import DURATION, is_vector, plain_value
from kgdb.result_html import outcome_html
from kgdb.values import (
    AnsweredEntity,
    AnswerValue,
    Entity,
    EntityValue,
    Kind,
    Path,
    Step,
    attributes,
    value_kind,
)
from kgdb.wording import counted, short

LIMIT = 100
"""Entities or values that a form gives, unless told otherwise."""

WITNESSES = 3
"""Walks that are kept to prove that an entity is in a set."""

PROOFS = 20
"""Relationships that prove what a superlative makes of their values; their number is told."""

TIMEOUT_MS = 60_000

MOST = 1_000_000
"""The largest limit."""


@dataclass(frozen=True, slots=True)
class FormResult:
    """What a form comes to.

    ``value`` is ``None`` for a set of entities. ``total`` is exact also where ``truncated`` tells
    that not all entities, values or facts are given. ``facts`` are the paths that prove the value;
    those of an entity stand with it.
    """

    form: Form
    entities: tuple[AnsweredEntity, ...] = ()
    value: AnswerValue = None
    facts: tuple[Path, ...] = ()
    total: int = 0
    truncated: bool = False

    @property
    def kind(self) -> Kind:
        """What it comes to; a set of entities may have none."""
        return value_kind(self.value)

    @property
    def evidence(self) -> tuple[Path, ...]:
        """Every path that is given as proof, as in :class:`kgdb.values.Answer`."""
        of_entities = (path for answered in self.entities for path in answered.paths)
        return (*of_entities, *self.facts)

    @property
    def is_empty(self) -> bool:
        """Whether the form found nothing; a count of 0 or a *no* is something."""
        return not self.entities and (self.value is None or self.value == ())

    @property
    def counts_entities(self) -> bool:
        """Whether entities are counted in ``total``, and not values or groups."""
        inner = self.form.form if isinstance(self.form, Count | Verify) else self.form
        return isinstance(inner, (*ENTITY_FORMS, Count)) and not self.counts_relationships

    @property
    def counts_relationships(self) -> bool:
        """Whether relationships are counted in ``total``."""
        return _counts_relationships(self.form)

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values under the names of its attributes."""
        return {**attributes(self, "kind", "evidence"), "form": form_to_dict(self.form)}

    def _repr_html_(self) -> str:
        outcome = outcome_html(self.entities, self.value, self.facts)
        return f"{outcome}<p><small>total: {self.total:,}</small></p>"


def _counts_relationships(form: Form) -> bool:
    inner = form.form if isinstance(form, Verify) else form
    return isinstance(inner, Count) and inner.relationships


def run_form(
    database: Database,
    info: GraphInfo,
    schema: Schema,
    form: Form,
    *,
    limit: int = LIMIT,
    timeout_ms: int = TIMEOUT_MS,
) -> FormResult:
    """Check the form, run it, and read its rows.

    Raises :class:`kgdb.errors.UsageError` for names that the graph does not have and for values
    that do not compare, and :class:`kgdb.errors.TimedOut` when it takes too long.
    """
    check_form(form, schema)
    most = integer(0, MOST)("limit", limit)
    asked = form
    for each in [each for each in subforms(form) if isinstance(each, Filter)]:
        if isinstance(each.value, Property | Aggregate):
            value = _one_value(run_form(database, info, schema, each.value, timeout_ms=timeout_ms))
            form = replaced(form, each.value, value)
    compiled = Compiler(info, schema).compile(form)
    parameters = compiled.parameters | {"limit": most, "witnesses": WITNESSES, "proofs": PROOFS}
    (row,) = database.query(compiled.text, parameters, timeout_ms=timeout_ms)
    result = _result(form, row, _Facts(_qualifiers_of(form), _counts_relationships(form)))
    return replace(result, form=asked)


def _one_value(result: FormResult) -> Value:
    """The value that others are compared with."""
    values = result.value if isinstance(result.value, tuple) else (result.value,)
    plain = [each.value if isinstance(each, EntityValue) else each for each in values]
    found = [each for each in plain if isinstance(each, bool | int | float | str)]
    if len(found) != 1:
        of = form_to_dict(result.form)
        raise UsageError(
            f"The graph has {counted(len(plain), 'value')} for {short(str(of))}, "
            "with which others are to be compared.",
            hint="Expected one; name the entity so that only one is meant.",
        )
    return found[0]


def _result(form: Form, row: Mapping[str, Any], facts: _Facts) -> FormResult:
    if isinstance(form, Verify):
        return _verdict(form, row, facts)
    total, rows = row["total"], row["rows"]
    truncated = total > facts.shown(rows)
    if isinstance(form, Aggregate):
        value = plain_value(row["number"]) if total else None
        return FormResult(form, (), value, facts.evidence(rows), total, truncated)
    if isinstance(form, Count):
        return FormResult(form, (), total, facts.evidence(rows), total, truncated)
    if isinstance(form, GroupBy):
        groups = tuple(
            EntityValue(Entity(key or name, name), plain_value(number))
            for key, name, number in rows
        )
        return FormResult(form, (), groups, (), total, truncated)
    if isinstance(form, VALUE_FORMS):
        values = tuple(
            EntityValue(Entity(key, name), plain_value(value)) for key, name, value, _ in rows
        )
        return FormResult(form, (), values, facts.evidence(rows), total, truncated)
    entities = []
    for key, name, _, proof in rows:
        paths = facts.paths(proof)
        entities.append(AnsweredEntity(Entity(key, name), paths, len(paths)))
    return FormResult(form, tuple(entities), None, (), total, truncated)


def _verdict(form: Verify, row: Mapping[str, Any], facts: _Facts) -> FormResult:
    """Yes, no, or no value at all: without one nobody knows whether it is another."""
    inner, op, value = form.form, form.op, form.value
    total, rows = row["total"], row["rows"]
    holds: bool | None = total > 0
    if op is not None and value is not None:
        if isinstance(inner, Property | Qualifier):
            holds = row["fulfilled"] > 0 if total else None
            if holds:
                total, rows = row["fulfilled"], row["fulfilling"]
        elif isinstance(inner, Count):
            holds = fulfils(total, op, bounds("number", value, "Count"))
        else:
            holds = _number_holds(plain_value(row["number"]), op, value) if total else None
    return FormResult(form, (), holds, facts.evidence(rows), total, total > facts.shown(rows))


def _number_holds(number: Any, op: Comparator, value: Value) -> bool:
    """Whether what an aggregate comes to is as wanted; dates and durations are texts."""
    kind = "number"
    if isinstance(number, str):
        kind = "duration" if DURATION.fullmatch(number) else "date"
    key = bounds(kind, number, "Aggregate").low
    return fulfils(key, op, bounds(kind, value, "Aggregate"))


def _text(value: Any) -> str:
    """A value as the name of an end of a path."""
    plain = plain_value(value)
    if isinstance(plain, list):
        return ", ".join(map(_text, plain))
    return str(plain).lower() if isinstance(plain, bool) else str(plain)


def _qualifiers_of(form: Form) -> frozenset[str]:
    """The properties of relationships that the form asks for or sets conditions on."""
    names: set[str] = set()
    for each in subforms(form):
        where: Sequence[Condition] = getattr(each, "where", ())
        names |= {condition.property for condition in where}
        if isinstance(each, Qualifier | SelectByQualifier):
            names.add(each.property)
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class _Facts:
    """Reads facts as paths; ``qualifiers`` are the properties of relationships that are shown.

    ``counts_relationships``: each row is a walk with the number of relationships at its end.
    """

    qualifiers: frozenset[str]
    counts_relationships: bool = False

    def shown(self, rows: Sequence[Sequence[Any]]) -> int:
        """How many of what is counted the rows show."""
        return sum(row[2] for row in rows) if self.counts_relationships else len(rows)

    def evidence(self, rows: Sequence[Sequence[Any]]) -> tuple[Path, ...]:
        """The facts of all rows; an entity that no fact proves is told by itself."""
        return tuple(
            dict.fromkeys(
                path
                for key, name, number, proof in rows
                for path in (
                    *(self.paths(proof) or (Path((Entity(key, name),), ()),)),
                    *(_beside_each_other(proof, number) if self.counts_relationships else ()),
                )
            )
        )

    def paths(self, proof: Sequence[Sequence[Any] | None]) -> tuple[Path, ...]:
        """Facts that follow each other are one walk; ``None`` stands between two walks."""
        walks: list[Path] = []
        goes_on = False
        for fact in proof:
            if fact is None:
                goes_on = False
                continue
            one = _fact(fact)
            longer = _joined(walks[-1], one) if goes_on and fact[3] is not None else None
            if longer is not None:
                walks[-1] = longer
            else:
                walks.append(one)
            goes_on = fact[3] is not None
        for fact in filter(None, proof):
            named = sorted(self.qualifiers & set(fact[5]))
            walks += [_extended(_fact(fact), name, _text(fact[5][name])) for name in named]
        return tuple(dict.fromkeys(walks))


def _beside_each_other(proof: Sequence[Sequence[Any] | None], number: int) -> Iterator[Path]:
    """How many relationships join the same two entities, and properties in which they differ."""
    if number == 1:
        return
    facts = [
        fact for fact, after in zip(proof, [*proof[1:], None], strict=True) if fact and not after
    ]
    texts = [
        {name: _text(value) for name, value in fact[5].items() if not is_vector(value, name)}
        for fact in facts
    ]
    names = sorted({name for each in texts for name in each})
    for fact, properties in zip(facts, texts, strict=True):
        for name in names:
            if name in properties and any(each.get(name) != properties[name] for each in texts):
                yield _extended(_fact(fact), name, properties[name])
    one = _fact(facts[0])
    yield _extended(one, f"number of {one.steps[-1].relation}", str(number))


def _extended(path: Path, name: str, value: str) -> Path:
    return Path((*path.entities, Entity(value, value)), (*path.steps, Step(name)))


def _fact(fact: Sequence[Any]) -> Path:
    head, head_name, relation, tail, tail_name, _ = fact
    name = _text(tail_name)
    end = Entity(name if tail is None else tail, name)
    return Path((Entity(head, head_name), end), (Step(relation),))


def _joined(walk: Path, fact: Path) -> Path | None:
    """The walk with the fact at its end, each turned round where it must be."""
    for start in (walk, _turned(walk)) if len(walk.steps) == 1 else (walk,):
        for onward in (fact, _turned(fact)):
            if start.entities[-1] == onward.entities[0]:
                return Path((*start.entities, *onward.entities[1:]), (*start.steps, *onward.steps))
    return None


def _turned(path: Path) -> Path:
    return Path(path.entities[::-1], tuple(step.back for step in reversed(path.steps)))
