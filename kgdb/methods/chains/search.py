"""Relation chains from an entity of the question that read like the question.

Where a question names one entity alone, no path can join it to another, and RoK (§4.1) has a random
walk, or many calls of the language model, to choose the way. Here the encoder chooses it, and
nothing is random: chains grow hop by hop over the relations that the database tells of, those stay
whose hops fit nested parts of the question best (:mod:`kgdb.methods.chains.decoupling`), and the whole
chain, put into words, is compared with the whole question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from kgdb.language import verbalize, verbalize_question
from kgdb.methods.chains.decoupling import PLACEHOLDER, Floats, Hop, SpanSegmentation, extend
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context.question import QuestionContext
from kgdb.values import Path, Step, chain_text

_GROWN = 60
"""Chains that are made longer after each hop, and that are compared with the whole question."""

_FEW = 100
"""Steps that are all asked about at once, whether an entity has them or not."""

_ASKED = 30
"""Chains whose ends the database is asked about before they grow on."""

_PARTS_WEIGHT, _HOP_COST = 0.5, 0.03
"""A chain's score is the mean of two similarities to the question, by its parts and as a whole;
each hop takes something off, for a longer chain has more words to be similar with."""

_OTHER_KIND = 0.3
"""Taken off where the question asks *who*, *when* or *where* and the chain for something else."""

_KINDS = {
    "who": "who",
    "whom": "who",
    "whose": "who",
    "谁": "who",
    "when": "when",
    "何时": "when",
    "什么时候": "when",
    "where": "where",
    "哪里": "where",
    "何处": "where",
}
_ASKING = re.compile(
    r"\b(?:who|whom|whose|when|where|what|which|how)\b|谁|什么时候|何时|哪里|何处|什么|哪",
    re.IGNORECASE,
)

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CandidateChain:
    """A chain from the entities of a key that reads like the question, and how much it does."""

    key: KeyEntity
    chain: tuple[Step, ...]
    score: float

    def to_trace(self) -> dict[str, object]:
        """The reading as the trace keeps it."""
        return {
            "from": self.key.mention,
            "chain": chain_text(self.chain),
            "score": round(self.score, 4),
        }


async def read_chains(
    ctx: QuestionContext, keys: Sequence[KeyEntity], *, max_hops: int, calls: int
) -> tuple[list[CandidateChain], _Known]:
    """Chains of at most ``max_hops`` hops from the keys that may be the question, best first.

    Also what the database told of the relations there. It is asked at most ``calls`` times; what it
    was not asked is guessed, so that not all of the chains need lead anywhere.
    """
    known = _Known.of(ctx)
    growths = [_Growth(_Subject.of(ctx.question, key)) for key in keys]
    for hop in range(1, max_hops + 1):
        ends = [(each.key, chain) for each in growths for chain in each.ends(_ASKED)]
        if hop == 1 and known.few:
            ends += [(key, (step,)) for key in keys for step in known.every]
        calls -= await known.verbalize_question(ctx, ends, calls)
        for each in growths:
            await each.grow(ctx, known)
    candidates = [candidate for each in growths for candidate in await _whole(ctx, each)]
    candidates.sort(
        key=lambda candidate: (-candidate.score, candidate.key.mention, candidate.chain)
    )
    return candidates, known


async def likeness(
    ctx: QuestionContext, key: KeyEntity, paths: Sequence[Path]
) -> list[float | None]:
    """How much each path reads like the question: the score of its chain, by whatever it was found.

    ``None`` where it does not begin at the key, or has more hops than the question has parts.
    """
    chains = [path.steps if path.entities[0] in key.entities else () for path in paths]
    growth = _Growth(_Subject.of(ctx.question, key))
    await growth.grow_along(ctx, sorted({chain for chain in chains if chain}))
    scores = {candidate.chain: candidate.score for candidate in await _whole(ctx, growth)}
    return [scores.get(chain) for chain in chains]


@dataclass(slots=True)
class _Known:
    """What goes on from the ends of chains, as far as the database was asked."""

    every: Sequence[Step]
    candidate_relations: dict[tuple[KeyEntity, tuple[Step, ...]], Set[Step]] = field(
        default_factory=dict
    )

    @classmethod
    def of(cls, ctx: QuestionContext) -> _Known:
        return cls([Step(name, way) for name in ctx.graph.relations for way in (False, True)])

    @property
    def few(self) -> bool:
        """Whether all relations can be asked about, or guessed, at once."""
        return len(self.every) <= _FEW

    async def verbalize_question(
        self, ctx: QuestionContext, ends: Sequence[tuple[KeyEntity, tuple[Step, ...]]], calls: int
    ) -> bool:
        """Ask about those of the chains that are not known, if there are calls left."""
        asked = [end for end in dict.fromkeys(ends) if end not in self.candidate_relations]
        if not asked or calls <= 0:
            return False
        found = await ctx.candidate_relations_each([(key.ids, chain) for key, chain in asked])
        for end, menu in zip(asked, found, strict=True):
            self.candidate_relations[end] = {row.step for row in menu}
        return True

    def after(self, key: KeyEntity, chain: tuple[Step, ...]) -> Set[Step]:
        """What goes on from the ends of a chain.

        Where this is not known, any of few relations. Of many, those that are known of the like:
        the ends of a step are like what its inverse goes on from.
        """
        if (key, chain) in self.candidate_relations:
            return self.candidate_relations[key, chain]
        if self.few:
            return frozenset(self.every)
        if not chain:
            return frozenset()
        inverse = chain[-1].back
        return frozenset().union(
            *(menu for menu in self.candidate_relations.values() if inverse in menu)
        )


@dataclass(frozen=True, slots=True)
class _Subject:
    """A key, and the question cut around its mention and with a placeholder for it."""

    key: KeyEntity
    decoupling: SpanSegmentation
    masked: str

    @classmethod
    def of(cls, question: str, key: KeyEntity) -> _Subject:
        """Without the brackets of the mention; a noun in apposition (*the film Heat*) goes with it.

        A key that the question does not mention stands before it.
        """
        start, end = key.place or (0, 0)
        before = _APPOSITION.sub("", question[:start].removesuffix("["))
        after = question[end:].removeprefix("]")
        mention = question[start:end]
        plain = before + mention + after
        place = len(before), len(before) + len(mention)
        return cls(
            key, SpanSegmentation(plain, *place), before + PLACEHOLDER * bool(mention) + after
        )


@dataclass(frozen=True, slots=True)
class _Grown:
    """A chain, and how well its hops fit each cut of the question."""

    chain: tuple[Step, ...]
    fit: Floats

    @property
    def partial_score(self) -> float:
        """What the chain explains of the question so far: more hops may follow."""
        return float(self.fit.max()) / len(self.chain)


@dataclass(slots=True)
class _Growth:
    """The chains from one key: ``beam`` are those that grow on, best first, ``grown`` all."""

    subject: _Subject
    beam: list[_Grown | None] = field(default_factory=lambda: [None])
    grown: list[_Grown] = field(default_factory=list)

    @property
    def key(self) -> KeyEntity:
        return self.subject.key

    def ends(self, most: int) -> list[tuple[Step, ...]]:
        """The best of the chains that grow on."""
        return [before.chain if before else () for before in self.beam[:most]]

    async def grow(self, ctx: QuestionContext, known: _Known) -> None:
        """Make them one hop longer; those stay that explain most of the question."""
        extensions = [
            (before, step)
            for before in self.beam
            for step in sorted(known.after(self.key, before.chain if before else ()))
        ]
        steps = sorted({step for _, step in extensions})
        fits = await self._fits(ctx, steps)
        grown = [
            _Grown(
                (*before.chain, step) if before else (step,),
                extend(before.fit if before else None, fits[step]),
            )
            for before, step in extensions
        ]
        # One with more hops than the question has parts fits nowhere and explains nothing.
        fitting = [chain for chain in grown if math.isfinite(chain.partial_score)]
        fitting.sort(key=lambda chain: (-chain.partial_score, chain.chain))
        self.beam = list(fitting[:_GROWN])
        self.grown += fitting[:_GROWN]

    async def grow_along(self, ctx: QuestionContext, chains: Sequence[tuple[Step, ...]]) -> None:
        """Make these chains and no others."""
        fits = await self._fits(ctx, sorted({step for chain in chains for step in chain}))
        for chain in chains:
            fit = extend(None, fits[chain[0]])
            for step in chain[1:]:
                fit = extend(fit, fits[step])
            self.grown.append(_Grown(chain, fit))

    async def _fits(self, ctx: QuestionContext, steps: Sequence[Step]) -> dict[Step, Hop]:
        if not steps:
            return {}
        texts = ctx.graph.relations
        # A hop is worded in two ways, as a noun phrase and as a question.
        wordings = [
            say((step,), PLACEHOLDER, texts)
            for step in steps
            for say in (verbalize, verbalize_question)
        ]
        cuts = self.subject.decoupling
        vectors = await ctx.encode([*wordings, *cuts.texts])
        phrasings = vectors[: len(wordings)].reshape(len(steps), 2, -1)
        similarities = cuts.similarity(vectors[len(wordings) :], list(phrasings))
        return dict(zip(steps, similarities, strict=True))


async def _whole(ctx: QuestionContext, growth: _Growth) -> list[CandidateChain]:
    """The chains that can be the whole question, with their scores."""
    # The last cut is the whole question.
    parts = [(g.chain, float(g.fit[-1]) / len(g.chain)) for g in growth.grown]
    whole = [(chain, similarity) for chain, similarity in parts if math.isfinite(similarity)]
    if not whole:
        return []
    texts = ctx.graph.relations
    phrases = [
        say(chain, PLACEHOLDER, texts)
        for say in (verbalize, verbalize_question)
        for chain, _ in whole
    ]
    vectors = await ctx.encode([growth.subject.masked, *phrases])
    cosines = (vectors[1:] @ vectors[0]).reshape(2, -1).mean(axis=0)
    kind = _kind(growth.subject.masked)
    candidates = []
    for (chain, similarity), cosine in zip(whole, cosines, strict=True):
        score = _PARTS_WEIGHT * similarity + (1 - _PARTS_WEIGHT) * float(cosine)
        score -= _HOP_COST * len(chain) + _OTHER_KIND * _asks_other(ctx, chain[-1], kind)
        candidates.append(CandidateChain(growth.key, chain, score))
    return candidates


def _asks_other(ctx: QuestionContext, last: Step, kind: str | None) -> bool:
    """Whether the ends of a chain are surely not of the kind that the question asks for."""
    texts = ctx.graph.relations.get(last.relation)
    if texts is None:
        # In an adopted graph one that leads out of it, or that somebody has added since.
        return False
    given = texts.inverse_question if last.reverse else texts.question
    # A question that is made up for a relation without one says nothing of its ends.
    return given is not None and kind is not None and _kind(given) != kind


def _kind(question: str) -> str | None:
    """What a question asks for by its first asking word, if that tells."""
    asking = _ASKING.search(question)
    return _KINDS.get(asking[0].lower()) if asking else None
