"""Verdicts on claims that the grammar reads: the verdict is the value of the form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kgdb.errors import UsageError
from kgdb.graph.forms import form_text, form_to_dict
from kgdb.graph.forms.operators import (
    And,
    Except,
    FilterLabel,
    Find,
    Form,
    Relate,
    Verify,
    subforms,
)
from kgdb.graph.schema import Schema
from kgdb.language.text.word_classes import claiming_words
from kgdb.methods.context import MOST_RELATIONS, QuestionContext
from kgdb.methods.proof.claim_proof import only_near, unknown
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.answering import has_readable_schema, words_for
from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.exclusion import Exclusion, Facts
from kgdb.methods.understanding.grammar.grammar_reading import Candidate, Sentence
from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.meanings import Whole
from kgdb.methods.understanding.parsing import named_parts
from kgdb.methods.understanding.question import Anchor
from kgdb.methods.understanding.reading_choice import (
    CONTENDERS,
    LIKELIER_THAN_NOT,
    MOST,
    NO_READING,
    UNLIKELY,
    compared,
    probabilities,
    reading_weights,
)
from kgdb.methods.understanding.spoken_dates import with_iso_dates
from kgdb.methods.understanding.words import likeness, words_of
from kgdb.values import Label, Verdict
from kgdb.wording import short

_NAME = re.compile(r"\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*")
_CLAIMING = re.compile(
    r"\b(?:{})\b".format(
        "|".join(
            (claiming_words("en") & lexicon().silent) - {"exactly", "some"}
            | set(lexicon().words_of("can"))
        )
    )
)
"""Words that the grammar passes over, and that say more in a claim: *just*, *other*, *will*."""

_DENYING = re.compile(r"\b(?:{})\b|n't\b".format("|".join(lexicon().words_of("not", "no"))))
"""Beside these *any* says no more than *a*."""

_UNSAID = frozenset(
    [
        "link.backward",
        "hint.unnamed",
        "label.person",
        "noun.of_every",
        "unit.unnamed",
        "scale.unsaid",
    ]
    + [f"{of}.{how}" for of in ("label", "property", "relation") for how in ("near", "overlap")]
)
"""Features of readings that only the encoder, or some of the words, find similar."""

_UNDECIDED: Label = "NOT ENOUGH EVIDENCE"


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the facts say of a statement."""

    label: Label
    facts: Facts = ()
    reason: str | None = None

    def comes_to(self, other: _Judged) -> bool:
        """Whether it is another verdict by the same single facts, or by more of them.

        That a fact holds in 2014 may be told by two of its properties.
        """
        own, others = (
            {path for path in each.facts if len(path.steps) == 1} for each in (self, other)
        )
        is_part = own <= others or others <= own
        return self.label == other.label and bool(own) == bool(others) and is_part


async def verify_by_form(
    ctx: QuestionContext, method: str, *, closed_world: bool = False
) -> Verdict | None:
    """The verdict on a claim that the grammar reads, ``None`` for any other.

    A claim that is false is REFUTED only by facts that exclude it, or in a closed world; there
    facts judge what the form does not decide. Where the names of a graph alone do not tell what it
    says, that a relation joins two things is judged by the facts around them.
    """
    known, schema = cues(question_language(ctx.question)), await ctx.graph.schema()
    is_readable = await has_readable_schema(ctx)
    if not known.spaced or not (is_readable or await _says_more(ctx, schema)):
        return None
    with ctx.stage("understand") as stage:
        anchors = await find_anchors(ctx, schema, known)
        if reason := await _not_named(ctx, schema, anchors):
            unnamed = Verdict(ctx.question, ctx.graph.name, method, reason=reason)
            return None if closed_world else unnamed
        chosen = await _chosen(ctx, schema, anchors, closed_world=closed_world)
        stage.record(form=chosen and form_to_dict(chosen[0].form))
    if chosen is None or not (is_readable or any(map(_weighs, _statements(chosen[0].whole)))):
        return None
    candidate, judged = chosen
    if closed_world and judged.label == _UNDECIDED:
        return None
    verdict = Verdict(
        ctx.question,
        ctx.graph.name,
        method,
        judged.label,
        interpretation=_said(ctx, candidate.whole),
        retrieved=judged.facts,
        reason=judged.reason,
    )
    if judged.label == "SUPPORTED":
        return replace(verdict, supporting=judged.facts)
    return replace(verdict, opposing=judged.facts) if judged.label == "REFUTED" else verdict


async def _says_more(ctx: QuestionContext, schema: Schema) -> bool:
    """Whether a claim has a number, a date, a comparison or a denial, outside of names."""
    alike = schema.is_of_one_kind and not ctx.graph.info.qualifiers
    if alike or len(ctx.graph.relations) > MOST_RELATIONS:
        return False
    parts = await named_parts(ctx)
    return bool(parts.comparisons) or parts.has_operators


def _weighs(said: Whole) -> bool:
    """Whether it says more than that relations join things."""
    return any(
        not isinstance(each, Verify | And | Find | Relate | FilterLabel)
        or (isinstance(each, Relate) and bool(each.where))
        or (isinstance(each, Verify) and each.op is not None)
        for each in subforms(said.form)
    )


