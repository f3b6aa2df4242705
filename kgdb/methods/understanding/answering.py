"""Answers by logical forms, for questions that ask for more than a chain gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, get_args

from kgdb.errors import UsageError
from kgdb.graph.forms import Form, FormResult, form_text, form_to_dict
from kgdb.graph.forms.operators import (
    Aggregate,
    Compare,
    Filter,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    SelectByQualifier,
    Verify,
    subforms,
)
from kgdb.graph.forms.printing import Words
from kgdb.graph.schema import Schema
from kgdb.graph.value_types import ValueType, typed_value
from kgdb.language import verbalize
from kgdb.language.text.prompts import Language
from kgdb.methods.context import MOST_LABELS, MOST_RELATIONS, QuestionContext
from kgdb.methods.proof.claim_proof import Asked, prove
from kgdb.methods.proof.claim_text import ClaimText, NamedSpan
from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.spoken_language import spoken_language
from kgdb.methods.understanding.model_forms import writes_forms, written_form
from kgdb.methods.understanding.parsing import knows, named_parts, understand
from kgdb.methods.understanding.question import QuestionParts, take_apart
from kgdb.methods.understanding.segmentation import CHINESE
from kgdb.methods.understanding.words import RELATED, likeness, words_of
from kgdb.values import Answer, AnswerValue, QuestionReading, Step, Year
from kgdb.wording import short, value_text


async def has_readable_schema(ctx: QuestionContext) -> bool:
    """Whether the names of the graph alone tell what it says.

    Its labels tell what its relations join, the names are few, and no loader has written texts by
    which chains are found.
    """
    relations = await ctx.graph.all_relations()
    if len(relations) > MOST_RELATIONS or any(each.text for each in relations.values()):
        return False
    schema = await ctx.graph.schema()
    return not schema.is_of_one_kind and len(schema.labels) <= MOST_LABELS


async def is_unknown_language(ctx: QuestionContext) -> bool:
    """Whether nothing can tell which relation a Chinese question means.

    Its words are no names of the graph, the encoder gives them all one vector, and there is no
    language model: a chain would be chosen by noise.
    """
    if question_language(ctx.question) != "zh" or ctx.llm.available:
        return False
    relations = await ctx.graph.all_relations()
    texts = (text for each in relations.values() for text in (each.id, each.text, each.inverse))
    if any(text and CHINESE.search(text) for text in texts):
        return False
    return not await knows(ctx, lexicon("zh"))


async def answer_operators(ctx: QuestionContext, method: str) -> Answer | None:
    """The answer to a question with words such as *how many*, *not* or *oldest*.

    ``None`` for a question without them: it asks for what a chain of relations leads to. A question
    whose operator words are not understood gets the reason.
    """
    parts = await _with_operators(ctx)
    if parts is None:
        return None
    if len(ctx.graph.relations) > MOST_RELATIONS:
        return await _by_model(ctx, method, parts, f"I don't understand {_unread(ctx, parts)}")
    return await answer_by_form(ctx, method)


async def answer_joined(ctx: QuestionContext, method: str) -> Answer | None:
    """The answer to a question that joins words, such as *directed and wrote*; a chain says one.

    ``None`` for a question without them, and for one that has no form.
    """
    if not _joins(ctx.question) or len(await ctx.graph.all_relations()) > MOST_RELATIONS:
        return None
    spans = [(link.start, link.end) for link in await ctx.graph.mentions(ctx.question)]
    if not _joins(" ".join(_between(ctx.question, spans))):
        return None
    with ctx.stage("understand") as stage:
        understood = await understand(ctx)
        form = understood.form
        stage.record(form=None if form is None else form_to_dict(form))
    return None if form is None else await execute(ctx, method, form, understood.readings)


def _joins(text: str) -> bool:
    """Whether a word joins others; of names alone it makes no more than one chain to each."""
    words = re.findall(r"\w+", text.lower())
    joining = set(lexicon(question_language(text)).words_of("and", "or", "but"))
    return not joining.isdisjoint(words[1:-1])


def _between(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What stands before, between and after the names; nothing of what only joins two of them."""
    at = 0
    for start, end in (*spans, (len(text), len(text))):
        part = text[at:start]
        yield part if len(part.split()) > 1 else ""
        at = max(at, end)


async def note_operators(ctx: QuestionContext) -> None:
    """Note which words, such as *how many*, *not* or *oldest*, do not change the answer."""
    parts = await _with_operators(ctx)
    if parts is not None:
        ctx.note(f"{_unread(ctx, parts)}: no effect.")


async def _with_operators(ctx: QuestionContext) -> QuestionParts | None:
    """The parts of a question with operator words; without them it costs no round trip."""
    if not take_apart(ctx.question, (), cues(question_language(ctx.question))).has_operators:
        return None  # not even in a name
    with ctx.stage("understand"):
        parts = await named_parts(ctx)
    return parts if parts.has_operators else None


