"""Weak supervision: the chains from a topic entity whose ends are exactly the gold answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from kgdb.graph import Graph
from kgdb.training.corpus.neighborhood import Frontier, Neighborhood
from kgdb.values import Entity, Step

Chain = tuple[Step, ...]

MAX_CHAINS = 200
"""Chains that may give the answers of one question before they are checked."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched: chains from ``starts`` whose ends have exactly the names ``wanted``.

    ``called`` is the gold answer that an entity is, or its name.
    """

    starts: tuple[str, ...]
    wanted: frozenset[str]
    called: Callable[[Entity], str]


@dataclass(slots=True)
class Chains:
    """The chains around a topic: those that give the answers, and all that exist.

    ``too_many``: so many gave the answers that none was checked.
    """

    right: list[Chain] = field(default_factory=list)
    around: list[Chain] = field(default_factory=list)
    too_many: bool = False


def find_chains(
    graph: Graph, neighborhood: Neighborhood, searches: Sequence[Search], max_hops: int
) -> list[Chains]:
    """The chains of each search, shortest first; a batch of round trips for all of them."""
    neighborhood.forget_if_full()
    results = [Chains() for _ in searches]
    growing: list[list[tuple[Chain, Frontier]]] = [
        [((), Frontier.of(search.starts))] for search in searches
    ]
    for hop in range(1, max_hops + 1):
        neighborhood.read(
            id_ for grown in growing for _, frontier in grown for id_ in frontier.origins
        )
        for search, result, grown in zip(searches, results, growing, strict=True):
            grown[:] = list(_grow(neighborhood, search, result, grown, last=hop == max_hops))
    _check(graph, searches, results)
    return results


def _grow(
    neighborhood: Neighborhood,
    search: Search,
    result: Chains,
    grown: Sequence[tuple[Chain, Frontier]],
    *,
    last: bool,
) -> Iterator[tuple[Chain, Frontier]]:
    """The chains with one hop more; those that may give the answers are noted."""
    for chain, frontier in grown:
        before = chain[-1] if chain else None
        for step in neighborhood.steps_from(frontier):
            ends = neighborhood.extended(frontier, before, step)
            if not ends.origins:
                continue
            longer = (*chain, step)
            result.around.append(longer)
            if _may_be(neighborhood, search, ends):
                result.right.append(longer)
            if not last:
                yield longer, ends.narrowed()


def _may_be(neighborhood: Neighborhood, search: Search, ends: Frontier) -> bool:
    """Whether nothing known of the ends says that they are not the answers."""
    names = set()
    for id_ in ends.origins:
        name = search.called(neighborhood.entity(id_))
        if name not in search.wanted:
            return False
        names.add(name)
    return not ends.is_complete or len(names) == len(search.wanted)


def _check(graph: Graph, searches: Sequence[Search], results: Sequence[Chains]) -> None:
    """Keep the chains whose ends, followed in the database, are the answers."""
    checked = []
    for search, result in zip(searches, results, strict=True):
        if len(result.right) > MAX_CHAINS:
            result.right, result.too_many = [], True
        checked += [(search, result, chain) for chain in result.right]
        result.right = []
    if not checked:
        return
    followed = graph.batch.follow(
        [search.starts for search, _, _ in checked],
        [chain for _, _, chain in checked],
        # Several entities may have the name of one answer.
        limits=[4 * len(search.wanted) + 16 for search, _, _ in checked],
        paths=0,
    )
    for (search, result, chain), rows in zip(checked, followed, strict=True):
        if not rows.cut and {search.called(row.entity) for row in rows} == search.wanted:
            result.right.append(chain)
