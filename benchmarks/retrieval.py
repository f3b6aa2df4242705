"""All that one question asks of the database: link, menu, beam, paths, neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import neo4j

from benchmarks.cases import Case
from benchmarks.graphs import METAQA, POWERLAW, GraphUnderTest
from benchmarks.timing import Statement, Times, client_ns, rows, server_ns
from benchmarks.wire import counted
from benchmarks.workloads.beam_search import RELATIONS_PER_NODE, WIDTH
from kgdb.connection import Connection

_REPETITIONS = 9
_TARGETS_MS: dict[str, tuple[float, float | None]] = {METAQA: (1.0, None), POWERLAW: (5.0, 60.0)}
_NAMES = ("link", "menu", "beam", "paths", "neighbors")
_LINK = "CALL kgdb.entities.link($kg, [$mention]) YIELD id, name, score"
_AROUND = "CALL kgdb.relations.around([start], {kg: $kg}) YIELD relation, direction, count"
_BEAM = """CALL kgdb.beam([start], $hops, {kg: $kg, width: $width, relationsPerNode: $perNode})
YIELD id, score, ids, names, relations"""
_SHORTEST = """CALL kgdb.paths.shortest(ends, {kg: $kg, perPair: 10})
YIELD hops, ids AS idsBetween, names AS namesBetween, relations AS relationsBetween"""
_NEIGHBORS = """CALL kgdb.neighbors(ends, {kg: $kg, perRelation: 5, limit: 100})
YIELD source, relation, direction, id, name, count"""
_ONE_STATEMENT = f"""CALL () {{ {_LINK} RETURN collect([id, name, score]) AS linked }}
WITH linked, linked[0][0] AS start
CALL (start) {{ {_AROUND} RETURN collect([relation, direction, count]) AS menu }}
CALL (start) {{ {_BEAM} RETURN collect([id, score, ids, names, relations]) AS beam }}
WITH *, [start] + [path IN beam[..1] | path[0]] AS ends
CALL (ends) {{ {_SHORTEST}
  RETURN collect([hops, idsBetween, namesBetween, relationsBetween]) AS paths }}
CALL (ends) {{ {_NEIGHBORS}
  RETURN collect([source, relation, direction, id, name, count]) AS neighbors }}
RETURN linked, menu, beam, paths, neighbors"""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Times in microseconds and bytes of one question, ``statements`` being its round trips.

    ``parts`` are the times of each statement in the server.
    """

    graph: str
    statements: int
    cases: int
    server: Times
    parts: dict[str, Times]
    client: Times
    sent: Times
    received: Times

    @property
    def server_ms(self) -> tuple[float, float]:
        """The server's time at p50 and p95."""
        return self.server.p50 / 1000, self.server.p95 / 1000

    @property
    def target_ms(self) -> tuple[float, float | None]:
        """What it is to stay within."""
        return _TARGETS_MS[self.graph]


def measure(
    connection: Connection, graph: GraphUnderTest, cases: Sequence[Case], password: str
) -> list[Retrieval]:
    """Measure it as five statements, and as one that does all."""
    return [_measure(connection, graph, cases, password, in_one) for in_one in (False, True)]


def _measure(
    connection: Connection,
    graph: GraphUnderTest,
    cases: Sequence[Case],
    password: str,
    in_one: bool,
) -> Retrieval:
    server: list[list[float]] = []
    client: list[float] = []
    sent: list[float] = []
    received: list[float] = []
    statements: list[Statement] = []
    with (
        connection.driver.session(database=connection.name) as session,
        counted(connection.uri) as wire,
        neo4j.GraphDatabase.driver(
            wire.uri, auth=("neo4j", password), notifications_min_severity="OFF"
        ) as driver,
        driver.session(database=connection.name) as other,
    ):
        for case in cases:
            statements = steps(session, graph, case, in_one)
            server.append([server_ns(session, each, _REPETITIONS) for each in statements])

            def run(todo: list[Statement] = statements) -> None:
                for each in todo:
                    rows(session, each)

            client.append(client_ns(run, 3))
            # The first time the driver connects and asks for the server's routes.
            rows(other, statements[0])
            wire.reset()
            for each in statements:
                rows(other, each)
            sent.append(wire.sent * 1000)
            received.append(wire.received * 1000)
    return Retrieval(
        graph.name,
        len(statements),
        len(cases),
        Times.of([sum(parts) for parts in server]),
        {
            name: Times.of(took)
            for name, took in zip(_NAMES, zip(*server, strict=True), strict=False)
            if not in_one
        },
        Times.of(client),
        Times.of(sent),
        Times.of(received),
    )


def steps(
    session: neo4j.Session, graph: GraphUnderTest, case: Case, in_one: bool
) -> list[Statement]:
    """The statements of one question; those after the first need what others gave."""
    shared: dict[str, Any] = {
        "kg": graph.name,
        "mention": case.name.lower(),
        "hops": list(case.hops),
        "width": WIDTH,
        "perNode": RELATIONS_PER_NODE,
    }
    if in_one:
        return [Statement(_ONE_STATEMENT, ("linked", "menu", "beam", "paths", "neighbors"), shared)]
    link = _statement(_LINK, ("id", "name", "score"), shared)
    start = rows(session, link)[0][0]
    at_start = shared | {"start": start}
    search = _statement(
        "WITH $start AS start " + _BEAM, ("id", "score", "ids", "names", "relations"), at_start
    )
    found = rows(session, search)
    ends = "WITH $ends AS ends "
    at_ends = shared | {"ends": [start, *(row[0] for row in found[:1])]}
    return [
        link,
        _statement("WITH $start AS start " + _AROUND, ("relation", "direction", "count"), at_start),
        search,
        _statement(
            ends + _SHORTEST,
            ("hops", "idsBetween", "namesBetween", "relationsBetween"),
            at_ends,
        ),
        _statement(
            ends + _NEIGHBORS,
            ("source", "relation", "direction", "id", "name", "count"),
            at_ends,
        ),
    ]


def _statement(text: str, columns: tuple[str, ...], parameters: dict[str, Any]) -> Statement:
    needed = {name: value for name, value in parameters.items() if f"${name}" in text}
    return Statement(f"{text} RETURN {', '.join(columns)}", columns, needed)
