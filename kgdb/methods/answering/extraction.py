"""Extraction of answers from evidence: the last step of every method that retrieves first.

The evidence has *answer slots*: the entities at the same position of paths with the same relations.
A strategy selects a slot, and all its entities answer, each with its proofs. The strategies are the
slot that fits the question best (:class:`BestSlot`), the slot that the language model prefers
(:class:`~kgdb.methods.answering.slot_choice.SlotChoice`), and the slot of the entities that the
language model reads (:class:`~kgdb.methods.answering.llm_reader.LLMReader`).

Names come from the graph and may contain any text. They are data: put on one line, shortened, and
compared with the model's reply. No name is ever executed or obeyed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kgdb.methods.answering.answer_slots import AnswerSlot, MentionedIds, answer_slots, by_mention
from kgdb.methods.answering.completion import Completed, DiscardedEvidence, complete
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer, AnsweredEntity, Entity, Path
from kgdb.wording import short

_NOTHING = DiscardedEvidence()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence that a method retrieved for a question.

    ``paths`` are best first. ``mentions`` has the ids that each mention of the question may mean:
    none of them answers it. ``scores`` is how well each path fits the question, if the method
    scores paths itself; else the encoder does. ``discarded`` is the rest of the retrieval.
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
    mentioned: MentionedIds
    blank: Answer
    max_proofs: int

    async def whole(self, ctx: QuestionContext, slot: AnswerSlot) -> Answer:
        """The answer with all entities of a slot, the discarded ones included."""
        whole = await self.completed(ctx, slot)
        # A path of another slot to the same entity states another fact, and proves nothing.
        return self.answered(self.blank, whole.entities, slot, [], whole)

    async def completed(self, ctx: QuestionContext, slot: AnswerSlot) -> Completed:
        """A slot with the entities that the evidence lacks."""
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
        """The answer with ``entities`` and their proofs, those of ``slot`` before ``others``."""
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
    """Selects the slot that answers."""

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
    """The answer to ``ctx.question`` from the evidence; call it inside a stage.

    Each entity has at most ``max_proofs`` paths that prove it. The ``interpretation`` of the answer
    is the question that its slot answers.
    """
    mentioned = by_mention(evidence.mentions)
    blank = Answer(ctx.question, ctx.graph.name, method, retrieved=tuple(evidence.paths))
    slots = answer_slots(ctx, evidence.paths, mentioned, evidence.scores)
    if not slots:
        return replace(
            blank, reason="the graph contains no evidence about the entities of the question."
        )
    slotted = SlottedEvidence(evidence, slots, mentioned, blank, max_proofs)
    return await strategy.answer(ctx, slotted)


@dataclass(frozen=True, slots=True)
class BestSlot:
    """The slot that fits the question best, by the scores of the evidence or the encoder.

    A slot whose evidence has a score below ``min_similarity`` does not answer; where the encoder
    compares, there is no limit.
    """

    min_similarity: float = -math.inf

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The answer with all entities of the best slot."""
        scores = await slot_scores(ctx, slotted)
        best = max(range(len(scores)), key=lambda i: (scores[i], -i))
        return await self.checked(ctx, slotted, slotted.slots[best])

    async def checked(
        self, ctx: QuestionContext, slotted: SlottedEvidence, best: AnswerSlot
    ) -> Answer:
        """The answer with all entities of ``best``, if the slot is similar enough."""
        if slotted.evidence.scores is not None and best.score < self.min_similarity:
            reason = (
                "no fact around the entities of the question fits it: "
                f"{short(best.phrase)} comes closest, at a similarity of {max(best.score, 0):.2f}, "
                f"and min_similarity is {self.min_similarity:g}."
            )
            return replace(slotted.blank, reason=reason)
        return await slotted.whole(ctx, best)


async def slot_scores(ctx: QuestionContext, slotted: SlottedEvidence) -> Sequence[float]:
    """How well each slot fits the question, by the evidence's scores, else the encoder's."""
    if slotted.evidence.scores is not None:
        return [slot.score for slot in slotted.slots]
    return await ctx.encoder.similarities(ctx.question, [slot.phrase for slot in slotted.slots])
