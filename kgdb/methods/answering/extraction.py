"""Answers out of evidence: the last step of every method that retrieves first.

The evidence has *answer slots*: the entities that stand at the same place of paths with the same
relations. A strategy selects the slot that answers, and the whole of it does, so that every answer
has its proof: the slot that goes best with the question (:class:`BestSlot`), the one that the
language model prefers (:class:`~kgdb.methods.answering.slot_choice.SlotChoice`), or the one that
holds what the language model reads (:class:`~kgdb.methods.answering.llm_reader.LLMReader`).

Names come out of the graph and may say anything. They are data here: put on one line, shortened,
and compared with what the model says; nothing is ever done because of what they say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kgdb.methods.answering.answer_slots import AnswerSlot, Asked, by_mention, slots_of
from kgdb.methods.answering.completion import Completed, DiscardedEvidence, complete
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer, AnsweredEntity, Entity, Path
from kgdb.wording import short

_NOTHING = DiscardedEvidence()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a method retrieved for a question.

    ``paths`` are best first. ``mentions`` are the ids that each mention of the question may stand
    for: none of them answers it. ``scores`` say how well each path goes with the question, where
    the method knows better than the reranker. ``discarded`` is what was left out of the paths.
    """

    paths: Sequence[Path]
    mentions: Sequence[Sequence[str]]
    scores: Sequence[float] | None = None
    discarded: DiscardedEvidence = _NOTHING


@dataclass(frozen=True, slots=True)
class SlottedEvidence:
    """Evidence with its answer slots.

    ``mentioned`` are the entities of the question. ``blank`` is the answer without entities, and
    ``max_proofs`` how many paths the answer keeps for each entity.
    """

    evidence: Evidence
    slots: Sequence[AnswerSlot]
    mentioned: Asked
    blank: Answer
    max_proofs: int

    async def whole(self, ctx: QuestionContext, slot: AnswerSlot) -> Answer:
        """The answer that all of a slot is, with what was left out of it."""
        whole = await self.completed(ctx, slot)
        # Another path to an entity of the slot says something else of it, and proves nothing.
        return self.answered(self.blank, whole.entities, slot, [], whole)

    async def completed(self, ctx: QuestionContext, slot: AnswerSlot) -> Completed:
        """A slot with what was left out of it."""
        discarded = self.evidence.discarded
        return await complete(ctx, slot, discarded, self.mentioned, self.max_proofs)

    def answered(
        self,
        blank: Answer,
        entities: Iterable[Entity],
        slot: AnswerSlot,
        others: Sequence[AnswerSlot],
        whole: Completed,
    ) -> Answer:
        """The entities with their proofs: those of the slot that answers, then those of others."""
        answers = []
        for entity in entities:
            proofs = dict(whole.entities.get(entity, {}))
            for other in others:
                proofs |= other.entities.get(entity, {})
            count = max(len(proofs), whole.counts.get(entity, 0))
            answers.append(AnsweredEntity(entity, tuple(proofs)[: self.max_proofs], count))
        return replace(
            blank,
            interpretation=slot.phrase,
            entities=tuple(answers),
            retrieved=tuple(dict.fromkeys((*blank.retrieved, *whole.added))),
            truncated=whole.truncated,
        )


class AnswerStrategy(Protocol):
    """How the slot that answers is selected."""

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The answer, or the reason why there is none."""


async def extract_answers(
    ctx: QuestionContext,
    method: str,
    evidence: Evidence,
    strategy: AnswerStrategy,
    *,
    max_proofs: int = 3,
) -> Answer:
    """The answer that the evidence gives to ``ctx.question``; call it inside a stage.

    Each answer carries at most ``max_proofs`` of the paths that lead to it. The ``interpretation``
    of the answer is the question that its slot answers.
    """
    mentioned = by_mention(evidence.mentions)
    blank = Answer(ctx.question, ctx.graph.name, method, retrieved=tuple(evidence.paths))
    slots = slots_of(ctx, evidence.paths, mentioned, evidence.scores)
    if not slots:
        return replace(blank, reason="the graph holds no evidence about what the question names.")
    slotted = SlottedEvidence(evidence, slots, mentioned, blank, max_proofs)
    return await strategy.answer(ctx, slotted)


@dataclass(frozen=True, slots=True)
class BestSlot:
    """The slot that goes best with the question, by the scores of the evidence or the reranker.

    No slot whose score is below ``min_similarity`` answers; the reranker's scores are on a scale of
    their own, and are not compared with it.
    """

    min_similarity: float = -math.inf

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The whole of the best slot."""
        scores = await slot_scores(ctx, slotted)
        best = max(range(len(scores)), key=lambda i: (scores[i], -i))
        return await self.checked(ctx, slotted, slotted.slots[best])

    async def checked(
        self, ctx: QuestionContext, slotted: SlottedEvidence, best: AnswerSlot
    ) -> Answer:
        """The whole of the selected slot, if it is similar enough to the question."""
        if slotted.evidence.scores is not None and best.score < self.min_similarity:
            reason = (
                "nothing around what the question names is what it asks for: "
                f"{short(best.phrase)} comes closest, at a similarity of {max(best.score, 0):.2f}, "
                f"and min_similarity is {self.min_similarity:g}."
            )
            return replace(slotted.blank, reason=reason)
        return await slotted.whole(ctx, best)


async def slot_scores(ctx: QuestionContext, slotted: SlottedEvidence) -> Sequence[float]:
    """How well each slot goes with the question: by the evidence's scores, else the reranker's."""
    if slotted.evidence.scores is not None:
        return [slot.score for slot in slotted.slots]
    return await ctx.encoder.rerank(ctx.question, [slot.phrase for slot in slotted.slots])
