"""Cheapest paths between two entities, where each relation has a cost of its own.

Graph Data Science finds them (``gds.shortestPath.yens``) on a projection that has one arc for each
ordered pair of joined entities: of parallel relationships only the cheapest counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kgdb.errors import DatabaseError, UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Place, TypeTest
from kgdb.graph.gds.projection import Plan, Projection
from kgdb.graph.option_values import entity_id, integer
from kgdb.graph.retrieval.identified import Identified
from kgdb.graph.retrieval.results import Rows, WeightedPath
from kgdb.graph.retrieval.step_filter import StepFilter
from kgdb.text_arguments import text
from kgdb.values import Entity, Path, Step
from kgdb.wording import short

TIES = "ties"
"""In ``cut``: more paths cost as much as the last one than were looked at."""

_LOOKED_AT = 16
"""How many paths, or twice as many as were asked for, are looked at to find all ties."""

_MOST = 10_000


@dataclass(frozen=True, slots=True)
class Costs:
    """What may be followed, and what a step costs: by its spec, its relation, or as any other."""

    following: StepFilter
    specs: Mapping[str, float]
    default: float

    @property
    def places(self) -> dict[str, Place]:
        """The places of the statements that read relationships."""
        along, against = self.following.along, self.following.against
        return {"either": along | against, "out": TypeTest(along), "in": TypeTest(against)}

    @property
    def parameters(self) -> dict[str, Any]:
        """The costs by relation, along and against."""
        along = {spec: cost for spec, cost in self.specs.items() if not spec.startswith("^")}
        against = {
            spec.removeprefix("^"): cost
            for spec, cost in self.specs.items()
            if spec.startswith("^")
        }
        return {"along": along, "against": {**along, **against}, "default": self.default}


def cheapest_arcs(database: Database, info: GraphInfo, costs: Costs) -> Plan:
    """One arc for each ordered pair of entities that a followed relationship joins."""

    def make(name: str) -> list[dict[str, Any]]:
        parameters = {"name": name, "labels": list(info.labels), **costs.parameters}
        return database.write("gds/project_costs", parameters, **info.places, **costs.places)

    # Both ways of a relationship are arcs of their own.
    return Plan(2 * info.triples, make, weighted=True)


class CheapestPaths:
    """Finds cheapest paths on one projection, as often as wanted."""

    def __init__(self, projection: Projection, info: GraphInfo, costs: Costs) -> None:
        self._database = projection.database
        self._projection = projection
        self._info = info
        self._costs = costs

    def between(self, source: str | Entity, target: str | Entity, k: int = 1) -> Rows[WeightedPath]:
        """The ``k`` cheapest paths: by cost, then ids, then relations; no path visits a node twice.

        A path is told once, with the cheapest relation of each of its steps. Raises
        :class:`UsageError` for an id that is not in the graph.
        """
        source = text("source", entity_id(source), "the id of an entity", empty=True)
        target = text("target", entity_id(target), "the id of an entity", empty=True)
        k = integer(1, _MOST)("k", k)
        if source == target:
            raise UsageError(f"source and target are both {short(source)}; expected two entities.")
        most = max(_LOOKED_AT, 2 * k)
        wanted = k + 1
        paths = self._cheapest(source, target, wanted)
        # Which of several that cost the same come first is up to the store's order: all of them
        # are looked at, to choose by ids.
        while len(paths) == wanted < most and _same(paths[-1].cost, paths[k - 1].cost):
            wanted = min(4 * wanted, most)
            paths = self._cheapest(source, target, wanted)
        cut = []
        if len(paths) == wanted and _same(paths[-1].cost, paths[k - 1].cost):
            cut.append(TIES)
        if len(paths) > k:
            cut.append("limit")
        return Rows(paths[:k], cut, WeightedPath)

    def _cheapest(self, source: str, target: str, k: int) -> list[WeightedPath]:
        info = self._info
        rows = self._database.write(
            "gds/cheapest",
            {
                "source": source,
                "target": target,
                "k": k,
                "projection": self._projection.name,
                "weight": self._projection.weight,
                **self._costs.parameters,
            },
            **info.places,
            **self._costs.places,
        )
        if not rows:
            self._check_ids(source, target)
        # A path through a node without an id is none of the graph's entities.
        identified = Identified(self._database, info)
        without = identified.without_id(id_ for row in rows for id_ in row["ids"])
        kept = [row for row in rows if not without.intersection(row["ids"])]
        return sorted(map(_path, kept), key=_order)

    def _check_ids(self, *ids: str) -> None:
        info = self._info
        rows = self._database.run("entities", {"ids": list(ids)}, **info.places)
        missing = sorted(set(ids) - {row["id"] for row in rows})
        if missing:
            raise UsageError(
                f"The graph {short(info.name)} has no entity "
                f"{' and no '.join(map(short, missing))}.",
                hint='Entities go by their ids; kg.fulltext(["…"]) finds them by name.',
            )


def _path(row: Mapping[str, Any]) -> WeightedPath:
    if len(row["relations"]) != len(row["ids"]) - 1:
        raise DatabaseError(
            "The graph has changed since it was projected: a path of the projection is gone.",
            hint="Project it again.",
        )
    entities = tuple(map(Entity, row["ids"], row["names"]))
    steps = tuple(map(Step, row["relations"], row["reverses"]))
    costs = tuple(map(float, row["costs"]))
    return WeightedPath(Path(entities, steps), math.fsum(costs), costs)


def _order(found: WeightedPath) -> tuple[float, list[str], list[str]]:
    # Sums that differ in their last digits are the same cost.
    return (
        float(f"{found.cost:.12g}"),
        [entity.id for entity in found.path.entities],
        [str(step) for step in found.path.steps],
    )


def _same(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-12)
