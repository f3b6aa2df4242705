"""The PageRank of every node of a prepared source, before it is in a database."""

from __future__ import annotations

import duckdb
import numpy as np
import numpy.typing as npt

DAMPING = 0.85
ITERATIONS = 20
TOLERANCE = 1e-7
"""The defaults of Graph Data Science, so that a graph has the same ranks whichever way it came."""

MOST_TRIPLES = 150_000_000
"""Above this the triples do not fit beside the rest of a load (8 bytes each)."""


def pagerank(tables: duckdb.DuckDBPyConnection, nodes: int) -> npt.NDArray[np.float64]:
    """The rank of each of the ``nodes`` by number, by the sums of ``gds.pageRank``.

    Every node begins with 1 - d and passes on what it last gained, as long as that is more than the
    tolerance; what a node without successors gains is lost. ``tables`` are those of
    :mod:`kgdb.loading.tables`.
    """
    edges = tables.execute("SELECT head::INTEGER AS head, tail::INTEGER AS tail FROM triples")
    found = edges.fetchnumpy()
    heads, tails = found["head"], found["tail"]
    degrees = np.maximum(np.bincount(heads, minlength=nodes), 1)
    scores = np.full(nodes, 1 - DAMPING)
    passed = scores / degrees
    for _ in range(1, ITERATIONS):
        gained = DAMPING * np.bincount(tails, weights=passed[heads], minlength=nodes)
        scores += gained
        if not (gained > TOLERANCE).any():
            break
        passed = np.where(gained > TOLERANCE, gained, 0.0) / degrees
    return scores
