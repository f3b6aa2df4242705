"""Relation chains from an entity of the question that read like the question.

Where a question names one entity alone, no path can join it to another, and RoK (§4.1) has a random
walk, or many calls of the language model, to choose the way. Here the encoder chooses it, and
nothing is random: chains grow hop by hop over the relations that the database tells of, those stay
whose hops fit nested parts of the question best (:mod:`kgdb.methods.decoupling`), and the whole
chain, put into words, is compared with the whole question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np

from kgdb.language import ask, verbalize
from kgdb.methods.decoupling import PLACEHOLDER, Decoupling, Floats
from kgdb.methods.keys import Key
from kgdb.methods.work import Work
from kgdb.model import Step, chain_text

_GROWN = 60
"""Chains that are made longer after each hop, and that are compared with the whole question."""

_FEW = 100
"""Steps that are all asked about at once, whether an entity has them or not."""

_PARTS_WEIGHT, _HOP_COST = 0.5, 0.03
"""A chain's score is the mean of two similarities to the question, by its parts and as a whole;
each hop takes something off, for a longer chain has more words to be similar with."""

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """A chain from the entities of a key that reads like the question, and how much it does."""

    key: Key
    chain: tuple[Step, ...]
    score: float

    def shown(self) -> dict[str, object]:
        """The reading as the trace keeps it."""
        return {
            "from": self.key.mention,
            "chain": chain_text(self.chain),
            "score": round(self.score, 4),
        }


Menus = Mapping[tuple[Step, ...], Set[Step]]
"""The steps that go on from the ends of a chain of no or one hop, as far as they are known."""


async def menus_around(work: Work, keys: Sequence[Key], *, calls: int) -> list[Menus]:
    """For each key, what goes on from it and from what is one hop away from it.

    ``calls`` is how many round trips this may take. One is enough in a graph of few relations. In
    one of many relations it tells only what goes on from the keys themselves, and two tell all.
    Without any, whatever the graph has may go on anywhere if its relations are few, and nothing if
    they are many.
    """
    every = [Step(name, reverse) for name in work.graph.relations for reverse in (False, True)]
    few = len(every) <= _FEW
    if calls == 0:
        anything = frozenset(every if few else ())
        return [dict.fromkeys([(), *_one(anything)], anything) for _ in keys]
    asked = [(key, chain) for key in keys for chain in [(), *_one(every if few else ())]]
    menus = await _ask(work, asked)
    if not few and calls > 1:
        asked = []
        for key in keys:
            likely = await _likely(work, sorted(menus[key, ()]), _FEW // len(keys))
            asked += [(key, chain) for chain in _one(likely)]
        menus |= await _ask(work, asked)
    return [
        {chain: menu for (of, chain), menu in menus.items() if of == key and menu} for key in keys
    ]


async def read_chains(work: Work, key: Key, menus: Menus, *, max_hops: int) -> list[Reading]:
    """Chains of at most ``max_hops`` hops from the key that may be the question, best first.

    Not all of them need lead anywhere.
    """
    subject = _Subject.of(work, key)
    grown: list[_Grown] = []
    beam: list[_Grown | None] = [None]
    for _ in range(max_hops):
        extensions = [
            (before, step)
            for before in beam
            for step in sorted(_next_steps(menus, before.chain if before else ()))
        ]
        fitting = await _fitting(work, subject, extensions)
        beam = list(fitting)
        grown += fitting
    readings = await _whole(work, subject, grown)
    return sorted(readings, key=lambda reading: (-reading.score, reading.chain))


@dataclass(frozen=True, slots=True)
class _Subject:
    """A key, and the question cut around its mention and with a placeholder for it."""

    key: Key
    decoupling: Decoupling
    masked: str

    @classmethod
    def of(cls, work: Work, key: Key) -> _Subject:
        """Without the brackets of the mention; a noun in apposition (*the film Heat*) goes with it.

        A key that the question does not mention stands before it.
        """
        start, end = key.place or (0, 0)
        before = _APPOSITION.sub("", work.question[:start].removesuffix("["))
        after = work.question[end:].removeprefix("]")
        mention = work.question[start:end]
        plain = before + mention + after
        place = len(before), len(before) + len(mention)
        decoupling = Decoupling(plain, *place, work.tools.encoder)
        return cls(key, decoupling, before + PLACEHOLDER * bool(mention) + after)


@dataclass(frozen=True, slots=True)
class _Grown:
    """A chain, and how well its hops fit each cut of the question."""

    chain: tuple[Step, ...]
    fit: Floats

    @property
    def promise(self) -> float:
        """What the chain explains of the question so far: more hops may follow."""
        return float(self.fit.max()) / len(self.chain)


async def _ask(
    work: Work, asked: Sequence[tuple[Key, tuple[Step, ...]]]
) -> dict[tuple[Key, tuple[Step, ...]], Set[Step]]:
    found = await work.menus_each([(key.ids, chain) for key, chain in asked])
    return {of: {row.step for row in menu} for of, menu in zip(asked, found, strict=True)}


def _one(steps: Iterable[Step]) -> list[tuple[Step, ...]]:
    return [(step,) for step in steps]


async def _likely(work: Work, steps: Sequence[Step], most: int) -> list[Step]:
    """Those steps whose texts are most like the question."""
    texts = work.graph.relations
    vectors = await work.encode(
        [work.question, *(verbalize((step,), PLACEHOLDER, texts) for step in steps)]
    )
    order = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")
    return [steps[place] for place in order[:most]]


def _next_steps(menus: Menus, chain: tuple[Step, ...]) -> Set[Step]:
    """What may go on from the ends of a chain.

    Beyond two hops the database was not asked. Ends of a step are taken for like those that its
    inverse goes on from: who directed films is one whom films were directed by.
    """
    if len(chain) <= 1:
        return menus.get(chain, frozenset())
    last = chain[-1]
    if (last,) in menus:
        return menus[last,]
    inverse = Step(last.relation, not last.reverse)
    alike = [menu for menu in menus.values() if inverse in menu]
    return frozenset().union(*alike)


async def _fitting(
    work: Work, subject: _Subject, extensions: Sequence[tuple[_Grown | None, Step]]
) -> list[_Grown]:
    """The extensions that explain most of the question, best first."""
    steps = sorted({step for _, step in extensions})
    if not steps:
        return []
    texts = work.graph.relations
    # A hop is worded in two ways, as a noun phrase and as a question.
    wordings = [say((step,), PLACEHOLDER, texts) for step in steps for say in (verbalize, ask)]
    vectors = (await work.encode(wordings)).reshape(len(steps), 2, -1)
    hops = dict(zip(steps, subject.decoupling.similarity(list(vectors)), strict=True))
    grown = [
        _Grown(
            (*before.chain, step) if before else (step,),
            subject.decoupling.extend(before.fit if before else None, hops[step]),
        )
        for before, step in extensions
    ]
    # One with more hops than the question has parts fits nowhere and explains nothing.
    fitting = [chain for chain in grown if math.isfinite(chain.promise)]
    return sorted(fitting, key=lambda chain: (-chain.promise, chain.chain))[:_GROWN]


async def _whole(work: Work, subject: _Subject, grown: Sequence[_Grown]) -> list[Reading]:
    """The chains that can be the whole question, with their scores."""
    # The last cut is the whole question.
    parts = [float(chain.fit[-1]) / len(chain.chain) for chain in grown]
    whole = [i for i, similarity in enumerate(parts) if math.isfinite(similarity)]
    if not whole:
        return []
    texts = work.graph.relations
    phrases = [say(grown[i].chain, PLACEHOLDER, texts) for say in (verbalize, ask) for i in whole]
    vectors = await work.encode([subject.masked, *phrases])
    cosines = (vectors[1:] @ vectors[0]).reshape(2, -1).mean(axis=0)
    readings = []
    for i, cosine in zip(whole, cosines, strict=True):
        similarity = _PARTS_WEIGHT * parts[i] + (1 - _PARTS_WEIGHT) * float(cosine)
        chain = grown[i].chain
        readings.append(Reading(subject.key, chain, similarity - _HOP_COST * len(chain)))
    return readings
