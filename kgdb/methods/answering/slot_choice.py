"""The language model chooses the answer slot: for models too small to read evidence.

The score of a slot is its similarity to the question plus the model's preference for its phrase
(:mod:`kgdb.methods.answering.preference`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.language.text.lines import one_line
from kgdb.methods.answering.extraction import (
    AnswerStrategy,
    BestSlot,
    SlottedEvidence,
    slot_scores,
)
from kgdb.methods.answering.preference import CALLS, NOTHING_WRITTEN, PMIScorer
from kgdb.methods.chains.candidate_chains import masked
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer

_MAX_SLOTS = 40
"""Slots that a language model ranks: those that fit the question best."""

LLM_WEIGHT = 0.01
"""Of 300 of MetaQA's train questions RoK and SmolLM2 got 269 right with 0.005 and 0.01, 262 with
0.03, and the encoder alone 263."""

Inference = Literal["auto", "read", "choose"]
"""How a language model answers: it reads answers from the evidence, or chooses a slot.

``auto``: a model with fewer than a billion parameters chooses, any other model reads.
"""


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """The slot with the best sum of similarity and the language model's preference.

    ``mentions`` are the names in the question, as written, and ``weight`` is the weight of the
    preference. If the budget has too few calls left, similarity alone selects.
    """

    scorer: PMIScorer
    mentions: Sequence[str]
    weight: float = LLM_WEIGHT
    best_slot: BestSlot = field(default_factory=BestSlot)
    allow_unsupported: bool = False

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The answer with all entities of the chosen slot."""
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
    """Whether there is a language model that chooses a slot instead of reading."""
    if not ctx.llm.available or inference != "auto":
        return ctx.llm.available and inference == "choose"
    return ctx.llm.is_small


def strategy_for(
    ctx: QuestionContext, inference: Inference, choice: SlotChoice, reader: AnswerStrategy
) -> AnswerStrategy:
    """The strategy for ``inference``; without a model, the best slot."""
    if not ctx.llm.available:
        return choice.best_slot
    return choice if chooses(ctx, inference) else reader
