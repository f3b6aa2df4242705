"""Each procedure beside its rivals, in one run: the same cases in turn, checked to agree first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import neo4j
from neo4j.exceptions import Neo4jError

from benchmarks.cases import Case
from benchmarks.client_loop import ClientLoop, Trail
from benchmarks.graphs import GraphUnderTest
from benchmarks.timing import (
    SLOW_NS,
    TIMEOUT_S,
    Statement,
    Times,
    client_ns,
    is_timeout,
    rows,
    server_ns,
)
from benchmarks.workloads.beam_search import RELATIONS_PER_NODE, WIDTH, beam
from benchmarks.workloads.search import Workload
from kgdb.connection import Connection
from kgdb.errors import KgdbError

_WARM_UP = 30
_REPETITIONS = 15
_CHECKED = 10


class Disagreement(KgdbError):
    """A rival gave other rows: the benchmark is wrong, or a procedure."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report; ``where`` is "server" or "client"."""

    graph: str
    workload: str
    rival: str
    where: str
    cases: int
    kgdb: Times
    other: Times
    target: tuple[float, float]

    @property
    def ratio(self) -> tuple[float, float]:
        """How many times faster kgdb is at p50 and p95."""
        return self.other.p50 / self.kgdb.p50, self.other.p95 / self.kgdb.p95


def compare(
    connection: Connection, graph: GraphUnderTest, workload: Workload, cases: Sequence[Case]
) -> list[Row]:
    """Time a procedure and its plain-Cypher rivals."""
    sides = {"kgdb": workload.plugin, **workload.rivals}
    inside: dict[str, list[float]] = {side: [] for side in sides}
    outside: dict[str, list[float]] = {side: [] for side in sides}
    slow: dict[tuple[int, str], float] = {}
    with connection.driver.session(database=connection.name) as session:
        for place, case in enumerate(cases):
            statements = {side: make(graph, case) for side, make in sides.items()}
            if place < _CHECKED:
                _check(session, workload.name, case, statements)
            # Once for nothing, as the server compiles what it runs often; but for seconds, that
            # makes no difference.
            for side, statement in statements.items():
                took = server_ns(session, statement, _WARM_UP)
                if took > SLOW_NS:
                    slow[place, side] = took
        for place, case in enumerate(cases):
            for side, make in sides.items():
                statement = make(graph, case)
                took = slow.get((place, side)) or server_ns(session, statement, _REPETITIONS)
                inside[side].append(took)
                gave_up = took >= TIMEOUT_S * 1e9
                outside[side].append(took if gave_up else _client_ns(session, statement))
    rows_of_report = []
    for rival, make in workload.rivals.items():
        anew = make(graph, cases[0]).planned_anew
        for where, times in (("server", inside), ("client", outside)):
            # Inside the server, it has been planned: no question is answered in that time alone.
            target = 0.0 if anew and where == "server" else workload.target
            rows_of_report.append(
                Row(
                    graph.name,
                    workload.name,
                    rival,
                    where,
                    len(cases),
                    Times.of(times["kgdb"]),
                    Times.of(times[rival]),
                    (target, target),
                )
            )
    return rows_of_report


def compare_beam(
    connection: Connection, graph: GraphUnderTest, cases: Sequence[Case]
) -> tuple[list[Row], dict[str, Any]]:
    """Time the beam beside the loops that a client would run, as the client sees both.

    Also gives the round trips of each.
    """
    loops = {"loop, a query per relation": RELATIONS_PER_NODE, "loop, a query per node": 0}
    timed: dict[str, list[list[float]]] = {name: [[], []] for name in loops}
    trips: dict[str, list[int]] = {name: [] for name in loops}
    with connection.driver.session(database=connection.name) as session:
        for place, case in enumerate(cases):
            for name, per_node in loops.items():
                statement = beam(per_node)(graph, case)
                loop = ClientLoop(session, graph.label)
                search = _loop(loop, case, per_node)
                if place < _CHECKED:
                    _check_beam(session, statement, search, case)
                # The first run of either is left out: it may have to plan its queries.
                loop.queries = 0
                search()
                trips[name].append(loop.queries)
                call = statement.in_one_record()
                rows(session, call)
                timed[name][0].append(client_ns(_running(session, call), _REPETITIONS))
                timed[name][1].append(client_ns(search, _REPETITIONS))
    report = [
        Row(
            graph.name,
            f"beam, 3 hops, {'best 3' if per_node else 'all'} relations",
            name,
            "client",
            len(cases),
            Times.of(timed[name][0]),
            Times.of(timed[name][1]),
            (20.0, 100.0),
        )
        for name, per_node in loops.items()
    ]
    counted = {
        name: {"p50": sorted(counts)[len(counts) // 2], "max": max(counts)}
        for name, counts in trips.items()
    }
    return report, counted


def _client_ns(session: neo4j.Session, statement: Statement) -> float:
    if statement.planned_anew:
        statement = replace(statement, body=f"CYPHER replan=force {statement.body}")
    try:
        return client_ns(_running(session, statement), _REPETITIONS)
    except Neo4jError as error:
        # What took just less than the time limit inside may take longer here.
        if is_timeout(error):
            return TIMEOUT_S * 1e9
        raise


def _running(session: neo4j.Session, statement: Statement) -> Callable[[], object]:
    return lambda: rows(session, statement)


def _loop(loop: ClientLoop, case: Case, per_node: int) -> Callable[[], list[Trail]]:
    if per_node:
        return lambda: loop.query_for_each_relation(case.start, case.hops, WIDTH, per_node)
    return lambda: loop.query_for_each_node(case.start, case.hops, WIDTH)


def _check(session: neo4j.Session, name: str, case: Case, statements: dict[str, Statement]) -> None:
    expected = rounded(rows(session, statements["kgdb"]))
    for side, statement in statements.items():
        try:
            found = rounded(rows(session, statement))
        except Neo4jError as error:
            if side != "kgdb" and is_timeout(error):
                continue
            raise
        if found != expected:
            raise Disagreement(
                f"{name}: {side} gives other rows than kgdb for {case.start!r} and "
                f"{case.other!r}: {_difference(expected, found)}"
            )


def _check_beam(
    session: neo4j.Session,
    statement: Statement,
    search: Callable[[], list[Trail]],
    case: Case,
) -> None:
    expected = [
        [ids, relations, round(score, 9), count]
        for _, _, score, ids, relations, count in rows(session, statement)
    ]
    found = [
        [list(trail.ids), list(trail.relations), round(trail.score, 9), trail.count]
        for trail in search()
    ]
    if found != expected:
        raise Disagreement(
            f"beam: the client's loop gives other paths for {case.start!r}: "
            f"{_difference(expected, found)}"
        )


def rounded(found: list[list[Any]]) -> list[list[Any]]:
    """Sums of the same numbers may differ in the last digits."""
    return [
        [round(value, 9) if isinstance(value, float) else value for value in row] for row in found
    ]


def _difference(expected: list[Any], found: list[Any]) -> str:
    for place, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            return f"row {place} is {other}, expected {one}"
    return f"{len(found)} rows, expected {len(expected)}"
