"""What a language model says without any graph: at once (``llm``), or after thinking (``cot``).

``cot`` is zero-shot chain of thought (Kojima et al., 2022): the model thinks first, and is then
asked for the answer with its thoughts before it. No evidence proves what either says, so it is only
given as unsupported, and only where that is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.language import Completion, CompletionRequest
from kgdb.language.text.prompts import language_of, prompt
from kgdb.language.text.replies import texts_in
from kgdb.methods.answering.abstention import no_model
from kgdb.methods.context import QuestionContext
from kgdb.methods.option_declarations import AllowUnsupported, MethodOptions
from kgdb.values import Answer, Label, Verdict

_UNPROVED = "no evidence proves what the language model says without a graph."

_TRUTHS: dict[str, tuple[tuple[str, Label], tuple[str, Label]]] = {
    "en": (("true", "SUPPORTED"), ("false", "REFUTED")),
    "zh": (("真", "SUPPORTED"), ("假", "REFUTED")),
}

_LISTED: Mapping[str, Any] = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": {"type": "string"}, "maxItems": 20}},
    "required": ["answers"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class AloneOptions(MethodOptions):
    """The options of both methods."""

    allow_unsupported: AllowUnsupported = False


class LanguageModelAlone:
    """The language model's own answer: one call."""

    name = "llm"

    def __init__(self, options: AloneOptions | None = None) -> None:
        self._options = options or AloneOptions()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answers that the model gives, as unsupported ones."""
        blank = Answer(ctx.question, ctx.graph.name, self.name)
        if not ctx.llm.available:
            return replace(blank, reason=no_model(self.name))
        thoughts = await self._think(ctx)
        question, language = unbracketed(ctx.question), language_of(ctx.question)
        with ctx.stage("answer") as stage:
            if thoughts:
                text = prompt("alone_conclude", language, question=question, thoughts=thoughts)
            else:
                text = prompt("alone_answer", language, question=question)
            reply = await ctx.llm.complete(CompletionRequest(text, schema=_LISTED))
            names = texts_in(reply.text, "answers")
            stage.record(answers=names)
        if not names:
            return replace(blank, reason="the language model gave no answer.")
        if not self._options.allow_unsupported:
            return replace(blank, reason=_UNPROVED)
        return replace(blank, unsupported=tuple(names), text=thoughts, reason=_UNPROVED)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """What the model takes a claim for: it must choose between true and false."""
        blank = Verdict(ctx.question, ctx.graph.name, self.name)
        if not ctx.llm.available:
            return replace(blank, reason=no_model(self.name))
        thoughts = await self._think(ctx)
        claim, language = unbracketed(ctx.question), language_of(ctx.question)
        (true, supported), (false, refuted) = _TRUTHS[language]
        with ctx.stage("judge") as stage:
            if thoughts:
                text = prompt("alone_judge_thoughts", language, claim=claim, thoughts=thoughts)
            else:
                text = prompt("alone_judge", language, claim=claim)
            reply = await ctx.llm.complete(CompletionRequest(text, choices=(true, false)))
            stage.record(verdict=reply.text)
        if not self._options.allow_unsupported:
            return replace(blank, reason=_UNPROVED)
        label = supported if reply.text == true else refuted
        return replace(blank, label=label, confidence=_confidence(reply), reason=_UNPROVED)

    async def _think(self, ctx: QuestionContext) -> str | None:  # noqa: ARG002 (what thinks does more)
        """What the model thinks before it answers: nothing."""
        return None


class ChainOfThought(LanguageModelAlone):
    """The language model's answer after thinking step by step: two calls."""

    name = "cot"

    async def _think(self, ctx: QuestionContext) -> str | None:
        with ctx.stage("think") as stage:
            text = prompt(
                "alone_think", language_of(ctx.question), question=unbracketed(ctx.question)
            )
            thoughts = (await ctx.llm.complete(CompletionRequest(text))).text.strip()
            stage.record(thoughts=thoughts)
            return thoughts


def _confidence(reply: Completion) -> float | None:
    """The probability of the choice among the choices, where the model tells it."""
    if reply.scores is None:
        return None
    return 1 / sum(math.exp(score - max(reply.scores)) for score in reply.scores)
