"""Candidate relations: the relations that may extend a chain, from the database or by a guess."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from typing import Protocol

from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.values import Step

ChainEnd = tuple[KeyEntity, tuple[Step, ...]]
"""The end of a chain: a key entity and the steps from it."""

_MAX_SMALL = 100
"""A graph with at most so many steps is small: one query may ask for all of them."""

_MAX_QUERIED = 30
"""Chains of a key entity whose candidate relations one query asks for."""

_ALIKE_SHARE = 0.05
"""The share of entities with a relation in one direction that must have it in the other, too. A
few may be two things of one name: a film and the word that describes it."""


class CandidateSource(Protocol):
    """A source of candidate relations."""

    async def after(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> list[Set[Step]]:
        """The candidate relations after each chain; best chains first."""

    def is_dead_end(self, end: ChainEnd) -> bool:
        """Whether the database is known to have no relation that extends the chain."""

    @property
    def one_kind(self) -> Set[str]:
        """The relations that are seen to join things of one kind."""


class DatabaseCandidates:
    """Asks the database after every hop: one round trip each."""

    def __init__(self) -> None:
        self._relations_by_end: dict[ChainEnd, Set[Step]] = {}
        self._entities: Counter[str] = Counter()
        self._between: Counter[str] = Counter()

    @property
    def one_kind(self) -> Set[str]:
        """The relations that enough of the entities at the ends have in both directions."""
        return {
            relation
            for relation, both in self._between.items()
            if both and both >= _ALIKE_SHARE * self._entities[relation]
        }

    async def after(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> list[Set[Step]]:
        """The relations that exist around the ends of each chain."""
        await self._ask(ctx, ends)
        return [self._relations_by_end[end] for end in ends]

    async def _ask(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> None:
        new = [end for end in dict.fromkeys(ends) if end not in self._relations_by_end]
        rows = await ctx.graph.candidate_relations_each([(key.ids, steps) for key, steps in new])
        for end, relations in zip(new, rows, strict=True):
            self._relations_by_end[end] = {row.step for row in relations}
            nodes = {row.step: row.nodes for row in relations}
            for step, count in nodes.items():
                back = nodes.get(step.back, 0)
                if not step.reverse or not back:
                    self._entities[step.relation] += max(count, back)
                    self._between[step.relation] += min(count, back)

    def is_dead_end(self, end: ChainEnd) -> bool:
        """Whether a query returned no relation."""
        return end in self._relations_by_end and not self._relations_by_end[end]


class GuessedCandidates(DatabaseCandidates):
    """Asks the database within a budget, and guesses beyond it.

    A guessed chain may lead nowhere; following it shows that. ``round_trips`` is the budget: each
    call of :meth:`after` spends at most one.
    """

    def __init__(self, ctx: QuestionContext, round_trips: int) -> None:
        super().__init__()
        self._round_trips = round_trips
        self._all = frozenset(
            Step(name, reverse) for name in ctx.graph.relations for reverse in (False, True)
        )
        self._is_small = len(self._all) <= _MAX_SMALL

    async def after(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> list[Set[Step]]:
        """The relations that extend each chain, from the database or by a guess."""
        queried = self._ends_to_query(ends)
        if self._round_trips > 0 and any(end not in self._relations_by_end for end in queried):
            await self._ask(ctx, queried)
            self._round_trips -= 1
        return [self.guess(end) for end in ends]

    def _ends_to_query(self, ends: Sequence[ChainEnd]) -> list[ChainEnd]:
        """The best ends of each key entity; in a small graph also every end after the first hop."""
        by_key: dict[KeyEntity, list[ChainEnd]] = defaultdict(list)
        for end in ends:
            by_key[end[0]].append(end)
        queried = [end for each in by_key.values() for end in each[:_MAX_QUERIED]]
        if self._is_small:
            queried += [(key, (step,)) for key, steps in ends if not steps for step in self._all]
        return queried

    def guess(self, end: ChainEnd) -> Set[Step]:
        """The relations that extend a chain: from the database if it was queried, else a guess.

        In a small graph the guess is every relation. Else it is the relations known after similar
        chains: the ends of a step resemble the entities from which its inverse leads on.
        """
        if end in self._relations_by_end:
            return self._relations_by_end[end]
        if self._is_small:
            return self._all
        _, steps = end
        if not steps:
            return frozenset()
        inverse = steps[-1].back
        return frozenset().union(
            *(steps for steps in self._relations_by_end.values() if inverse in steps)
        )
