"""A question from its text to its form: anchors, parts, alignment, reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgdb.graph.forms.operators import Find
from kgdb.graph.schema import Schema
from kgdb.methods.chains.direction import Direction
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.advice import advised
from kgdb.methods.understanding.alignment import align
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.grammar.grammar_reading import Sentence
from kgdb.methods.understanding.grammar.lexicon import Lexicon, lexicon
from kgdb.methods.understanding.grammar.spoken_language import spoken_language
from kgdb.methods.understanding.question import Anchor, QuestionParts, take_apart
from kgdb.methods.understanding.reading import Understood, read
from kgdb.methods.understanding.reading_choice import likely_readings, reading_weights
from kgdb.methods.understanding.scoring import unknown
from kgdb.methods.understanding.view import QuestionView
from kgdb.values import Step

_APART = 0.1


async def named_parts(ctx: QuestionContext) -> QuestionParts:
    """The parts of a question of which only the entities are looked up."""
    links = await ctx.graph.mentions(ctx.question)
    known = cues(question_language(ctx.question))
    named = [
        Anchor(one.mention, one.start, one.end, Find(one.entities[0].name, one.ids), frozenset())
        for one in links
    ]
    return take_apart(ctx.question, named, known)


async def understand(ctx: QuestionContext) -> Understood:
    """The form of the question, or the reason why there is none."""
    known, schema = cues(question_language(ctx.question)), await ctx.graph.schema()
    anchors = await find_anchors(ctx, schema, lexicon(spoken_language(ctx.question)).words)
    language = spoken_language(ctx.question, [(each.start, each.end) for each in anchors])
    parts = take_apart(ctx.question, anchors, known, schema.wordings)
    sentence = Sentence(ctx.question, anchors, schema, ctx.graph.relations, language)
    by_letters = not await knows(ctx, lexicon(language))
    vectors = await ctx.encoder.encode(sentence.texts)
    matcher = sentence.matcher(vectors, by_letters=by_letters)
    read_forms = sentence.read(matcher, reading_weights())
    likely = await likely_readings(ctx, read_forms, by_letters=by_letters)
    if likely.is_sure:
        return Understood(likely.forms[0], parts=parts, readings=likely.forms)
    if language == "en":
        unread = replace(await understand_parts(ctx, parts), parts=parts)
        if unread.form is not None:
            return unread
    else:
        left = tuple(word.text for word in parts.words if not matcher.is_known(word.text))
        reason = unknown(left) if left else "the words do not tell what is asked"
        unread = Understood(None, reason, parts=parts, unread=left)
    told = replace(await advised(ctx, matcher, unread), readings=likely.forms)
    if not by_letters:
        return told
    reason = (
        f"{told.reason}; the encoder {ctx.resources.encoder.name} does not know "
        f"{lexicon(language).name}: only words that are names of the graph count (set a "
        "multilingual one with --encoder)"
    )
    return replace(told, reason=reason)


async def knows(ctx: QuestionContext, of: Lexicon) -> bool:
    """Whether the encoder tells words of a language apart: two for one thing are more alike than
    one of them and another word. One that knows none of them gives all the same vector.
    """
    if not of.alike:
        return True
    one, same, other = await ctx.encoder.encode(of.alike)
    return bool(one @ same - one @ other >= _APART)


async def understand_parts(ctx: QuestionContext, parts: QuestionParts) -> Understood:
    """The form of a question that is taken apart, or the reason why there is none."""
    known, schema = cues(), await ctx.graph.schema()
    alignment = await align(ctx, [word.text for word in parts.words], schema, known)
    against = frozenset(contradicted(ctx, parts, schema))
    return read(QuestionView(parts, schema, alignment, known, against))


def contradicted(
    ctx: QuestionContext, parts: QuestionParts, schema: Schema
) -> Iterator[tuple[int, str, str]]:
    """What the words contradict: for each anchor relations between things of one kind, and the
    direction that they do not have.
    """
    one_kind = {name for name, ends in schema.relations.items() if ends.is_one_kind()}
    spans = [(anchor.start, anchor.end) for anchor in parts.anchors]
    for place, span in enumerate(spans):
        others = [other for other in spans if other != span]
        direction = Direction.of(ctx.question, span, others, one_kind)
        for name in sorted(one_kind):
            if direction.contradicts(ctx, (Step(name),)):
                yield place, name, "out"
            if direction.contradicts(ctx, (Step(name, reverse=True),)):
                yield place, name, "in"
