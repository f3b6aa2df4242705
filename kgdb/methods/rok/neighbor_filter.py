"""The language model filters the facts that are relevant to a question: one call (RoK, §4.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgdb.language import CompletionRequest
from kgdb.language.text.lines import numbered
from kgdb.language.text.prompts import language_of, prompt
from kgdb.language.text.replies import value_in
from kgdb.methods.context import QuestionContext

_REPLY_TOKENS = 120


async def choose_facts(
    ctx: QuestionContext, texts: Sequence[str], indices: Sequence[int]
) -> list[int]:
    """The ``indices`` of the texts that the language model finds relevant, in their order.

    The prompt has as many texts as the model can read. If the reply is not a list of their numbers,
    all of them count as relevant.
    """
    language = language_of(ctx.question)

    def to_prompt(lines: Sequence[str]) -> str:
        return prompt("rok_neighbors", language, facts=numbered(lines), question=ctx.question)

    lines = [texts[index] for index in indices]
    count = ctx.llm.fit(lines, to_prompt, _REPLY_TOKENS, "neighbors")
    reply = await ctx.llm.complete(
        CompletionRequest(to_prompt(lines[:count]), _REPLY_TOKENS, schema=_schema(count))
    )
    numbers = _numbers(reply.text)
    if numbers is None:
        ctx.note("The language model chose none of the neighbors, so similarity chose.")
        return list(indices[:count])
    return [index for number, index in enumerate(indices[:count], 1) if number in numbers]


def _schema(facts: int) -> dict[str, Any]:
    number = {"type": "integer", "minimum": 1, "maximum": facts}
    return {
        "type": "object",
        "properties": {"relevant": {"type": "array", "items": number, "maxItems": 20}},
        "required": ["relevant"],
        "additionalProperties": False,
    }


def _numbers(reply: str) -> set[int] | None:
    numbers = value_in(reply, "relevant")
    if not isinstance(numbers, list):
        return None
    return {number for number in numbers if type(number) is int}
