"""PageRank of a prepared source, computed in this process before an import."""

from __future__ import annotations

import duckdb
import numpy as np
import numpy.typing as npt

from kgdb.progress import Progress, Report, silent

DAMPING = 0.85
ITERATIONS = 20
TOLERANCE = 1e-7
"""The defaults of Graph Data Science: a graph gets the same ranks in both load modes."""

_PART = 1 << 20
"""Triples per partial sum: its values stay in the processor's cache."""

MAX_TRIPLES = 150_000_000
"""More triples (8 bytes each) do not fit into memory beside the rest of a load."""


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
