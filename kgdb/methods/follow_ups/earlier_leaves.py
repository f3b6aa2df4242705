"""A follow-up read by the grammar: what it says of the earlier answer is a leaf of the chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.graph.forms import Form, form_text
from kgdb.graph.forms.operators import ENTITY_FORMS, EntityForm, subforms
from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups.antecedents import Antecedent, Antecedents, finds, form_labels
from kgdb.methods.follow_ups.last_turn import Turn, labels_of_finds
from kgdb.methods.follow_ups.references import Reference
from kgdb.methods.understanding.grammar.grammar_reading import Sentence
from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.meanings import Last, Set
from kgdb.methods.understanding.parsing import knows
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.reading_choice import likely_readings, reading_weights


@dataclass(frozen=True, slots=True)
class ReadFollowUp:
    """A form, and the earlier set that it speaks of."""

    form: Form
    subject: EntityForm | None


async def stands_alone(ctx: QuestionContext, anchors: Sequence[Anchor], language: str) -> bool:
    """Whether the grammar reads the question without any earlier answer."""
    by_letters = not await knows(ctx, lexicon(language))
    schema = await ctx.graph.schema()
    nothing: dict[int, Sequence[Set | Last]] = {-1: ()}  # yet *its* names nothing of the schema
    sentence = Sentence(ctx.question, anchors, schema, ctx.graph.relations, language, nothing)
    matcher = sentence.matcher(await ctx.encoder.encode(sentence.texts), by_letters=by_letters)
    candidates = sentence.read(matcher, reading_weights())
    return (await likely_readings(ctx, candidates, by_letters=by_letters)).is_sure


async def read_by_grammar(
    ctx: QuestionContext,
    anchors: Sequence[Anchor],
    references: Sequence[Reference],
    last: Turn,
    antecedents: Antecedents,
    language: str,
) -> ReadFollowUp | None:
    """What the question asks for with the earlier answer in its place, if that is clear.

    A word refers to the last thing of its kind of which the schema has what is asked.
    """
    schema, spoken = await ctx.graph.schema(), lexicon(language)
    parts = await _parts(ctx, last) if not references else ()
    by_letters = not await knows(ctx, spoken)
    tried: list[Mapping[int, Sequence[Set | Last]]] = []
    for nth in range(len(antecedents.every) + 1):
        earlier, subject = _earlier(references, antecedents, last, parts, nth)
        if not earlier or earlier in tried:
            break
        tried.append(earlier)
        sentence = Sentence(ctx.question, anchors, schema, ctx.graph.relations, language, earlier)
        matcher = sentence.matcher(await ctx.encoder.encode(sentence.texts), by_letters=by_letters)
        weights = reading_weights()
        candidates = (
            sentence.read(matcher, weights) if references else sentence.going_on(matcher, weights)
        )
        likely = await likely_readings(
            ctx,
            candidates,
            by_letters=by_letters or not references,
            question=_in_full(ctx.question, references, earlier),
        )
        if likely.is_sure:
            return ReadFollowUp(likely.forms[0], subject)
        if candidates:
            break
    return None


def _earlier(
    references: Sequence[Reference],
    antecedents: Antecedents,
    last: Turn,
    parts: Sequence[tuple[EntityForm, frozenset[str]]],
    nth: int,
) -> tuple[dict[int, Sequence[Set | Last]], EntityForm | None]:
    """What stands for the earlier answer, by its places in characters."""
    if not references:
        whole = antecedents.whole_set()
        if whole is None or nth:
            return {}, None
        swaps = [] if last.form is None else [Last(last.form, tuple(parts))]
        return {-1: [*_sets(whole), *swaps]}, whole.form
    found: dict[int, Sequence[Set | Last]] = {}
    subject = None
    for one in references:
        fitting = antecedents.fitting(one)
        if not fitting:
            return {}, None
        meant = fitting[min(nth, len(fitting) - 1)]
        subject = subject or meant.form
        found[one.start] = _sets(meant)
    return found, subject


def _in_full(
    question: str,
    references: Sequence[Reference],
    earlier: Mapping[int, Sequence[Set | Last]],
) -> str:
    """The question with what its words refer to in their places."""
    for one in sorted(references, key=lambda each: -each.start):
        for meant in earlier[one.start][:1]:
            said = one.text if meant.form is None else form_text(meant.form, {})
            question = f"{question[: one.start]}{said}{question[one.end :]}"
    return question


def _sets(meant: Antecedent) -> list[Set | Last]:
    kind = "they" if (meant.size or 1) > 1 else "name"
    return [Set(meant.form, label, kind) for label in sorted(meant.labels)]  # type: ignore[arg-type]


async def _parts(ctx: QuestionContext, last: Turn) -> tuple[tuple[EntityForm, frozenset[str]], ...]:
    """The sets of the last form that another may take the place of, the outermost first."""
    if last.form is None:
        return ()
    known = await labels_of_finds(ctx, finds(last.form))
    schema = await ctx.graph.schema()
    sets = [each for each in subforms(last.form) if isinstance(each, ENTITY_FORMS)]
    return tuple((each, form_labels(each, schema, known)) for each in dict.fromkeys(sets))
