"""Runs a logical form: one read, from whose rows come the value and its evidence."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.forms.checking import check_form
from kgdb.graph.forms.comparing import date_of
from kgdb.graph.forms.compiling import Compiled, Compiler
from kgdb.graph.forms.operators import (
    VALUE_FORMS,
    Aggregate,
    Condition,
    Count,
    Form,
    GroupBy,
    Property,
    Qualifier,
    Verify,
    subforms,
)
from kgdb.graph.schema import Schema
from kgdb.values import AnsweredEntity, AnswerValue, Entity, EntityValue, Path, Step

LIMIT = 100
"""Entities or values that a form gives, unless told otherwise."""

WITNESSES = 3
"""Walks that are kept to prove that an entity is in a set."""

TIMEOUT_MS = 60_000

_COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class FormResult:
    """What a form comes to.

    ``value`` is ``None`` for a set of entities. ``total`` is exact also where ``truncated`` tells
    that not all entities, values or evidence are given. ``evidence`` are the facts that prove the
    value; those of an entity stand with it.
    """

    form: Form
    entities: tuple[AnsweredEntity, ...] = ()
    value: AnswerValue = None
    evidence: tuple[Path, ...] = ()
    total: int = 0
    truncated: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the form found nothing; a count of 0 or a *no* is something."""
        return not self.entities and (self.value is None or self.value == ())


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
    that do not compare, and :class:`kgdb.errors.DatabaseError` when it takes too long.
    """
    check_form(form, schema)
    shown = _qualifiers_of(form)

    def run(one: Form) -> tuple[Compiled, Mapping[str, Any]]:
        compiled = Compiler(info, schema).compile(one)
        parameters = compiled.parameters | {"limit": limit, "witnesses": WITNESSES}
        (row,) = database.query(compiled.text, parameters, timeout_ms=timeout_ms)
        return compiled, row

    compiled, row = run(form)
    if isinstance(form, Verify):
        return _verified(form, compiled, row, shown, lambda inner: run(inner)[1])
    if isinstance(form, Aggregate):
        number = _number(row["number"], compiled.kind)
        value = None if row["total"] == 0 else number
        values = run(form.values)[1]["rows"]
        return FormResult(form, (), value, _evidence(values, shown), row["total"])
    total, rows = row["total"], row["rows"]
    truncated = total > len(rows)
    if isinstance(form, Count):
        return FormResult(form, (), total, _evidence(rows, shown), total, truncated)
    if isinstance(form, GroupBy):
        groups = tuple(
            EntityValue(Entity(key or name, name), _number(number, compiled.kind))
            for key, name, number, _ in rows
        )
        return FormResult(form, (), groups, (), total, truncated)
    if isinstance(form, VALUE_FORMS):
        given = tuple(EntityValue(Entity(key, name), _plain(value)) for key, name, value, _ in rows)
        return FormResult(form, (), given, _evidence(rows, shown), total, truncated)
    entities = []
    for key, name, _, proof in rows:
        paths = _paths(proof, shown)
        entities.append(AnsweredEntity(Entity(key, name), paths, len(paths)))
    return FormResult(form, tuple(entities), None, (), total, truncated)


def _verified(
    form: Verify,
    compiled: Compiled,
    row: Mapping[str, Any],
    shown: frozenset[str],
    run: Any,
) -> FormResult:
    inner = form.form
    number: Any = None
    if isinstance(inner, Count):
        number = row["total"]
    elif isinstance(inner, Aggregate):
        number = _number(row["number"], compiled.kind)
    if number is not None and form.op is not None and form.value is not None:
        rows = row.get("rows", ())
        return FormResult(
            form, (), _holds(number, form.op, form.value), _evidence(rows, shown), row["total"]
        )
    rows = row.get("rows", ())
    holds = row["total"] > 0
    if not holds and form.op is not None and isinstance(inner, Property | Qualifier):
        rows = run(inner)["rows"]
        if not rows:  # without a value nobody knows whether it is another one
            return FormResult(form)
    return FormResult(form, (), holds, _evidence(rows, shown), row["total"])


def _holds(number: Any, op: str, value: Any) -> bool:
    return bool(_COMPARE[op](number, value))


def _number(number: Any, kind: str) -> Any:
    return date_of(int(number)) if kind == "date" and number is not None else number


def _plain(value: Any) -> Any:
    """A value of the driver's as one of Python's: dates as texts, points as their coordinates."""
    if hasattr(value, "iso_format"):
        return value.iso_format()
    return ", ".join(map(str, value)) if hasattr(value, "srid") else value


def _qualifiers_of(form: Form) -> frozenset[str]:
    """The properties of relationships that the form asks for or sets conditions on."""
    names: set[str] = set()
    for each in subforms(form):
        where: Sequence[Condition] = getattr(each, "where", ())
        names |= {condition.property for condition in where}
        if isinstance(each, Qualifier):
            names.add(each.property)
    return frozenset(names)


def _evidence(rows: Sequence[Sequence[Any]], shown: frozenset[str]) -> tuple[Path, ...]:
    paths = [path for row in rows for path in _paths(row[3], shown)]
    return tuple(dict.fromkeys(paths))


def _paths(proof: Sequence[Sequence[Any]], shown: frozenset[str]) -> tuple[Path, ...]:
    """Facts as paths: those that follow each other are one walk."""
    walks: list[Path] = []
    for fact in proof:
        one = _fact(fact)
        if walks and fact[3] is not None and (longer := _joined(walks[-1], one)):
            walks[-1] = longer
        else:
            walks.append(one)
        for name in sorted(shown & set(fact[5])):
            value = fact[5][name]
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(_plain(value))
            walks.append(Path((*one.entities, Entity(text, text)), (*one.steps, Step(name))))
    return tuple(dict.fromkeys(walks))


def _fact(fact: Sequence[Any]) -> Path:
    head, head_name, relation, tail, tail_name, _ = fact
    end = Entity(tail_name if tail is None else tail, tail_name)
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
