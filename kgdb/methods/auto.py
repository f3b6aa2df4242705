"""The method that chooses: a logical form where the question has one, RefKG's chains elsewhere.

A graph whose own names tell what it says is asked by forms alone. Elsewhere a form answers the
questions that no chain can: with *how many*, *not*, *oldest* and the like.
"""

from __future__ import annotations

from kgdb.methods.context import QuestionContext
from kgdb.methods.context.expert import Expert
from kgdb.methods.refkg.method import RefKG
from kgdb.methods.refkg.options import Options
from kgdb.methods.understanding import (
    abstains,
    answer_by_form,
    answer_qualifiers,
    has_readable_schema,
    is_unknown_language,
    second_question,
)
from kgdb.values import Answer
from kgdb.wording import short

METHOD = "auto"


class Auto(RefKG):
    """Answers by a logical form or by chains; verifies as RefKG, whose options it has."""

    strict = True

    def __init__(self, options: Options | None = None, expert: Expert | None = None) -> None:
        super().__init__(options, expert, name=METHOD)

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The answer of the form; where the question has none, that of the best chain."""
        other = second_question(ctx.question)
        if await has_readable_schema(ctx):
            if other:
                reason = f"the question asks two things; ask {short(other)} on its own"
                return abstains(ctx, self.name, reason)
            return await answer_by_form(ctx, self.name)
        if other:
            ctx.note(f"Only one question is answered; ask {short(other)} on its own.")
        if await is_unknown_language(ctx):
            encoder = ctx.resources.encoder.name
            reason = (
                f"the encoder {encoder} does not know Chinese, and no relation of the graph has a "
                "Chinese name (set a multilingual encoder with --encoder)"
            )
            return abstains(ctx, self.name, reason)
        by_qualifiers = await answer_qualifiers(ctx, self.name)
        return by_qualifiers or await super().answer(ctx)
