"""The method that chooses: a logical form where the question has one, RefKG's chains elsewhere.

A graph whose labels tell what its relations join is asked by forms alone. Elsewhere a form answers
the questions that no chain can: with *how many*, *not*, *oldest* and the like.
"""

from __future__ import annotations

from kgdb.language.text.prompts import language_of
from kgdb.methods.context import QuestionContext
from kgdb.methods.refkg.method import RefKG
from kgdb.methods.refkg.options import Options
from kgdb.methods.understanding import answer_by_form, has_readable_schema
from kgdb.values import Answer, Verdict

METHOD = "auto"


class Auto:
    """Answers by a logical form or by chains, verifies as RefKG."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        """``options`` are those of RefKG."""
        self._chains = RefKG(options, name=METHOD)

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answer of the form; where the question has none, that of the best chain."""
        if language_of(ctx.question) == "en" and has_readable_schema(ctx):
            return await answer_by_form(ctx, METHOD)
        return await self._chains.answer(ctx)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The verdict by a form, or by the facts around the entities of the claim."""
        return await self._chains.verify(ctx)
