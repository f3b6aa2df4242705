"""Candidate relations: what a chain may go on with. Two sources: the database, or a guess."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Protocol

from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.values import Step

ChainEnd = tuple[KeyEntity, tuple[Step, ...]]
"""A key entity and the steps from it: what stands at the end of these."""

_FEW = 100
"""Steps that are all asked about at once, whether an entity has them or not."""

_ASKED = 30
"""Chains of a key entity whose ends the database is asked about before they grow on."""


class CandidateSource(Protocol):
    """Where the candidate relations come from."""

    async def after(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> list[Set[Step]]:
        """The candidate relations after each chain; best chains first."""

    def is_dead_end(self, end: ChainEnd) -> bool:
        """Whether the database knows of nothing that goes on from there."""


class DatabaseCandidates:
    """Asks the database after every hop: one round trip each."""

    def __init__(self) -> None:
        self._known: dict[ChainEnd, Set[Step]] = {}

    async def after(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> list[Set[Step]]:
        """The relations that exist around the ends of each chain."""
        await self._ask(ctx, ends)
        return [self._known[end] for end in ends]

    async def _ask(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> None:
        new = [end for end in dict.fromkeys(ends) if end not in self._known]
        found = await ctx.graph.candidate_relations_each([(key.ids, steps) for key, steps in new])
        for end, relations in zip(new, found, strict=True):
            self._known[end] = {row.step for row in relations}

    def is_dead_end(self, end: ChainEnd) -> bool:
        """Whether the database was asked, and there is nothing."""
        return end in self._known and not self._known[end]


class GuessedCandidates(DatabaseCandidates):
    """Asks the database within a budget, and guesses beyond it.

    Not all of the chains need lead anywhere then: following them shows it. ``round_trips`` is how
    often the database may be asked; each call of :meth:`after` asks once, while there are any left.
    """

    def __init__(self, ctx: QuestionContext, round_trips: int) -> None:
        super().__init__()
        self._left = round_trips
        self._all = frozenset(
            Step(name, reverse) for name in ctx.graph.relations for reverse in (False, True)
        )
        self._few = len(self._all) <= _FEW

    async def after(self, ctx: QuestionContext, ends: Sequence[ChainEnd]) -> list[Set[Step]]:
        """What is known to go on from each chain, or is guessed to."""
        asked = self._worth_asking(ends)
        if self._left > 0 and any(end not in self._known for end in asked):
            await self._ask(ctx, asked)
            self._left -= 1
        return [self.guess(end) for end in ends]

    def _worth_asking(self, ends: Sequence[ChainEnd]) -> list[ChainEnd]:
        """The best of each key entity; with few relations also all that lie one hop further."""
        of_key: dict[KeyEntity, list[ChainEnd]] = defaultdict(list)
        for end in ends:
            of_key[end[0]].append(end)
        asked = [end for each in of_key.values() for end in each[:_ASKED]]
        if self._few:
            asked += [(key, (step,)) for key, steps in ends if not steps for step in self._all]
        return asked

    def guess(self, end: ChainEnd) -> Set[Step]:
        """What goes on from a chain, whether the database was asked or not.

        Where it was not, any of few relations. Of many, those that are known after similar chains:
        the ends of a step resemble the entities that its inverse goes on from.
        """
        if end in self._known:
            return self._known[end]
        if self._few:
            return self._all
        _, steps = end
        if not steps:
            return frozenset()
        inverse = steps[-1].back
        return frozenset().union(*(known for known in self._known.values() if inverse in known))
