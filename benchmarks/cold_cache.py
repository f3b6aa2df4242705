"""Each procedure beside plain Cypher with a cold cache: the first call after a commit."""

from __future__ import annotations

from collections.abc import Sequence

import neo4j
from neo4j.exceptions import Neo4jError

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.side_by_side import Row
from benchmarks.timing import TIMEOUT_S, Statement, Times, is_timeout, timed_rows
from benchmarks.workloads.search import Workload
from kgdb.connection import Connection

_NO_TARGET = (0.0, 0.0)
_COMMIT = "MERGE (n:BenchmarkCommit) SET n.number = coalesce(n.number, 0) + 1"


def compare_cold(
    connection: Connection, graph: GraphUnderTest, workload: Workload, cases: Sequence[Case]
) -> list[Row]:
    """Time a procedure and the first of its rivals, each once, right after a commit."""
    rival = next(iter(workload.rivals))
    sides = {"kgdb": workload.plugin, rival: workload.rivals[rival]}
    took: dict[str, list[float]] = {side: [] for side in sides}
    with connection.driver.session(database=connection.name) as session:
        for case in cases:
            for side, make in sides.items():
                # Once for nothing, to be planned.
                _once_ns(session, make(graph, case))
                session.run(_COMMIT).consume()
                took[side].append(_once_ns(session, make(graph, case)))
    return [
        Row(
            graph.name,
            workload.name,
            rival,
            "server, after a commit",
            len(cases),
            Times.of(took["kgdb"]),
            Times.of(took[rival]),
            _NO_TARGET,
        )
    ]


def _once_ns(session: neo4j.Session, statement: Statement) -> float:
    try:
        return timed_rows(session, statement, TIMEOUT_S)[0]
    except Neo4jError as error:
        if is_timeout(error):
            return TIMEOUT_S * 1e9
        raise
