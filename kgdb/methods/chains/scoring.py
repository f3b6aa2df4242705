"""How well a relation chain explains a question.

The score compares each hop with the nested parts of the question
(:mod:`kgdb.methods.chains.decoupling`), and the whole chain in words with the whole question. Each
hop and chain has two wordings: a noun phrase and a question.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from kgdb.language import verbalize, verbalize_question
from kgdb.methods.chains.candidate_chains import CandidateChain, PartialChain, Subject
from kgdb.methods.chains.decoupling import PLACEHOLDER, Hop
from kgdb.methods.chains.direction import Direction
from kgdb.methods.context import QuestionContext
from kgdb.values import Step

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

HopFits = Mapping[Subject, Sequence[Mapping[Step, Hop]]]
"""For each decoupling of each subject's question, how well each step fits it as a hop."""


@dataclass(frozen=True, slots=True)
class ChainScorer:
    """The weights of a chain's score.

    ``subquery_weight`` is the weight of the similarity to sub-queries; the rest weighs the
    similarity to the whole question. The score subtracts ``hop_cost`` for each hop, because longer
    chains have more words that may be similar, and ``kind_cost`` if the question asks *who*, *when*
    or *where* and the chain leads to another kind of entity. The similarity of a chain that runs
    against the words of the question is lower by ``direction_cost``, that of a chain that says all
    of these words, in their direction, is higher by ``said_gain``.
    """

    subquery_weight: float = 0.5
    hop_cost: float = 0.05
    kind_cost: float = 0.3
    direction_cost: float = 1.0
    said_gain: float = 0.25

    async def hop_fits(
        self, ctx: QuestionContext, subjects: Sequence[Subject], steps: Sequence[Step]
    ) -> HopFits:
        """How well each step fits each decoupling: one batch of the encoder."""
        relations = ctx.graph.relations
        wordings = [
            to_words((step,), PLACEHOLDER, relations)
            for step in steps
            for to_words in (verbalize, verbalize_question)
        ]
        decouplings = [(s, decoupling) for s in subjects for decoupling in s.decouplings]
        parts = [text for _, decoupling in decouplings for text in decoupling.texts]
        vectors = await ctx.encoder.encode_chains([*wordings, *parts])
        phrasings = list(vectors[: len(wordings)].reshape(len(steps), 2, -1))
        fits: dict[Subject, list[Mapping[Step, Hop]]] = {subject: [] for subject in subjects}
        row = len(wordings)
        for subject, decoupling in decouplings:
            own = vectors[row : row + len(decoupling.texts)]
            row += len(decoupling.texts)
            similar = decoupling.similarity(own, phrasings)
            fits[subject].append(dict(zip(steps, similar, strict=True)))
        return fits

    async def score(
        self, ctx: QuestionContext, chains: Sequence[PartialChain], one_kind: Set[str]
    ) -> list[CandidateChain]:
        """The chains that may explain the whole question, with their scores, in their order.

        ``one_kind`` are the relations that are seen to join things of one kind.
        """
        # The last part is the whole question; a chain of more hops than there are parts fits none.
        fitting = [
            (chain, max(float(fit[-1]) for fit in chain.fits) / len(chain.steps))
            for chain in chains
        ]
        whole = [(chain, fit) for chain, fit in fitting if math.isfinite(fit)]
        if not whole:
            return []
        similar = await self._to_question(ctx, [chain for chain, _ in whole])
        directions = self._directions(ctx, [chain.subject for chain, _ in whole], one_kind)
        scored = []
        for (chain, by_subqueries), by_question in zip(whole, similar, strict=True):
            weight = self.subquery_weight
            similarity = weight * by_subqueries + (1 - weight) * by_question
            direction = directions[chain.subject]
            if direction.contradicts(ctx, chain.steps):
                similarity -= self.direction_cost
            elif direction.is_said(ctx, chain.steps):
                similarity += self.said_gain
            score = similarity - self.hop_cost * len(chain.steps)
            if _is_other_kind(ctx, chain.steps[-1], _kind(chain.subject.masked)):
                score -= self.kind_cost
            scored.append(
                CandidateChain(
                    chain.subject, chain.steps, by_subqueries, by_question, similarity, score
                )
            )
        return scored

    def _directions(
        self, ctx: QuestionContext, subjects: Sequence[Subject], one_kind: Set[str]
    ) -> Mapping[Subject, Direction]:
        """What the question says of the direction of each subject's chains."""
        distinct = dict.fromkeys(subjects)
        if not self.direction_cost:
            return {subject: Direction(()) for subject in distinct}
        spans = [subject.key.span for subject in distinct if subject.key.span]
        return {
            subject: Direction.of(
                ctx.question,
                subject.key.span,
                [span for span in spans if span != subject.key.span],
                one_kind,
            )
            for subject in distinct
        }

    async def _to_question(
        self, ctx: QuestionContext, chains: Sequence[PartialChain]
    ) -> list[float]:
        """The similarity of each whole chain to the whole question, the mean of its wordings."""
        relations = ctx.graph.relations
        questions = dict.fromkeys(chain.subject.masked for chain in chains)
        steps = dict.fromkeys(chain.steps for chain in chains)
        wordings = [
            to_words(each, PLACEHOLDER, relations)
            for to_words in (verbalize, verbalize_question)
            for each in steps
        ]
        vectors = await ctx.encoder.encode_chains([*questions, *wordings])
        cosines = vectors[len(questions) :] @ vectors[: len(questions)].T
        means = cosines.reshape(2, len(steps), len(questions)).mean(axis=0)
        rows = {each: row for row, each in enumerate(steps)}
        columns = {question: column for column, question in enumerate(questions)}
        return [float(means[rows[c.steps], columns[c.subject.masked]]) for c in chains]


def _is_other_kind(ctx: QuestionContext, last: Step, kind: str | None) -> bool:
    """Whether the ends of a chain are certainly not of the kind that the question asks for."""
    relation = ctx.graph.relations.get(last.relation)
    if relation is None:
        # In an adopted graph: a relation that leads out of it, or that was added later.
        return False
    question = relation.inverse_question if last.reverse else relation.question
    # The default question of a relation says nothing about its ends.
    return question is not None and kind is not None and _kind(question) != kind


def _kind(question: str) -> str | None:
    """The kind of answer by the first question word: *who*, *when* or *where*, else ``None``."""
    asking = _ASKING.search(question)
    return _KINDS.get(asking[0].lower()) if asking else None
