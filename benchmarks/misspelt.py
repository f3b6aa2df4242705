"""Linking a misspelt mention beside the same without the plugin.

Cypher can ask Lucene for words with a letter wrong, but not how like a name is: without the plugin
kgdb asks it for candidates and compares them in Python. Both are measured as their caller sees
them, and must give the same entities.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.cases import Case
from benchmarks.graphs import GraphUnderTest
from benchmarks.side_by_side import Disagreement, Row
from benchmarks.timing import Times, client_ns
from benchmarks.workloads.linking import misspelt
from kgdb.api import connect
from kgdb.connection import Connection
from kgdb.graph import Graph

NAME = "entities.link, a letter missing"

_RIVAL = "without the plugin"
_REPETITIONS = 15


def compare_misspelt(
    connection: Connection, graph: GraphUnderTest, cases: Sequence[Case]
) -> list[Row]:
    """Time both, after each has linked every mention once."""
    with connect(connection.driver, database=connection.name, plugin="never") as plain:
        sides: tuple[Graph, Graph] = (connection.graph(graph.name), plain.graph(graph.name))
        mentions = [misspelt(case) for case in cases]
        for mention in mentions:
            ours, theirs = (side.link([mention], limit=5) for side in sides)
            if ours != theirs:
                raise Disagreement(f"{NAME}: {mention!r} is {theirs} {_RIVAL}, {ours} with it")
        took: list[list[float]] = [[], []]
        for mention in mentions:
            for times, side in zip(took, sides, strict=True):
                times.append(client_ns(partial(side.link, [mention], limit=5), _REPETITIONS))
    kgdb, other = (Times.of(times) for times in took)
    return [Row(graph.name, NAME, _RIVAL, "client", len(cases), kgdb, other, (1.0, 1.0))]
