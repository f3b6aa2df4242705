"""Many searches: in one call, and from many clients at once."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import neo4j

from benchmarks.cases import Case
from benchmarks.client_loop import ClientLoop
from benchmarks.graphs import GraphUnderTest
from benchmarks.side_by_side import Disagreement, rounded
from benchmarks.timing import Statement, client_ns, rows, server_ns
from benchmarks.workloads.beam_search import RELATIONS_PER_NODE, WIDTH, beam
from kgdb.connection import Connection

CLIENTS = (1, 4, 16, 64)

_PROCESSES = 2
_REPETITIONS = 3


@dataclass(frozen=True, slots=True)
class BatchRow:
    """Milliseconds for all start sets: in one call, and in one call each."""

    graph: str
    procedure: str
    sets: int
    batch_ms: float
    one_by_one_ms: float
    batch_server_ms: float
    one_by_one_server_ms: float
    target: float = 1.0

    @property
    def ratio(self) -> float:
        """How many times faster the one call is, as the client sees it."""
        return self.one_by_one_ms / self.batch_ms


def batches(connection: Connection, graph: GraphUnderTest, cases: Sequence[Case]) -> list[BatchRow]:
    """Compare the batch form with calls one by one; both must give the same rows."""
    config: dict[str, Any] = {"kg": graph.name, "limit": 100}
    chains = [list(case.chain) for case in cases]
    hops = [list(case.hops) for case in cases]
    kinds: list[tuple[str, str, list[Any] | None, dict[str, Any]]] = [
        ("relations.around", "relation, direction, nodes, count", None, config),
        ("neighbors", "source, relation, direction, id, name, count", None, config),
        ("follow", "id, name, starts, count", chains, config),
        ("beam", "id, score, ids, relations, count", hops, {"kg": graph.name, "width": WIDTH}),
    ]
    with connection.driver.session(database=connection.name) as session:
        return [_batch(session, graph, cases, *kind) for kind in kinds]


def _batch(
    session: neo4j.Session,
    graph: GraphUnderTest,
    cases: Sequence[Case],
    procedure: str,
    shown: str,
    per_set: list[Any] | None,
    config: dict[str, Any],
) -> BatchRow:
    columns = tuple(shown.split(", "))

    def call(nodes: list[Any], argument: list[Any] | None) -> Statement:
        arguments = "$nodes, " + ("$argument, " if argument is not None else "") + "$config"
        return Statement(
            f"CALL kgdb.{procedure}({arguments}) YIELD {shown} RETURN {shown}",
            columns,
            {"nodes": nodes, "argument": argument, "config": config},
        )

    together = call([[case.start] for case in cases], per_set)
    singles = [
        call([case.start], per_set[place] if per_set else None) for place, case in enumerate(cases)
    ]
    expected = [row for single in singles for row in rounded(rows(session, single))]
    if rounded(rows(session, together)) != expected:
        raise Disagreement(f"{procedure}: the batch form gives other rows than calls one by one")

    def one_by_one() -> None:
        for single in singles:
            rows(session, single)

    return BatchRow(
        graph.name,
        procedure,
        len(cases),
        client_ns(lambda: rows(session, together), _REPETITIONS) / 1e6,
        client_ns(one_by_one, _REPETITIONS) / 1e6,
        server_ns(session, together, _REPETITIONS) / 1e6,
        sum(server_ns(session, single, _REPETITIONS) for single in singles) / 1e6,
    )


@dataclass(frozen=True, slots=True)
class Throughput:
    """Beam searches a second from so many clients."""

    graph: str
    side: str
    clients: int
    per_second: float
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, slots=True)
class _Work:
    uri: str
    password: str
    database: str
    graph: GraphUnderTest
    cases: tuple[Case, ...]
    side: str
    clients: int
    seconds: float


SIDES = ("kgdb.beam", "client's loop")


def throughput(
    connection: Connection,
    graph: GraphUnderTest,
    cases: Sequence[Case],
    password: str,
    seconds: float,
) -> list[Throughput]:
    """Let clients search without a pause, half of them in each of two processes."""
    report = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(_PROCESSES, mp_context=context) as pool:
        for side in SIDES:
            for clients in CLIENTS:
                processes = min(clients, _PROCESSES)
                work = _Work(
                    uri=connection.uri,
                    password=password,
                    database=connection.name,
                    graph=graph,
                    cases=tuple(cases),
                    side=side,
                    clients=clients // processes,
                    seconds=seconds,
                )
                took = sorted(
                    one for many in pool.map(_search_all, [work] * processes) for one in many
                )
                report.append(
                    Throughput(
                        graph.name,
                        side,
                        clients,
                        round(len(took) / seconds, 1),
                        round(took[len(took) // 2] * 1000, 2),
                        round(took[int(0.95 * len(took))] * 1000, 2),
                    )
                )
    return report


def _search_all(work: _Work) -> list[float]:
    with (
        neo4j.GraphDatabase.driver(
            work.uri, auth=("neo4j", work.password), notifications_min_severity="OFF"
        ) as driver,
        ThreadPoolExecutor(work.clients) as pool,
    ):
        futures = [pool.submit(partial(_search, driver, work, n)) for n in range(work.clients)]
        return [took for future in futures for took in future.result()]


def _search(driver: neo4j.Driver, work: _Work, client: int) -> list[float]:
    took = []
    make = beam(RELATIONS_PER_NODE)
    with driver.session(database=work.database) as session:
        loop = ClientLoop(session, work.graph.label)
        # Connected, and the statement planned, before the clock runs.
        rows(session, make(work.graph, work.cases[0]).in_one_record())
        end = time.perf_counter() + work.seconds
        place = client
        while (began := time.perf_counter()) < end:
            case = work.cases[place % len(work.cases)]
            place += 1
            if work.side == SIDES[0]:
                rows(session, make(work.graph, case).in_one_record())
            else:
                loop.query_for_each_relation(case.start, case.hops, WIDTH, RELATIONS_PER_NODE)
            took.append(time.perf_counter() - began)
    return took
