"""The language model chooses among candidate relations, put into words (RefKG and KG-GPT, §3.2).

It can only choose from the list in its prompt.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.language import CompletionRequest, verbalize
from kgdb.language.text.prompts import Language, language_of, prompt
from kgdb.language.text.replies import value_in
from kgdb.methods.chains.candidate_chains import (
    PLACEHOLDER,
    CandidateChain,
    Subject,
    all_masked,
)
from kgdb.methods.context import QuestionContext

MAX_PHRASES = 40
"""Phrases in one prompt: the most similar to the question."""

_PHRASE_TOKENS = 24


@dataclass(frozen=True, slots=True)
class LLMChoice:
    """The hops at which the language model chooses; at later hops the encoder does.

    It chooses at most ``width`` relations at each of the first ``hops``, while the budget has more
    than ``reserve`` calls left.
    """

    hops: int
    width: int
    reserve: int = 0

    def is_active(self, ctx: QuestionContext, hop: int) -> bool:
        """Whether the language model chooses at a hop."""
        return hop <= self.hops and ctx.budget.calls_left(self.reserve) > 0

    async def restrict(
        self, ctx: QuestionContext, chains: Sequence[CandidateChain], subjects: Sequence[Subject]
    ) -> list[CandidateChain]:
        """The chains whose last relation the language model chooses: one call.

        If it chooses none, all chains remain: a truncated or empty reply must not end the search.
        """
        relations = ctx.graph.relations
        ranked = sorted(chains, key=lambda chain: (-chain.score, chain.steps))
        phrases = {c: verbalize(c.steps[-1:], PLACEHOLDER, relations) for c in ranked}
        phrases_shown = list(dict.fromkeys(phrases.values()))[:MAX_PHRASES]
        if len(phrases_shown) <= self.width:
            return list(chains)
        reached = dict.fromkeys(
            verbalize(chain.steps[:-1], PLACEHOLDER, relations)
            for chain in ranked
            if len(chain.steps) > 1
        )
        growing = dict.fromkeys(chain.subject for chain in chains)
        question = all_masked(ctx, [subject for subject in subjects if subject in growing])
        chosen = await choose_relations(ctx, question, list(reached), phrases_shown, self.width)
        return [chain for chain in chains if phrases[chain] in chosen] if chosen else list(chains)


async def choose_relations(
    ctx: QuestionContext,
    question: str,
    reached: Sequence[str],
    phrases_shown: Sequence[str],
    number: int,
) -> list[str]:
    """The phrases with which the language model would extend the chains, best first: one call."""
    text = relations_prompt(language_of(ctx.question), question, reached, phrases_shown, number)
    return await choose_phrases(ctx, text, phrases_shown, number)


def relations_prompt(
    language: Language,
    question: str,
    reached: Sequence[str],
    phrases_shown: Sequence[str],
    number: int,
) -> str:
    """The prompt to choose at most ``number`` of the phrases, which extend the chains so far."""
    return prompt(
        "refkg_relations",
        language,
        question=" ".join(question.split()),
        reached=bullets(reached) or f"- {PLACEHOLDER}",
        menu=bullets(phrases_shown),
        number=str(number),
    )


def phrases_reply(phrases: Sequence[str]) -> str:
    """The reply that chooses these phrases."""
    return json.dumps({_KEY: list(phrases)}, ensure_ascii=False)


async def choose_phrases(
    ctx: QuestionContext, prompt_text: str, phrases_shown: Sequence[str], number: int
) -> list[str]:
    """The phrases that the language model chooses from those in a prompt: one call."""
    schema = _schema(phrases_shown, number)
    reply = await ctx.llm.complete(
        CompletionRequest(prompt_text, max_tokens=_PHRASE_TOKENS * number, schema=schema)
    )
    replied = value_in(reply.text, _KEY)
    chosen = (
        [text for text in replied if text in phrases_shown] if isinstance(replied, list) else []
    )
    if not chosen:
        ctx.note("The language model chose no relation from a list, so the encoder chose.")
    return chosen


def bullets(phrases: Iterable[str]) -> str:
    """Phrases as a prompt lists them."""
    return "\n".join(f"- {phrase}" for phrase in phrases)


_KEY = "relations"


def _schema(phrases_shown: Sequence[str], number: int) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            _KEY: {
                "type": "array",
                "items": {"type": "string", "enum": list(phrases_shown)},
                "minItems": 1,
                "maxItems": number,
            }
        },
        "required": [_KEY],
        "additionalProperties": False,
    }
