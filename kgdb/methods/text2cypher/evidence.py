"""What proves the rows of a query: the facts that it matched, and the values that it used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.graph import ReadAnswer
from kgdb.graph.value_types import plain_value
from kgdb.methods.text2cypher.evidence_query import EvidenceQuery
from kgdb.values import Entity, Path, Step
from kgdb.wording import value_text

_NODE = frozenset(["id", "name", "labels"])
_RELATIONSHIP = frozenset(["relation", "source", "target"])
_ADDED = 2
"""The columns of an evidence query behind those of the query."""


@dataclass(frozen=True, slots=True)
class ValueOf:
    """The value of a property, and the entity that has it, or the fact."""

    owner: Entity | Path
    key: str
    value: Any

    def path(self) -> Path:
        """The value as a fact: its last entity is the value as a text."""
        of = self.owner if isinstance(self.owner, Path) else Path((self.owner,), ())
        text = value_as_text(self.value)
        return Path((*of.entities, Entity(text, text)), (*of.steps, Step(self.key)))


@dataclass(frozen=True, slots=True)
class RowEvidence:
    """What proves one row. ``owners`` are, by column, the entities whose property it shows."""

    facts: tuple[Path, ...] = ()
    values: tuple[ValueOf, ...] = ()
    owners: Mapping[int, tuple[ValueOf, ...]] = field(default_factory=dict)


NO_EVIDENCE = RowEvidence()


def value_as_text(value: Any) -> str:
    """A value in the text of an answer or of a fact."""
    if isinstance(value, list):
        return ", ".join(map(value_as_text, value))
    if isinstance(value, dict):
        if is_node(value):
            return str(value["name"])
        return ", ".join(f"{key}: {value_as_text(each)}" for key, each in value.items())
    if isinstance(value, bool):
        return str(value).lower()
    # A year has no comma for its thousands.
    return str(value) if isinstance(value, int) else value_text(value)


def is_node(value: Any) -> bool:
    """Whether it is a node as ``kgdb.cypher.read`` returns it."""
    return isinstance(value, dict) and value.keys() == _NODE


def is_relationship(value: Any) -> bool:
    """Whether it is a relationship as ``kgdb.cypher.read`` returns it."""
    return isinstance(value, dict) and value.keys() == _RELATIONSHIP


def entity_of(node: Mapping[str, Any]) -> Entity:
    """The entity that a node stands for."""
    id_ = str(node["id"])
    return Entity(id_, str(node["name"] or id_))


def row_key(row: Sequence[Any]) -> str:
    """A row as a text by which the same row of another query is found."""
    return json.dumps(row, ensure_ascii=False, sort_keys=True, default=str)


def evidence_by_row(query: EvidenceQuery, answer: ReadAnswer) -> dict[str, RowEvidence]:
    """The evidence of the rows that the changed query gives, by :func:`row_key`."""
    found: dict[str, RowEvidence] = {}
    for raw in answer.rows:
        row = plain_value(raw)
        *own, facts, values = row
        evidence = _row_evidence(query, facts, values)
        key = row_key(own)
        found[key] = _together(found[key], evidence) if key in found else evidence
    return found


def _row_evidence(query: EvidenceQuery, facts: Any, values: Any) -> RowEvidence:
    paths = tuple(dict.fromkeys(_paths(facts)))
    names = {entity.id: entity for path in paths for entity in path.entities}
    columns = [_each_once(_values(each, names)) for each in values]
    shown = {column: place for column, place in query.owners.items() if place < len(columns)}
    owners = {column: columns[place] for column, place in shown.items()}
    return RowEvidence(paths, _each_once(each for column in columns for each in column), owners)


def _each_once(values: Iterable[ValueOf]) -> tuple[ValueOf, ...]:
    """Values without those that say the same fact again; a list among them cannot be hashed."""
    return tuple({each.path(): each for each in values}.values())


def _together(one: RowEvidence, other: RowEvidence) -> RowEvidence:
    """Two rows that look the same: films of one title."""
    owners = {
        column: _each_once((*one.owners.get(column, ()), *other.owners.get(column, ())))
        for column in {*one.owners, *other.owners}
    }
    facts = tuple(dict.fromkeys((*one.facts, *other.facts)))
    return RowEvidence(facts, _each_once((*one.values, *other.values)), owners)


def _paths(value: Any) -> Iterator[Path]:
    """The paths in lists of any depth: each is a list of nodes beside one of relationships."""
    if not isinstance(value, list):
        return
    if len(value) == 2 and _all(value[0], is_node) and _all(value[1], is_relationship):
        if len(value[0]) == len(value[1]) + 1:
            yield _path(value[0], value[1])
        return
    for each in value:
        yield from _paths(each)


def _all(value: Any, fits: Any) -> bool:
    return isinstance(value, list) and all(map(fits, value))


def _path(nodes: Sequence[Any], relationships: Sequence[Any]) -> Path:
    entities = tuple(map(entity_of, nodes))
    steps = (
        Step(each["relation"], reverse=str(each["source"]) != start.id)
        for each, start in zip(relationships, entities, strict=False)
    )
    return Path(entities, tuple(steps))


def _values(value: Any, names: Mapping[str, Entity]) -> Iterator[ValueOf]:
    """The values in lists of any depth: each is an owner, a key and the value."""
    if not isinstance(value, list):
        return
    if len(value) == 3 and isinstance(value[1], str):
        owner = value[0]
        if value[2] is None:
            return
        if is_node(owner):
            yield ValueOf(entity_of(owner), value[1], value[2])
            return
        if is_relationship(owner):
            ends = [names.get(str(owner[end])) for end in ("source", "target")]
            if ends[0] is not None and ends[1] is not None:
                fact = Path((ends[0], ends[1]), (Step(owner["relation"]),))
                yield ValueOf(fact, value[1], value[2])
            return
    for each in value:
        yield from _values(each, names)


def proof_of(entity: Entity, evidence: Iterable[RowEvidence]) -> tuple[Path, ...]:
    """The facts that end at an entity; those of its rows where none has it; and its values."""
    rows = list(evidence)
    ending = [
        part
        for row in rows
        for path in row.facts
        if path.steps
        for part in _ending_at(path, entity)
    ]
    values = [v.path() for row in rows for v in row.values if v.owner == entity and _tells(v)]
    facts = ending or [path for row in rows for path in row.facts if path.steps]
    return tuple(dict.fromkeys((*facts, *values))) or (Path((entity,), ()),)


def _tells(value: ValueOf) -> bool:
    """Whether it is more than the name of its owner."""
    return not (isinstance(value.owner, Entity) and value_as_text(value.value) == value.owner.name)


def _ending_at(path: Path, entity: Entity) -> Iterator[Path]:
    """The parts of a path that lead to an entity from either side."""
    for place, each in enumerate(path.entities):
        if each != entity:
            continue
        if place:
            yield Path(path.entities[: place + 1], path.steps[:place])
        if place < len(path.steps):
            back = tuple(step.back for step in reversed(path.steps[place:]))
            yield Path(tuple(reversed(path.entities[place:])), back)


def proof_of_value(evidence: Iterable[RowEvidence]) -> tuple[Path, ...]:
    """The facts and values that a value was computed from."""
    rows = list(evidence)
    facts = [path for row in rows for path in row.facts if path.steps]
    values = [each.path() for row in rows for each in row.values if _tells(each)]
    alone = [path for row in rows for path in row.facts if not path.steps]
    return tuple(dict.fromkeys((*facts, *values) or alone))
