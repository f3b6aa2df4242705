"""PageRank of a candidate graph: one call, or project, run and drop with Graph Data Science."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import neo4j

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.side_by_side import Disagreement, Row
from benchmarks.timing import Times, client_ns
from kgdb.api import Connection
from kgdb.graph.statements import quoted

_GRAPH = "kgdb_benchmark"
_TARGET = 25.0
_SAME = 1e-9
# Hundreds of rows would cost the driver more than the ranks cost the server.
_IN_ONE_ROW = "RETURN collect(id) AS ids, collect(score) AS scores"


def compare_pagerank(
    connection: Connection, graph: GraphUnderTest, cases: Sequence[Case]
) -> list[Row]:
    """Time both as the client sees them, and check that they give the same scores."""
    label = quoted(graph.label)
    ours: list[float] = []
    theirs: list[float] = []
    with connection.driver.session(database=connection.name) as session:

        def kgdb(ids: list[str]) -> dict[str, float]:
            return _scores(
                session,
                "CALL kgdb.pagerank($ids, null, {kg: $kg}) YIELD id, score " + _IN_ONE_ROW,
                ids=ids,
                kg=graph.name,
            )

        def gds(ids: list[str]) -> dict[str, float]:
            _run(
                session,
                f"MATCH (n:{label}) WHERE n.id IN $ids "
                f"OPTIONAL MATCH (n)-->(m:{label}) WHERE m.id IN $ids "
                "RETURN gds.graph.project($graph, n, m) AS projected",
                ids=ids,
                graph=_GRAPH,
            )
            try:
                return _scores(
                    session,
                    "CALL gds.pageRank.stream($graph) YIELD nodeId, score "
                    "WITH gds.util.asNode(nodeId).id AS id, score ORDER BY score DESC, id "
                    + _IN_ONE_ROW,
                    graph=_GRAPH,
                )
            finally:
                _run(
                    session,
                    "CALL gds.graph.drop($graph) YIELD graphName RETURN graphName",
                    graph=_GRAPH,
                )

        for case in cases:
            ids = list(case.candidates)
            _check(case, kgdb(ids), gds(ids))
            ours.append(client_ns(lambda ids=ids: kgdb(ids), 3))  # type: ignore[misc]
            theirs.append(client_ns(lambda ids=ids: gds(ids), 1))  # type: ignore[misc]
    size = max(len(case.candidates) for case in cases)
    return [
        Row(
            graph.name,
            f"pagerank, up to {size} nodes",
            "GDS: project, stream, drop",
            "client",
            len(cases),
            Times.of(ours),
            Times.of(theirs),
            (_TARGET, _TARGET),
        )
    ]


def _scores(session: neo4j.Session, text: str, **parameters: Any) -> dict[str, float]:
    (row,) = _run(session, text, **parameters)
    return dict(zip(row["ids"], row["scores"], strict=True))


def _run(session: neo4j.Session, text: str, **parameters: Any) -> list[neo4j.Record]:
    return list(session.run(text, parameters))


def _check(case: Case, ours: dict[str, float], theirs: dict[str, float]) -> None:
    if ours.keys() != theirs.keys() or any(
        abs(score - theirs[entity]) > _SAME for entity, score in ours.items()
    ):
        raise Disagreement(f"pagerank: GDS gives other scores around {case.start!r}")