def _unread(ctx: QuestionContext, parts: QuestionParts) -> str:
    words = short(" … ".join(parts.cues))
    relations = len(ctx.graph.relations)
    return f"{words} in a graph with more than {MOST_RELATIONS} relations (it has {relations:,})"


async def answer_qualifiers(ctx: QuestionContext, method: str) -> Answer | None:
    """The answer to a question that asks for, or by, a property of relationships.

    ``None`` for any other: what no chain can say is *in which role*, *since when*, *above 80*.
    """
    if not _may_ask_qualifiers(ctx.question, ctx.graph.info.qualifiers):
        return None
    if len(await ctx.graph.all_relations()) > MOST_RELATIONS:
        return None
    with ctx.stage("understand") as stage:
        understood = await understand(ctx)
        form = understood.form
        asks = form is not None and any(map(_reads_qualifiers, subforms(form)))
        stage.record(form=form_to_dict(form) if form is not None and asks else None)
    if form is not None and asks:
        return await execute(ctx, method, form, understood.readings)
    parts = understood.parts
    says_when = parts and (parts.asks == "when" or any(c.dated for c in parts.comparisons))
    if form is None and parts and says_when:
        # A chain would leave out when.
        return await _by_model(ctx, method, parts, understood.reason or "")
    return None


def _may_ask_qualifiers(question: str, qualifiers: Sequence[str]) -> bool:
    """Whether a word is that of such a property, or a date or number may be one of its values.

    It costs no round trip.
    """
    known = cues(question_language(question))
    parts = take_apart(question, (), known, qualifiers)
    names = [word for name in qualifiers for word in words_of(name)]
    said = any(
        likeness(word.text, name, known) >= RELATED for word in parts.words for name in names
    )
    values = parts.asks in ("when", "how much") or parts.comparisons or re.search(r"\d", question)
    return bool(qualifiers) and (said or bool(values))


def _reads_qualifiers(form: Form) -> bool:
    if isinstance(form, Relate):
        return bool(form.where)
    return isinstance(form, Qualifier | SelectByQualifier) or (
        isinstance(form, GroupBy) and form.qualifier is not None
    )


async def answer_by_form(ctx: QuestionContext, method: str) -> Answer:
    """The answer by the question's form, or the reason why there is no form."""
    with ctx.stage("understand") as stage:
        understood = await understand(ctx)
        form = understood.form
        stage.record(form=None if form is None else form_to_dict(form), reason=understood.reason)
    if form is not None:
        answer = await execute(ctx, method, form, understood.readings)
        # Of other languages the grammar has used all words, and a proof knows none of them.
        is_told = spoken_language(ctx.question) in get_args(Language)
        if (
            answer.value is True
            and is_told
            and (reason := await _unproved(ctx, form, understood.parts, answer))
        ):
            return abstains(ctx, method, reason)
        return answer
    reason = understood.reason or ""
    if understood.parts is not None and writes_forms(ctx):
        return await _by_model(ctx, method, understood.parts, reason)
    if readings := _in_words(ctx, understood.readings):
        return replace(abstains(ctx, method, _unclear(readings)), readings=readings)
    if advice := understood.advice:
        reason = f"{reason} {advice}" if reason.endswith("?") else f"{reason}. {advice}"
    return abstains(ctx, method, reason)


def _in_words(ctx: QuestionContext, forms: Sequence[Form]) -> tuple[QuestionReading, ...]:
    """The forms that a question may mean, in words; a single one is no choice."""
    told: dict[str, Form] = {}
    for form in forms:
        told.setdefault(form_text(form, words_for(ctx, form)), form)
    readings = [QuestionReading(text, form_to_dict(form)) for text, form in told.items()]
    return tuple(readings) if len(readings) > 1 else ()


def _unclear(readings: Sequence[QuestionReading]) -> str:
    """The question back, where it is not clear which of its readings is meant."""
    told = [f"({n}) {each.interpretation}" for n, each in enumerate(readings, 1)]
    return f"it is not clear which is meant: {' or '.join(told)}"


async def _unproved(
    ctx: QuestionContext, form: Form, parts: QuestionParts | None, answer: Answer
) -> str | None:
    """Why the facts do not prove a yes; that of a comparison is the form's own value."""
    if answer.value is not True or parts is None or not isinstance(form, Verify):
        return None
    if form.op or parts.comparisons or any(map(_compares, subforms(form))):
        return None
    facts = [path for path in answer.facts if path.steps]
    if not facts:
        return None  # "is X a film" is told by the label alone
    ends = [end for path in facts for end in (path.entities[0], path.entities[-1])]
    spans = []
    for anchor in parts.anchors:
        names = {anchor.text.casefold(), str(anchor.value).casefold()}
        found = {end.id for end in ends if end.name.casefold() in names}
        ids = {id_ for one in anchor.readings for id_ in getattr(one.form, "ids", ())}
        spans.append(NamedSpan(anchor.text, anchor.start, anchor.end, frozenset(ids | found)))
    claim = ClaimText.of(ctx.question, spans)
    if not any(words for _, words in claim.gaps()):
        return None  # "is X in Y" says no relation: the form has the only one that fits
    proof = await prove(ctx, claim, facts, Asked())
    return "; ".join(proof.unproved) or None


