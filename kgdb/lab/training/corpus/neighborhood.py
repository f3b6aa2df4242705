"""What lies around entities, read from the database in large batches and kept for the next one.

A corpus looks at the same few relationships thousands of times: each is read once. Of a node with
very many relationships of a kind only the first are read, which is enough to refuse a chain; what
is not refused is checked by following it in the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph import Graph
from kgdb.values import Entity, Step

PER_RELATION = 64
"""Neighbors of a node over one relation that are read; where there are more, not all are known."""

_TOGETHER = 1000
"""Nodes that are read in one round trip."""

_KEPT = 300_000
"""Nodes whose relationships are kept in memory."""

_ROWS = 1_000_000


@dataclass(frozen=True, slots=True)
class Frontier:
    """The known ends of a chain, and whether these are all.

    ``origins`` has for each end the entity before it, ``None`` where there are several: a path uses
    no relationship twice, so a chain may not go straight back where there is only one.
    """

    origins: Mapping[str, str | None]
    is_complete: bool

    @classmethod
    def of(cls, ids: Sequence[str]) -> Frontier:
        """The ends of the empty chain."""
        return cls(dict.fromkeys(ids), is_complete=True)

    def narrowed(self, width: int) -> Frontier:
        """So many of the ends."""
        if len(self.origins) <= width:
            return self
        first = list(self.origins)[:width]
        return Frontier({id_: self.origins[id_] for id_ in first}, is_complete=False)


class Neighborhood:
    """The relationships around entities of a graph, as far as they were read."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._steps: dict[str, dict[Step, list[str]]] = {}
        self._names: dict[str, str] = {}
        self._parallel: set[tuple[str, Step, str]] = set()

    def forget_if_full(self) -> None:
        """Make room; called between two batches, as a batch needs what it has read."""
        if len(self._steps) > _KEPT:
            self._steps.clear()
            self._names.clear()
            self._parallel.clear()

    def read(self, ids: Iterable[str]) -> None:
        """Read the relationships of entities that were not read yet."""
        new = [id_ for id_ in dict.fromkeys(ids) if id_ not in self._steps]
        for start in range(0, len(new), _TOGETHER):
            some = new[start : start + _TOGETHER]
            found = self._graph.batch.neighbors(
                [[id_] for id_ in some], per_relation=PER_RELATION, limit=_ROWS
            )
            for id_, rows in zip(some, found, strict=True):
                steps = self._steps[id_] = {}
                for row in rows:
                    steps.setdefault(row.step, []).append(row.entity.id)
                    self._names[row.entity.id] = row.entity.name
                    if row.count > 1:
                        self._parallel.add((id_, row.step, row.entity.id))

    def entity(self, id_: str) -> Entity:
        """An entity that was met as a neighbor."""
        return Entity(id_, self._names[id_])

    def steps_from(self, frontier: Frontier) -> list[Step]:
        """The steps that any of these ends has, in the order of their names."""
        return sorted({step for id_ in frontier.origins for step in self._steps[id_]})

    def extended(self, frontier: Frontier, before: Step | None, step: Step) -> Frontier:
        """The ends after one more step; ``before`` is the step that led to the frontier."""
        returns = before is not None and step == before.back
        complete = frontier.is_complete
        ends: dict[str, str | None] = {}
        for id_, origin in frontier.origins.items():
            targets = self._steps[id_].get(step, ())
            complete = complete and len(targets) < PER_RELATION
            for target in targets:
                if returns and target == origin and (id_, step, target) not in self._parallel:
                    continue
                ends[target] = id_ if ends.get(target, id_) == id_ else None
        return Frontier(ends, complete)
