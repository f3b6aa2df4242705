"""The PageRank of every entity: computed here before an import, or by Graph Data Science (GDS)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import duckdb
import numpy as np
import numpy.typing as npt

from kgdb.errors import ConnectionFailed, DatabaseError, DatabaseHalted, UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.gds.projection import projected, whole
from kgdb.progress import Message, Progress, Report, silent

PROPERTY = "pagerank"
"""The property of an entity that stores its PageRank."""

DAMPING = 0.85
ITERATIONS = 20
TOLERANCE = 1e-7
"""The defaults of Graph Data Science: a graph gets the same ranks in both load modes."""

_PART = 1 << 20
"""Triples per partial sum: its values stay in the processor's cache."""

MAX_TRIPLES = 150_000_000
"""More triples (8 bytes each) do not fit into memory beside the rest of a load."""


def write_pagerank(
    database: Database, graph: GraphInfo, token: str, write: Callable[[str], int], report: Report
) -> bool:
    """Project the graph and ``write`` the ranks; returns whether that was possible.

    ``token`` distinguishes this load from other loads of the graph. A server without GDS, or
    without enough memory for the projection, is no error: the graph is loaded without ranks.
    """
    if not database.has_gds:
        report(Message("The server has no Graph Data Science: loading without PageRank."))
        return False
    drop_leftover_projections(database, graph.name)
    with ExitStack() as stack:
        try:
            plan = whole(database, graph)
            name = _prefix(graph.name) + token
            projection = stack.enter_context(projected(database, graph, plan, name))
        except (ConnectionFailed, DatabaseHalted):
            raise
        except (UsageError, DatabaseError) as error:
            report(Message(f"Loading without PageRank: {error.message}"))
            return False
        write(projection.name)
    return True


def drop_leftover_projections(database: Database, graph: str) -> None:
    """Drop the projections that killed loads of the graph left in the server's memory."""
    if database.has_gds:
        database.write("load/projections_left", {"prefix": _prefix(graph), "failIfMissing": False})


def _prefix(graph: str) -> str:
    # Names of graphs have no colon, so prefixes of different graphs differ.
    return f"kgdb-load:{graph}:"


def pagerank(
    tables: duckdb.DuckDBPyConnection, nodes: int, report: Report = silent
) -> npt.NDArray[np.float64]:
    """The rank of each of the ``nodes`` by number, by the sums of ``gds.pageRank``.

    Every node starts with 1 - d and passes on its last gain while that exceeds the tolerance; the
    gain of a node without successors is lost. ``tables`` are those of
    :mod:`kgdb.loading.preparing.tables`.
    """
    # Sorted by tail, each sum runs over adjacent values: twice as fast as adding edge by edge.
    edges = tables.execute(
        "SELECT head::INTEGER AS head, tail::INTEGER AS tail FROM triples ORDER BY tail"
    ).fetchnumpy()
    heads, tails = edges.pop("head"), edges.pop("tail")
    degrees = np.maximum(np.bincount(heads, minlength=nodes), 1)
    parts = [
        (heads[at : at + _PART], *_groups(tails[at : at + _PART]))
        for at in range(0, len(heads), _PART)
    ]
    del tails
    values = np.empty(_PART)
    scores = np.full(nodes, 1 - DAMPING)
    passed = scores / degrees
    gained = np.empty(nodes)
    for number in range(1, ITERATIONS):
        gained[:] = 0.0
        for sources, starts, targets in parts:
            # All indexes are in range; with "clip" numpy skips the check and its buffer.
            part = np.take(passed, sources, out=values[: len(sources)], mode="clip")
            gained[targets] += np.add.reduceat(part, starts)
        gained *= DAMPING
        scores += gained
        passes = gained > TOLERANCE
        if not passes.any():
            break
        passed = np.where(passes, gained, 0.0) / degrees
        report(Progress("ranking entities", number, ITERATIONS, "rounds"))
    report(Progress("ranking entities", ITERATIONS, ITERATIONS, "rounds"))
    return scores


def _groups(tails: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]:
    """The start of each run of equal tails, and the tails of the runs."""
    starts = np.flatnonzero(np.diff(tails, prepend=tails[0] - 1))
    return starts, tails[starts]