def _compares(form: Form) -> bool:
    """Whether it holds one value against another: *older than X*."""
    if isinstance(form, Filter):
        return isinstance(form.value, Property | Aggregate)
    return isinstance(form, Compare)


async def _by_model(ctx: QuestionContext, method: str, parts: QuestionParts, reason: str) -> Answer:
    """The answer by the form of the language model; ``reason`` is why the rules have none."""
    if not writes_forms(ctx):
        return abstains(ctx, method, reason)
    written = await written_form(ctx, parts, reason)
    if written.form is None or written.result is None:
        return abstains(ctx, method, written.reason or reason)
    ctx.note(f"{reason}: the language model wrote the form.")
    return await _answer_of(ctx, method, written.form, written.result)


async def execute(
    ctx: QuestionContext, method: str, form: Form, readings: Sequence[Form] = ()
) -> Answer:
    """What a form comes to, as the answer to the question; ``readings`` are all it may mean."""
    with ctx.stage("execute") as stage:
        try:
            result = await ctx.graph.query(form)
        except UsageError as error:  # such as the mean of dates
            return abstains(ctx, method, f"{error.message.rstrip('.')}")
        stage.record(total=result.total)
    answer = await _answer_of(ctx, method, form, result)
    return replace(answer, readings=_in_words(ctx, readings))


async def _answer_of(ctx: QuestionContext, method: str, form: Form, result: FormResult) -> Answer:
    schema = await ctx.graph.schema()
    return form_answer(ctx, method, form, replace(result, value=_typed(form, result.value, schema)))


def _typed(form: Form, value: AnswerValue, schema: Schema) -> AnswerValue:
    """Numbers and booleans that the graph holds as texts, typed; one value without a list.

    A number that is a date is a year.
    """
    kind = _type_of(form, schema)
    if kind is None:
        return value
    if not isinstance(value, tuple):
        return _as_year(value) if kind == "date" else value
    if isinstance(form, GroupBy):
        return tuple(replace(each, value=_as_year(each.value)) for each in value)
    typed = tuple(replace(each, value=typed_value(each.value, kind)) for each in value)
    if kind == "date":
        typed = tuple(replace(each, value=_as_year(each.value)) for each in typed)
    return typed[0].value if len(typed) == 1 else typed


def _type_of(form: Form, schema: Schema) -> ValueType | None:
    """The type of the values that the form gives; ``None`` where they are no values of the graph.

    A sum or mean is a number, whatever the values are.
    """
    match form:
        case Property(property=name):
            return schema.property_info(name).type
        case Qualifier(relation=relation, property=name):
            return schema.relations[relation].property(name).type
        case Aggregate(values=values, function="min" | "max"):
            return _type_of(values, schema)
        case GroupBy(function="min" | "max", of=str(name)) if (
            schema.property_info(name).type == "date"
        ):
            return "date"
    return None


def _as_year(value: Any) -> Any:
    return Year(value) if isinstance(value, int) and not isinstance(value, bool) else value


def form_answer(ctx: QuestionContext, method: str, form: Form, result: FormResult) -> Answer:
    """What a form came to, as an answer."""
    interpretation = form_text(form, words_for(ctx, form))
    answer = Answer(
        ctx.question,
        ctx.graph.name,
        method,
        entities=result.entities,
        interpretation=interpretation,
        value=result.value,
        facts=result.facts,
        form=form_to_dict(form),
        truncated=result.truncated and not isinstance(result.value, int),
    )
    if answer.is_empty:
        return replace(answer, reason="the graph has nothing that fits", value=None)
    return replace(answer, text=_sentence(answer))


def abstains(ctx: QuestionContext, method: str, reason: str) -> Answer:
    """No answer, with the reason why there is none."""
    return Answer(ctx.question, ctx.graph.name, method, reason=reason)


def words_for(ctx: QuestionContext, form: Form) -> Words:
    """What the relations of a form lead to, in words."""
    names = {name for each in subforms(form) if (name := getattr(each, "relation", None))}
    return {
        (name, reverse): verbalize((Step(name, reverse),), "{}", ctx.graph.relations)
        for name in names
        for reverse in (False, True)
    }


def _sentence(answer: Answer) -> str | None:
    """The answer in one sentence, where it is one value."""
    value = answer.value
    if isinstance(value, bool):
        return "Yes." if value else "No."
    if value is None or isinstance(value, tuple):
        return None
    what = answer.interpretation or ""
    return f"{what[:1].upper()}{what[1:]}: {value_text(value)}."
