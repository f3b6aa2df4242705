"""Thousands of searches between changes of the graph: from the store, or from its copy in memory.

The rows are counted inside the server, so that neither the wire nor the driver is measured.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import neo4j

from benchmarks import powerlaw
from benchmarks.cases import Case
from benchmarks.graphs import POWERLAW, GraphUnderTest
from benchmarks.side_by_side import Disagreement
from benchmarks.timing import Statement, Times, timed_rows
from benchmarks.workloads.beam_search import RELATIONS_PER_NODE, WIDTH
from kgdb.connection import Connection
from kgdb.graph.connection.statements import quoted

SETS_OF_CASE = 100
"""Start sets for each case of the run: 10,000 for 100 cases."""

STORE_S = 60.0
"""When the searches from the store have taken so long, no more sets are begun."""

_BATCH = 200
_COMPARED = 50
_WARM_UP_S = 5.0
_TIMEOUT_S = 120.0
_BUILDS = 3
_PER_PAIR = 10
_TARGET = 1.0
_SEED = 3
_RANDOM_ENTITIES = 20_000
_SIDES = (False, True)


@dataclass(frozen=True, slots=True)
class InMemoryRow:
    """Milliseconds inside the server for all start sets, and those of each batch of them."""

    graph: str
    search: str
    sets: int
    sets_of_batch: int
    rows: int
    store_ms: float
    copy_ms: float
    store: Times
    copy: Times
    target: float = _TARGET

    @property
    def ratio(self) -> float:
        """How many times faster the copy is."""
        return self.store_ms / self.copy_ms


@dataclass(frozen=True, slots=True)
class CopyRow:
    """Milliseconds inside the server of a call that makes the copy, and of the same call again."""

    graph: str
    first_ms: float
    again_ms: float


@dataclass(frozen=True, slots=True)
class _StartSet:
    case: Case
    start: str
    other: str


@dataclass(frozen=True, slots=True)
class _Search:
    name: str
    procedure: str
    nodes: Callable[[_StartSet], list[str]]
    config: dict[str, Any]
    argument: Callable[[_StartSet], list[Any]] | None = None

    def call(self, graph: GraphUnderTest, sets: Sequence[_StartSet], in_memory: bool) -> Statement:
        """All its rows."""
        parameters: dict[str, Any] = {
            "nodes": [self.nodes(one) for one in sets],
            "config": {"kg": graph.name, "inMemory": in_memory, **self.config},
        }
        if self.argument:
            parameters["argument"] = [self.argument(one) for one in sets]
        argument = "$argument, " if self.argument else ""
        return Statement(
            f"CALL kgdb.{self.procedure}($nodes, {argument}$config)", ("*",), parameters
        )

    def counted(
        self, graph: GraphUnderTest, sets: Sequence[_StartSet], in_memory: bool
    ) -> Statement:
        """One row: how many there are, and a sum that tells where they are and what they count."""
        whole = self.call(graph, sets, in_memory)
        return Statement(
            f"{whole.body} YIELD batch, count "
            "RETURN count(*) AS rows, sum(count * (batch + 1)) AS digest",
            ("rows", "digest"),
            whole.parameters,
        )


def _start(one: _StartSet) -> list[str]:
    return [one.start]


def _ends(one: _StartSet) -> list[str]:
    return [one.start, one.other]


_SEARCHES = (
    _Search("relations.around", "relations.around", _start, {}),
    _Search("neighbors", "neighbors", _start, {}),
    _Search("follow, 3 hops", "follow", _start, {"paths": 0}, lambda one: list(one.case.chain)),
    _Search(
        "beam, 3 hops, best 3 relations",
        "beam",
        _start,
        {"width": WIDTH, "relationsPerNode": RELATIONS_PER_NODE},
        lambda one: list(one.case.hops),
    ),
    _Search("paths.all ≤ 3", "paths.all", _ends, {"maxHops": 3, "perPair": _PER_PAIR}),
    _Search("paths.shortest ≤ 4", "paths.shortest", _ends, {"maxHops": 4, "perPair": _PER_PAIR}),
)


def measure_in_memory(
    connection: Connection, graph: GraphUnderTest, cases: Sequence[Case], only: str
) -> tuple[list[InMemoryRow], CopyRow]:
    """Time the searches with ``only`` in their names from both, and the making of the copy."""
    with connection.driver.session(database=connection.name) as session:
        sets = _draw(session, graph, cases)
        copied = _copy(session, graph, sets[0])
        rows = [
            _compare(session, graph, search, sets) for search in _SEARCHES if only in search.name
        ]
        return rows, copied


def _draw(session: neo4j.Session, graph: GraphUnderTest, cases: Sequence[Case]) -> list[_StartSet]:
    """Half of them at the entities of a case, half at any; entities repeat, as they do in use."""
    rng = random.Random(_SEED)
    entities = _entities(session, graph, rng)
    drawn = []
    for place in range(SETS_OF_CASE * len(cases)):
        case = rng.choice(cases)
        start, other = (case.start, case.other) if place % 2 else rng.sample(entities, 2)
        drawn.append(_StartSet(case, start, other))
    return drawn


def _entities(session: neo4j.Session, graph: GraphUnderTest, rng: random.Random) -> list[str]:
    if graph.name == POWERLAW:
        numbers = rng.sample(range(powerlaw.FULL.entities), _RANDOM_ENTITIES)
        return [powerlaw.entity_id(number) for number in numbers]
    found = session.run(f"MATCH (n:{quoted(graph.label)}) RETURN n.id AS id ORDER BY id")
    return rng.sample([record["id"] for record in found], _RANDOM_ENTITIES)


def _copy(session: neo4j.Session, graph: GraphUnderTest, one: _StartSet) -> CopyRow:
    """The first call after a change makes the copy, the next one finds it."""
    call = _SEARCHES[0].counted(graph, [one], in_memory=True)
    took: tuple[list[int], list[int]] = ([], [])
    for _ in range(_BUILDS):
        session.run(
            "MATCH (g:KnowledgeGraph {name: $kg}) SET g.measured = timestamp()", kg=graph.name
        ).consume()
        for times in took:
            times.append(timed_rows(session, call, _TIMEOUT_S)[0])
    first, again = (statistics.median(times) / 1e6 for times in took)
    return CopyRow(graph.name, first, again)


def _compare(
    session: neo4j.Session, graph: GraphUnderTest, search: _Search, sets: Sequence[_StartSet]
) -> InMemoryRow:
    batches = [sets[first : first + _BATCH] for first in range(0, len(sets), _BATCH)]
    _check_rows(session, graph, search, batches[0][:_COMPARED])
    _warm_up(session, graph, search, batches)
    took: dict[bool, list[int]] = {side: [] for side in _SIDES}
    searched = rows = 0
    for place, batch in enumerate(batches):
        found = {}
        # Who is first finds the processor's caches cold.
        for side in _SIDES if place % 2 else reversed(_SIDES):
            nanoseconds, found[side] = timed_rows(
                session, search.counted(graph, batch, side), _TIMEOUT_S
            )
            took[side].append(nanoseconds)
        if found[True] != found[False]:
            raise Disagreement(
                f"{search.name}: batch {place} has {found[True]} rows and sum in memory, "
                f"{found[False]} in the store"
            )
        searched += len(batch)
        rows += found[False][0][0]
        if sum(took[False]) > STORE_S * 1e9:
            break
    store, copy = took[False], took[True]
    return InMemoryRow(
        graph.name,
        search.name,
        searched,
        _BATCH,
        rows,
        sum(store) / 1e6,
        sum(copy) / 1e6,
        Times.of(store),
        Times.of(copy),
    )


def _check_rows(
    session: neo4j.Session, graph: GraphUnderTest, search: _Search, sets: Sequence[_StartSet]
) -> None:
    """All columns of all rows, for the first sets."""
    store, copy = (
        [record.values() for record in session.run(call.body, call.parameters)]
        for call in (search.call(graph, sets, side) for side in _SIDES)
    )
    for one, other in zip(store, copy, strict=False):
        if one != other:
            raise Disagreement(f"{search.name}: in memory {other}, in the store {one}")
    if len(store) != len(copy):
        raise Disagreement(f"{search.name}: {len(copy)} rows in memory, {len(store)} in the store")


def _warm_up(
    session: neo4j.Session,
    graph: GraphUnderTest,
    search: _Search,
    batches: Sequence[Sequence[_StartSet]],
) -> None:
    end = time.perf_counter() + _WARM_UP_S
    for batch in cycle(batches):
        for side in _SIDES:
            timed_rows(session, search.counted(graph, batch, side), _TIMEOUT_S)
        if time.perf_counter() > end:
            return
