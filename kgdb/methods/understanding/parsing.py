"""A question or claim from its text to its form: anchors, parts, alignment, reading."""

from __future__ import annotations

from dataclasses import replace

from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.alignment import align
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.question import Anchor, QuestionParts, take_apart
from kgdb.methods.understanding.reading import Understood, read
from kgdb.methods.understanding.view import QuestionView


async def named_parts(ctx: QuestionContext, *, claim: bool = False) -> QuestionParts:
    """The parts of a question of which only the entities are looked up."""
    links = await ctx.graph.mentions(ctx.question)
    named = [Anchor(one.mention, one.start, one.end, None, frozenset()) for one in links]
    return take_apart(ctx.question, named, cues(), claim=claim)


async def understand(ctx: QuestionContext, *, claim: bool = False) -> Understood:
    """The form of the question, or the reason why there is none."""
    known, schema = cues(), ctx.graph.schema
    anchors = await find_anchors(ctx, schema, known)
    parts = take_apart(ctx.question, anchors, known, claim=claim)
    negated = claim and bool(parts.excludes_at)
    if negated:
        parts = _affirmed(parts)
    alignment = await align(ctx, [word.text for word in parts.words], schema, known)
    understood = read(QuestionView(parts, schema, alignment, known))
    return replace(understood, negated=negated)


def _affirmed(parts: QuestionParts) -> QuestionParts:
    """The parts of a negated claim without its negation."""
    anchors = tuple(replace(anchor, excluded=False) for anchor in parts.anchors)
    return replace(parts, excludes_at=(), anchors=anchors)
