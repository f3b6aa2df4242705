"""The retrieval procedures of docs/reference/procedures, over networkx and nothing else.

Slow and simple: every walk is gone, edge by edge. Each function takes one set of entity ids and
returns the rows as tuples, in the order of the procedure's columns without ``batch`` and ``cut``,
and the cuts.
"""

from reference.around import neighbors, relations_around
from reference.beam import beam
from reference.chains import follow
from reference.graph import Reference
from reference.pagerank import pagerank
from reference.paths import all_paths, shortest_paths

__all__ = [
    "Reference",
    "all_paths",
    "beam",
    "follow",
    "neighbors",
    "pagerank",
    "relations_around",
    "shortest_paths",
]
