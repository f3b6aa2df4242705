"""Weak supervision: the chains from a topic entity whose ends are the gold answers.

Around an entity of a graph with hundreds of relations lie more chains than can be followed. Three
things keep the search small: a chain is looked at by a few of its ends, its last step must be one
that arrives at the answers, and what a hop may read is limited. What is read can refuse a chain;
one that is not refused is followed in the database. So a chain that is found is right, and one that
is right may be missed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from kgdb.graph import Graph
from kgdb.lab.training.corpus.neighborhood import Frontier, Neighborhood
from kgdb.values import Entity, Step

Chain = tuple[Step, ...]

MAX_CHAINS = 200
"""Chains that may give the answers of one question before they are checked."""

MAX_NODES = 2000
"""Ends of the chains of one search that are looked at after each hop."""

_WIDTH = 16
"""Ends of one chain that are looked at."""

_EXTENDED = 40
"""Chains whose every last step is told as existing around the topic."""


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched: chains from ``starts`` whose ends have the names ``wanted``.

    ``called`` is the gold answer that an entity is, or its name. ``answers`` are the ids that some
    of the answers have, as far as they are known. Where nothing is wanted, the search tells which
    chains there are. The ends of a chain reach at least ``min_f1`` (1: they have exactly these
    names); only the chains with the highest F1 count.
    """

    starts: tuple[str, ...]
    wanted: frozenset[str] = frozenset()
    called: Callable[[Entity], str] = lambda entity: entity.name
    answers: tuple[tuple[str, ...], ...] = ()
    min_f1: float = 1.0

    def f1(self, names: Set[str]) -> float:
        """How well names agree with those that are wanted."""
        return 2 * len(names & self.wanted) / max(1, len(names) + len(self.wanted))


@dataclass(slots=True)
class Chains:
    """The chains around a topic: those that give the answers, and those that exist.

    ``f1`` is how well the right ones give them. ``too_many``: so many gave the answers that none
    was checked.
    """

    right: list[Chain] = field(default_factory=list)
    f1: float = 0.0
    around: list[Chain] = field(default_factory=list)
    too_many: bool = False


def find_chains(
    graph: Graph,
    neighborhood: Neighborhood,
    searches: Sequence[Search],
    max_hops: int,
    *,
    max_nodes: int = MAX_NODES,
) -> list[Chains]:
    """The chains of each search, shortest first; a batch of round trips for all of them."""
    neighborhood.forget_if_full()
    neighborhood.read(id_ for search in searches for ids in search.answers for id_ in ids)
    explorers = [_Explorer(neighborhood, search, max_nodes) for search in searches]
    for hop in range(1, max_hops + 1):
        neighborhood.read(
            id_
            for explorer in explorers
            for _, frontier in explorer.grown
            for id_ in frontier.origins
        )
        for explorer in explorers:
            if hop < max_hops:
                explorer.grow()
            else:
                explorer.end()
    results = [explorer.found for explorer in explorers]
    _check(graph, searches, results)
    return results


class _Explorer:
    """The chains of one search, hop by hop; ``grown`` are those of the last hop with their ends."""

    def __init__(self, neighborhood: Neighborhood, search: Search, max_nodes: int) -> None:
        self.found = Chains()
        self.grown: list[tuple[Chain, Frontier]] = [((), Frontier.of(search.starts))]
        self._around = neighborhood
        self._search = search
        self._last_steps = _last_steps(neighborhood, search)
        self._max_nodes = max_nodes
        self._draw = random.Random("\n".join(search.starts))

    def grow(self) -> None:
        """Extend every chain by every step that its ends have."""
        self.grown = self._thinned(list(self._extended()))

    def _extended(self) -> Iterator[tuple[Chain, Frontier]]:
        for chain, frontier in self.grown:
            for step in self._around.steps_from(frontier):
                ends = self._around.extended(frontier, chain[-1] if chain else None, step)
                if ends.origins:
                    longer = (*chain, step)
                    self.found.around.append(longer)
                    self._note(longer, ends)
                    yield longer, ends

    def end(self) -> None:
        """Extend them by the steps that may lead to the answers; of some chains, tell all steps."""
        told = range(len(self.grown))
        if len(told) > _EXTENDED:
            told = self._draw.sample(told, _EXTENDED)  # type: ignore[assignment]
        is_told = set(told)
        for place, (chain, frontier) in enumerate(self.grown):
            steps = self._around.steps_from(frontier)
            before, may_be_right = chain[-1] if chain else None, False
            for step in steps:
                if self._may_be_last(step):
                    ends = self._around.extended(frontier, before, step)
                    may_be_right |= self._note((*chain, step), ends)
            if may_be_right or place in is_told:
                self.found.around += [(*chain, step) for step in steps]

    def _may_be_last(self, step: Step) -> bool:
        return self._last_steps is None or step in self._last_steps

    def _note(self, chain: Chain, ends: Frontier) -> bool:
        """Note a chain of which nothing known says that its ends are not the answers."""
        if not self._may_be_last(chain[-1]) or not ends.origins:
            return False
        called, entity = self._search.called, self._around.entity
        names = (called(entity(id_)) for id_ in ends.origins)
        if not self._may_be_right(names, is_complete=ends.is_complete):
            return False
        self.found.right.append(chain)
        return True

    def _may_be_right(self, names: Iterator[str], *, is_complete: bool) -> bool:
        """Whether a chain may be right that has ends of these names; complete: no others."""
        wanted = self._search.wanted
        if self._search.min_f1 < 1:
            known = set(names)
            least = self._search.min_f1 if is_complete else 0
            return bool(known & wanted or not is_complete) and self._search.f1(known) >= least
        seen = set()
        for name in names:
            if name not in wanted:
                return False
            seen.add(name)
        return not is_complete or len(seen) == len(wanted)

    def _thinned(self, grown: list[tuple[Chain, Frontier]]) -> list[tuple[Chain, Frontier]]:
        """As many of the chains, and of the ends of each, as may be looked at."""
        if len(grown) > self._max_nodes:
            kept = sorted(self._draw.sample(range(len(grown)), self._max_nodes))
            grown = [grown[place] for place in kept]
        width = max(1, min(_WIDTH, self._max_nodes // max(1, len(grown))))
        return [(chain, frontier.narrowed(width)) for chain, frontier in grown]


def _last_steps(neighborhood: Neighborhood, search: Search) -> Set[Step] | None:
    """The steps that may lead to the answers that are known; ``None`` where none is known."""
    if not search.wanted:
        return frozenset()
    arriving = [
        {step.back for step in neighborhood.steps_from(Frontier.of(ids))}
        for ids in search.answers
        if ids
    ]
    if not arriving:
        return None
    # A chain that gives only some of the answers arrives at one of them at least.
    return set.intersection(*arriving) if search.min_f1 >= 1 else set.union(*arriving)


def _check(graph: Graph, searches: Sequence[Search], results: Sequence[Chains]) -> None:
    """Keep the chains whose ends, followed in the database, are most nearly the answers."""
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
        f1 = 0.0 if rows.cut else search.f1({search.called(row.entity) for row in rows})
        if f1 >= max(search.min_f1, result.f1):
            if f1 > result.f1:
                result.right, result.f1 = [], f1
            result.right.append(chain)