async def _not_named(ctx: QuestionContext, schema: Schema, anchors: Sequence[Anchor]) -> str | None:
    """Why a claim is about something that the graph does not have, if it is.

    It is written as a name, not only as the first word, or it is only similar to a name of the
    graph.
    """
    links = await ctx.graph.mentions(ctx.question)
    at = {anchor.start for anchor in anchors}
    if near := next((link for link in links if link.near and link.start in at), None):
        return only_near(near.mention, near.entities[0].name)
    words = {word for name in schema.wordings for word in words_of(name)}
    for left_out in _CLAIMING.finditer(ctx.question):
        is_named = any(each.start <= left_out.start() < each.end for each in anchors)
        if not is_named and not (left_out[0] == "any" and _DENYING.search(ctx.question)):
            return f"no fact shown says {short(left_out[0])}"
    dated = with_iso_dates(ctx.question.lower())
    for found in _NAME.finditer(ctx.question):
        is_first = not ctx.question[: found.start()].strip() and " " not in found[0]
        is_date = dated[slice(*found.span())] != found[0].lower()
        is_known = any(likeness(found[0].lower(), word, cues("en")) for word in words)
        is_named = any(each.start < found.end() and found.start() < each.end for each in anchors)
        if not (is_first or is_date or is_known or is_named):
            return unknown([found[0]])
    return None


def _said(ctx: QuestionContext, whole: Whole) -> str:
    """What a claim is understood as."""
    return "; ".join(
        f"{'not: ' if each.denied else ''}{form_text(each.form, words_for(ctx, each.form))}"
        for each in _statements(whole)
    )


def _statements(whole: Whole) -> Iterator[Whole]:
    yield whole
    yield from whole.also


async def _chosen(
    ctx: QuestionContext, schema: Schema, anchors: Sequence[Anchor], *, closed_world: bool
) -> tuple[Candidate, _Judged] | None:
    """The likeliest reading with its verdict, if all readings with that proof are likely enough."""
    weights = reading_weights()
    sentence = Sentence(ctx.question, anchors, schema, ctx.graph.relations)
    matcher = sentence.matcher(await ctx.encoder.encode(sentence.texts))
    read = sentence.read(matcher, weights, claim=True)
    candidates = [each for each in read if _is_said(each)][:MOST]
    if not candidates:
        return None
    scores = await compared(ctx, candidates, weights)
    shares = probabilities(scores, weights[NO_READING])
    best, *others = sorted(range(len(candidates)), key=lambda place: -shares[place])
    exclusion = Exclusion(ctx, schema)
    judged = await _judge(exclusion, candidates[best].whole, closed_world=closed_world)
    share = shares[best]
    for place in others[: CONTENDERS - 1]:
        if share <= LIKELIER_THAN_NOT and shares[place] >= UNLIKELY:
            other = await _judge(exclusion, candidates[place].whole, closed_world=closed_world)
            share += shares[place] if other.comes_to(judged) else 0.0
    return (candidates[best], judged) if share > LIKELIER_THAN_NOT else None


def _is_said(reading: Candidate) -> bool:
    """Whether the words say all of it, and say it this way round.

    A claim leaves no relation out on the way to a thing, and has no word that says something else.
    """
    return not any(
        (name == "hops" and value) or name.startswith("direction.") or name in _UNSAID
        for name, value in reading.features
    )


async def _judge(exclusion: Exclusion, whole: Whole, *, closed_world: bool) -> _Judged:
    """The verdict on all that a reading states."""
    facts: Facts = ()
    undecided: _Judged | None = None
    for statement in _statements(whole):
        try:
            judged = await _stated(exclusion, statement, closed_world=closed_world)
        except UsageError as error:  # such as the mean of texts
            return _Judged(_UNDECIDED, (), error.message.rstrip("."))
        if judged.label == "REFUTED":
            return judged
        facts = (*facts, *judged.facts)
        undecided = undecided or (judged if judged.label == _UNDECIDED else None)
    return undecided or _Judged("SUPPORTED", tuple(dict.fromkeys(facts)))


async def _stated(exclusion: Exclusion, said: Whole, *, closed_world: bool) -> _Judged:
    """The verdict on one statement."""
    form = said.form
    assert isinstance(form, Verify)  # noqa: S101 - all that a claim states is yes or no
    result = await exclusion.ctx.graph.query(form)
    if result.value is None:
        return _Judged(_UNDECIDED, (), "the graph has no value to compare")
    if said.implied and result.value is said.denied:
        return _Judged(_UNDECIDED, (), "it holds of some only, or not just so")
    if result.value:
        return _Judged("REFUTED" if said.denied else "SUPPORTED", result.facts)
    label: Label = "SUPPORTED" if said.denied else "REFUTED"
    if said.denied and _is_counted(form.form):
        return _Judged(label)
    facts = await exclusion.of(form)
    if facts is None and not closed_world:
        return _Judged(_UNDECIDED, (), "the graph does not state it, and nothing there excludes it")
    return _Judged(label, facts or ())


def _is_counted(form: Form) -> bool:
    """Whether none of many is without, or with, something."""
    return isinstance(form, Except)
