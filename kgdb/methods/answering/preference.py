"""What a language model prefers among phrases that say what a question asks for.

A small model that cannot read an answer out of many facts can still tell which of some phrases goes
with a question: it only has to find one likelier than it would be otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kgdb.language import CompletionRequest
from kgdb.language.text.prompts import Language, language_of, prompt
from kgdb.methods.context import QuestionContext

CALLS = 2
"""Calls of the model that the preferences may take: one where other questions had all the phrases.
That decides nothing: a question's answer does not depend on those before it."""

NOTHING_WRITTEN = (
    "The language model weighed phrases and wrote no answer, so that there is none without "
    "evidence: it writes them with inference=read."
)
"""The note on a question that allows answers without evidence."""

_CHOSEN = 4.0
"""Preference for the choice of a model that tells no probabilities: about as much as lies between
the best and the worst phrase of a menu where a model tells them."""


class PMIScorer:
    """The language model's preference among phrases; remembers what it thinks of a phrase alone.

    How much more likely it finds a phrase once it knows the question: the pointwise mutual
    information of both, in nats over the square root of the phrase's words. The plain
    log-probability would prefer whatever is short and common. A model that tells no probabilities,
    or only some of them, prefers its choice alone.
    """

    def __init__(self) -> None:
        self._priors: dict[tuple[Language, str], float] = {}

    async def preferences(
        self, ctx: QuestionContext, question: str, phrases: Sequence[str]
    ) -> dict[str, float]:
        """The preference for each: one call, and one more for phrases never seen.

        Questions and phrases have placeholders for the names in them, so that a phrase is seen
        once however many names it is about.
        """
        language = language_of(question)
        distinct = tuple(dict.fromkeys(phrases))
        asked = await ctx.llm.complete(
            CompletionRequest(
                prompt("weigh", language, question=question),
                choices=distinct,
                continues=True,
            )
        )
        choice = {phrase: _CHOSEN * (phrase == asked.text) for phrase in distinct}
        if asked.scores is None:
            return choice
        priors = await self._prior(ctx, language, distinct)
        if priors is None:
            return choice
        return {
            phrase: (score - priors[phrase]) / math.sqrt(len(phrase.split()))
            for phrase, score in zip(distinct, asked.scores, strict=True)
        }

    async def _prior(
        self, ctx: QuestionContext, language: Language, phrases: Sequence[str]
    ) -> Mapping[str, float] | None:
        """What it thinks of each phrase alone; ``None`` where it does not tell."""
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
