"""The rows of a query as an answer: entities, a value, or a value of each entity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.methods.text2cypher.evidence import (
    NO_EVIDENCE,
    RowEvidence,
    ValueOf,
    entity_of,
    is_node,
    is_relationship,
    proof_of,
    proof_of_value,
    value_as_text,
)
from kgdb.methods.text2cypher.evidence_query import Item
from kgdb.values import AnsweredEntity, AnswerValue, Entity, EntityValue, Path, Year

_YES_NO = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class Result:
    """What the rows say; empty where they say nothing."""

    entities: tuple[AnsweredEntity, ...] = ()
    value: AnswerValue = None
    facts: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a query, each with its evidence; ``items`` are what its columns return.

    ``own_texts`` are texts of the query itself: without an owner they say nothing of the graph.
    ``dates`` are the properties whose numbers are years.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    evidence: tuple[RowEvidence, ...]
    items: tuple[Item, ...] = ()
    own_texts: frozenset[str] = frozenset()
    dates: frozenset[str] = frozenset()

    def cells(self, column: int) -> list[list[_Cell]]:
        """What each row says in a column: several values where it has a list."""
        return [
            [*self._cells(row[column], column, evidence)]
            for row, evidence in zip(self.rows, self.evidence, strict=True)
        ]

    def _cells(self, value: Any, column: int, evidence: RowEvidence) -> Iterable[_Cell]:
        if value is None:
            return
        if is_node(value):
            # A map that the query made is no node, whatever its keys.
            if not self._is_made(column):
                yield _Cell(entity_of(value), None)
            return
        if (path := _path_of(value, evidence)) is not None:
            yield _Cell(path.entities[-1], None)
            return
        owners = evidence.owners.get(column, ())
        if owners and not isinstance(value, list):
            for owner in owners:
                named = isinstance(owner.owner, Entity) and self._is_name(owner)
                yield _Cell(owner.owner, None if named else self._with_year(value, owner))
            return
        if isinstance(value, list) and not owners:
            for each in value:
                yield from self._cells(each, column, NO_EVIDENCE)
            return
        if is_relationship(value):
            yield _Cell(None, value["relation"])
        elif isinstance(value, str) and not owners and value in self.own_texts:
            if value.lower() in _YES_NO:
                yield _Cell(None, _YES_NO[value.lower()])
        else:
            owner_ = owners[0].owner if owners else None
            yield _Cell(owner_, value_as_text(value) if isinstance(value, list | dict) else value)

    def _with_year(self, value: Any, of: ValueOf) -> Any:
        return Year(value) if type(value) is int and of.key in self.dates else value

    def _is_made(self, column: int) -> bool:
        return column < len(self.items) and any(t.text == "{" for t in self.items[column].tokens)

    def _is_name(self, value: ValueOf) -> bool:
        """Whether the value is what its owner is called."""
        return isinstance(value.owner, Entity) and value_as_text(value.value) == value.owner.name


@dataclass(frozen=True, slots=True)
class _Cell:
    """An entity, where there is no ``value``; else a value and whose it is."""

    owner: Entity | Path | None
    value: Any

    @property
    def entity(self) -> Entity | None:
        return self.owner if self.value is None and isinstance(self.owner, Entity) else None

    @property
    def belongs_to(self) -> Entity:
        """The entity that is shown beside the value."""
        if isinstance(self.owner, Entity):
            return self.owner
        if isinstance(self.owner, Path):
            return self.owner.entities[0]
        text = value_as_text(self.value)
        return Entity(text, text)

    @property
    def shown(self) -> Any:
        return self.belongs_to.name if self.value is None else self.value


def _path_of(value: Any, evidence: RowEvidence) -> Path | None:
    """The path among the evidence that a list of id, relation, id and so on stands for."""
    if not isinstance(value, list) or len(value) % 2 == 0:
        return None
    for path in evidence.facts:
        ids = [entity.id for entity in path.entities]
        if ids == value[::2] and [str(step) for step in path.steps] == value[1::2]:
            return path
    return None


def result_of(table: Table, max_proofs: int) -> Result:
    """The answer that the rows are."""
    columns = [table.cells(column) for column in range(len(table.columns))]
    if not columns or not any(cell for column in columns for cell in column):
        return Result()
    if len(columns) == 1:
        return _single(table, columns[0], max_proofs)
    return _groups(table, columns)


def _single(table: Table, cells: Sequence[Sequence[_Cell]], max_proofs: int) -> Result:
    flat = [(cell, row) for row, each in zip(table.evidence, cells, strict=True) for cell in each]
    if all(cell.entity is not None for cell, _ in flat):
        rows: dict[Entity, list[RowEvidence]] = {}
        for cell, evidence in flat:
            assert cell.entity is not None  # noqa: S101
            rows.setdefault(cell.entity, []).append(evidence)
        entities = []
        for entity, evidence_of in rows.items():
            proof = proof_of(entity, evidence_of)
            entities.append(AnsweredEntity(entity, proof[:max_proofs], len(proof)))
        return Result(entities=tuple(entities))
    facts = proof_of_value(table.evidence)
    if len(flat) == 1:
        return Result(value=flat[0][0].shown, facts=facts)
    values = tuple(EntityValue(cell.belongs_to, cell.shown) for cell, _ in flat)
    return Result(value=tuple(dict.fromkeys(values)), facts=facts)


def _groups(table: Table, columns: Sequence[Sequence[Sequence[_Cell]]]) -> Result:
    """Of each row the entity, or the first column, with what the other columns say."""
    head = next(
        (n for n, cells in enumerate(columns) if any(c.entity for each in cells for c in each)), 0
    )
    values = []
    for place in range(len(table.rows)):
        firsts = columns[head][place]
        others = [columns[n][place] for n in range(len(columns)) if n != head]
        shown = [cell.shown for cells in others for cell in cells]
        if not firsts or not shown:
            continue
        value = shown[0] if len(shown) == 1 else ", ".join(map(value_as_text, shown))
        for first in firsts:
            text = value_as_text(first.shown)
            values.append(EntityValue(first.entity or Entity(text, text), value))
    return Result(value=tuple(values), facts=proof_of_value(table.evidence))
