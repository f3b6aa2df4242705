"""PageRank of a candidate graph: one call, or project, run and drop with Graph Data Science."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Sequence
from typing import Any

import neo4j

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.side_by_side import Disagreement, Row
from benchmarks.timing import Statement, Times, client_ns, rows, server_ns
from kgdb.connection import Connection
from kgdb.graph.connection.statements import quoted

_GRAPH = "kgdb_benchmark"
_TARGET = 25.0
_SAME = 1e-9
_MILLISECOND_NS = 1_000_000
_REPETITIONS = 15
_FORMS = {"": False, ", in memory": True}
"""Whether the copy of the graph is asked, by what it is called in the table."""
# Hundreds of rows would cost the driver more than the ranks cost the server.
_COLUMNS = ("ids", "scores")
_IN_ONE_ROW = "collect(id) AS ids, collect(score) AS scores"
_STREAM = f"""CALL gds.pageRank.stream($graph) YIELD nodeId, score
WITH gds.util.asNode(nodeId).id AS id, score ORDER BY score DESC, id
WITH {_IN_ONE_ROW}"""
_DROP = "CALL gds.graph.drop($graph, false) YIELD graphName"


def pagerank(graph: GraphUnderTest, case: Case, in_memory: bool = False) -> Statement:
    """The procedure's ranks of the candidates."""
    return Statement(
        "CALL kgdb.pagerank($ids, null, {kg: $kg, inMemory: $inMemory}) "
        "YIELD id, score RETURN " + _IN_ONE_ROW,
        _COLUMNS,
        {"ids": list(case.candidates), "kg": graph.name, "inMemory": in_memory},
    )


def forget(session: neo4j.Session) -> None:
    """Drop what a run that was broken off has left in the catalogue."""
    _run(session, _DROP + " RETURN graphName", graph=_GRAPH)


def compare_pagerank(
    connection: Connection, graph: GraphUnderTest, cases: Sequence[Case]
) -> list[Row]:
    """Time both inside the server and as the client sees them; they must give the same scores."""
    sides = [(form, where) for form in _FORMS for where in ("server", "client")]
    ours: dict[tuple[str, str], list[float]] = {side: [] for side in sides}
    theirs: dict[str, list[float]] = {"server": [], "client": []}
    with connection.driver.session(database=connection.name) as session:
        forget(session)
        # The warm-up gives each side a second or two on the larger graph, and hundreds of
        # candidates take both twice as long then as later: the first round is not counted.
        for counted in (False, True):
            for case in cases:
                _check_case(session, graph, case)
                times = [_time_ours(session, graph, case, form) for form in _FORMS]
                inside, outside = _time_gds(session, graph, case)
                if counted:
                    for side, took in zip(sides, itertools.chain(*times), strict=True):
                        ours[side].append(took)
                    theirs["server"].append(inside)
                    theirs["client"].append(outside)
    size = max(len(case.candidates) for case in cases)
    return [
        Row(
            graph.name,
            f"pagerank, up to {size} nodes{form}",
            "GDS: project, stream, drop",
            where,
            len(cases),
            Times.of(ours[form, where]),
            Times.of(theirs[where]),
            (_TARGET, _TARGET),
        )
        for form, where in sides
    ]


def _check_case(session: neo4j.Session, graph: GraphUnderTest, case: Case) -> None:
    expected = _scores(gds(session, graph, case)[0])
    for in_memory in _FORMS.values():
        _check(case, _scores(rows(session, pagerank(graph, case, in_memory))), expected)


def _time_ours(
    session: neo4j.Session, graph: GraphUnderTest, case: Case, form: str
) -> tuple[float, float]:
    """Inside the server and as the client sees it."""
    call = pagerank(graph, case, _FORMS[form])
    return (
        server_ns(session, call, _REPETITIONS),
        client_ns(lambda: rows(session, call), _REPETITIONS),
    )


def _projection(graph: GraphUnderTest) -> str:
    label = quoted(graph.label)
    return (
        f"MATCH (n:{label}) WHERE n.id IN $ids "
        f"OPTIONAL MATCH (n)-->(m:{label}) WHERE m.id IN $ids "
        "RETURN gds.graph.project($graph, n, m) AS projected"
    )


def _time_gds(session: neo4j.Session, graph: GraphUnderTest, case: Case) -> tuple[float, float]:
    """The medians of what the server tells of its three statements and of what the client waits."""
    inside, outside = [], []
    for _ in range(_REPETITIONS):
        began = time.perf_counter_ns()
        inside.append(gds(session, graph, case)[1])
        outside.append(time.perf_counter_ns() - began)
    return statistics.median(inside), statistics.median(outside)


def gds(session: neo4j.Session, graph: GraphUnderTest, case: Case) -> tuple[list[list[Any]], int]:
    """What a client sends, as Graph Data Science is documented: the ranks, and the server's time.

    No clock can be read around the three in one statement without planning them anew, and that
    plan is slower. So this is what the server tells with each answer, whole milliseconds.
    """
    name = {"graph": _GRAPH}
    ids = {"ids": list(case.candidates)}
    _, projected = _run(session, _projection(graph), **name, **ids)
    try:
        found, streamed = _run(session, _STREAM + " RETURN ids, scores", **name)
    finally:
        _, dropped = _run(session, _DROP + " RETURN graphName", **name)
    return found, projected + streamed + dropped


def _run(session: neo4j.Session, text: str, **parameters: Any) -> tuple[list[list[Any]], int]:
    result = session.run(text, parameters)
    found = [list(record.values()) for record in result]
    summary = result.consume()
    return found, _MILLISECOND_NS * (
        (summary.result_available_after or 0) + (summary.result_consumed_after or 0)
    )


def _scores(found: list[list[Any]]) -> dict[str, float]:
    ((ids, scores),) = found
    return dict(zip(ids, scores, strict=True))


def _check(case: Case, ours: dict[str, float], theirs: dict[str, float]) -> None:
    if ours.keys() != theirs.keys() or any(
        abs(score - theirs[entity]) > _SAME for entity, score in ours.items()
    ):
        raise Disagreement(f"pagerank: GDS gives other scores around {case.start!r}")
