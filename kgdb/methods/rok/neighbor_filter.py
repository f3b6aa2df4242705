"""Facts that help to answer a question: the language model judges all in one call (RoK, §4.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgdb.language import CompletionRequest
from kgdb.language.text.json_replies import value_in
from kgdb.language.text.lines import numbered
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.context import QuestionContext

_REPLY_TOKENS = 120


async def choose_facts(
    ctx: QuestionContext, texts: Sequence[str], asked: Sequence[int]
) -> list[int]:
    """Those of the places ``asked`` whose texts the language model finds relevant, in their order.

    As many are shown as it can read. A reply that is no list of their numbers is of no use, and
    all that were shown count as relevant.
    """
    language = language_of(ctx.question)

    def written(lines: Sequence[str]) -> str:
        return prompt("rok_neighbors", language, facts=numbered(lines), question=ctx.question)

    lines = [texts[place] for place in asked]
    shown = asked[: ctx.llm.fit(lines, written, _REPLY_TOKENS, "neighbours")]
    reply = await ctx.llm.complete(
        CompletionRequest(written(lines[: len(shown)]), _REPLY_TOKENS, schema=_schema(len(shown)))
    )
    numbers = _numbers(reply.text)
    if numbers is None:
        ctx.note("The language model did not choose among the neighbours: similarity did.")
        return list(shown)
    return [place for number, place in enumerate(shown, 1) if number in numbers]


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
