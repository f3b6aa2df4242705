"""The language model chooses the answer slot: for models too small to read evidence.

It weighs the slots by what each is in words (:mod:`kgdb.methods.answering.preference`), beside
their similarity to the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from kgdb.graph.linking.mentions import unbracketed
from kgdb.language.text.lines import one_line
from kgdb.methods.answering.extraction import (
    AnswerStrategy,
    BestSlot,
    SlottedEvidence,
    slot_scores,
)
from kgdb.methods.answering.preference import CALLS, NOTHING_WRITTEN, PMIScorer
from kgdb.methods.chains.decoupling import masked
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer

_MAX_SLOTS = 40
"""Slots that a language model weighs, those that go best with the question."""

_SMALL = 1_000_000_000
"""Parameters below which a model is not left to read. SmolLM2 (135 million) begins a list of names
with whichever begins like one, and tells phrases apart well; others were not measured."""

LLM_WEIGHT = 0.01
"""Of 300 of MetaQA's train questions RoK and SmolLM2 got 269 right with 0.005 and 0.01, 262 with
0.03, and the encoder alone 263."""

Inference = Literal["auto", "read", "choose"]
"""How a language model answers: it reads answers out of the evidence, or chooses a slot.

``auto``: a model that is known to have fewer than a billion parameters chooses, any other reads.
"""


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """The slot with the best sum of similarity and the language model's preference.

    ``mentions`` are the names in the question, as written, and ``weight`` is what the preference
    counts. Where the question's budget has too few calls left, similarity alone selects.
    """

    scorer: PMIScorer
    mentions: Sequence[str]
    weight: float = LLM_WEIGHT
    best_slot: BestSlot = field(default_factory=BestSlot)
    allow_unsupported: bool = False

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The whole of the slot that is chosen."""
        if self.allow_unsupported:
            ctx.note(NOTHING_WRITTEN)
        slots, scores = slotted.slots, await slot_scores(ctx, slotted)
        order = sorted(range(len(slots)), key=lambda i: (-scores[i], i))[:_MAX_SLOTS]
        phrases = [slots[i].ends for i in order]
        chosen = order[0]
        if len(set(phrases)) > 1 and ctx.budget.calls_left() >= CALLS:
            question = masked(unbracketed(one_line(ctx.question)), self.mentions)
            preferred = await self.scorer.preferences(ctx, question, phrases)
            chosen = max(order, key=lambda i: scores[i] + self.weight * preferred[slots[i].ends])
        return await self.best_slot.checked(ctx, slotted, slots[chosen])


def chooses(ctx: QuestionContext, inference: Inference) -> bool:
    """Whether there is a language model, and it is to choose rather than to read."""
    if not ctx.llm.available or inference != "auto":
        return ctx.llm.available and inference == "choose"
    return ctx.llm.parameters is not None and ctx.llm.parameters < _SMALL


def strategy_for(
    ctx: QuestionContext, inference: Inference, choice: SlotChoice, reader: AnswerStrategy
) -> AnswerStrategy:
    """The model reads, or chooses; without a model the best slot answers."""
    if not ctx.llm.available:
        return choice.best_slot
    return choice if chooses(ctx, inference) else reader
