"""The preference of a language model among phrases that may be the meaning of a question.

A small model that cannot read an answer from many facts can still rank phrases for a question: the
question only has to make the right phrase more likely than it is without the question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kgdb.language import CompletionRequest
from kgdb.language.text.prompts import Language, language_of, prompt
from kgdb.methods.context import QuestionContext

CALLS = 2
"""Calls that the preferences may cost. If earlier questions had all the phrases they cost one; the
answer to a question never depends on that."""

NOTHING_WRITTEN = (
    "The language model ranked phrases and wrote no answer, so there is no answer without "
    "evidence. Use inference=read to have it write answers."
)
"""The note on a question that allows answers without evidence."""

_CHOSEN = 4.0
"""Preference for the choice of a model without log-probabilities: about the difference between the
best and the worst of the phrases for a model with log-probabilities."""


def phrase_prompt(question: str) -> str:
    """The text that the phrase which a question asks for continues."""
    return prompt("weigh", language_of(question), question=question)


class PMIScorer:
    """The language model's preference among phrases, by pointwise mutual information (PMI).

    The preference for a phrase is its PMI with the question, in nats, over the square root of its
    number of words. The plain log-probability would prefer short and common phrases. The prior of
    each phrase is cached. If the model returns no log-probabilities, or only some, only its choice
    gets a preference.
    """

    def __init__(self) -> None:
        self._priors: dict[tuple[Language, str], float] = {}

    async def preferences(
        self, ctx: QuestionContext, question: str, phrases: Sequence[str]
    ) -> dict[str, float]:
        """The preference for each phrase: one call, and one more for phrases without a prior.

        Questions and phrases have placeholders for names, so one prior serves all names.
        """
        language = language_of(question)
        distinct = tuple(dict.fromkeys(phrases))
        reply = await ctx.llm.complete(
            CompletionRequest(phrase_prompt(question), choices=distinct, continues=True)
        )
        choice = {phrase: _CHOSEN * (phrase == reply.text) for phrase in distinct}
        if reply.scores is None:
            return choice
        priors = await self._prior(ctx, language, distinct)
        if priors is None:
            return choice
        return {
            phrase: (score - priors[phrase]) / math.sqrt(len(phrase.split()))
            for phrase, score in zip(distinct, reply.scores, strict=True)
        }

    async def _prior(
        self, ctx: QuestionContext, language: Language, phrases: Sequence[str]
    ) -> Mapping[str, float] | None:
        """The log-probability of each phrase without the question; ``None`` if unavailable."""
        unknown = tuple(phrase for phrase in phrases if (language, phrase) not in self._priors)
        if unknown:
            alone = prompt("weigh_prior", language)
            priors = await ctx.llm.complete(
                CompletionRequest(alone, choices=unknown, continues=True)
            )
            if priors.scores is None:
                return None
            for phrase, score in zip(unknown, priors.scores, strict=True):
                self._priors[language, phrase] = score
        return {phrase: self._priors[language, phrase] for phrase in phrases}
