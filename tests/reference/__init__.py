"""The retrieval procedures of docs/reference/procedures, over networkx and nothing else.

Slow and simple: every walk is gone, edge by edge. Each function takes one set of entity ids, and
the arguments and options as Python has them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kgdb.graph.retrieval import batch
from kgdb.graph.retrieval.plugin import Search
from reference import around, beam, chains, pagerank, paths
from reference.graph import Rows


@dataclass(frozen=True)
class Case:
    """A search, what it has to find, and arguments for it that follow one relation."""

    search: Search[Any]
    find: Callable[..., Rows]
    arguments: Callable[[str], tuple[Any, ...]] = lambda _: ()


CASES = {
    "neighbors": Case(batch.NEIGHBORS, around.neighbors),
    "relations_around": Case(batch.AROUND, around.relations_around),
    "follow": Case(batch.FOLLOW, chains.follow, lambda relation: ([relation],)),
    "all_paths": Case(batch.ALL_PATHS, paths.all_paths),
    "shortest_paths": Case(batch.SHORTEST_PATHS, paths.shortest_paths),
    "beam": Case(batch.BEAM, beam.beam, lambda relation: ([{relation: 1.0}],)),
    "pagerank": Case(batch.PAGERANK, pagerank.pagerank),
}
"""Every search from a set of entities, by its method: tests run over all of them."""
