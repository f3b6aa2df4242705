"""Understanding a question without a language model: from its words to a logical form."""

from __future__ import annotations

from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.alignment import align
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.question import take_apart
from kgdb.methods.understanding.reading import Understood, read
from kgdb.methods.understanding.view import QuestionView


async def understand(ctx: QuestionContext) -> Understood:
    """The form of the question, or the reason why there is none."""
    known, schema = cues("en"), ctx.graph.schema
    anchors = await find_anchors(ctx, schema, known)
    parts = take_apart(ctx.question, anchors, known)
    alignment = await align(ctx, [word.text for word in parts.words], schema, known)
    return read(QuestionView(parts, schema, alignment, known))


__all__ = ["Understood", "understand"]
