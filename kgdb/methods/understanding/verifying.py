"""Verdicts by logical forms, on claims with numbers, dates, comparisons and negations."""

from __future__ import annotations

from dataclasses import replace

from kgdb.graph.forms import FormResult, form_text, form_to_dict
from kgdb.graph.forms.operators import Compare, Verify, subforms
from kgdb.methods.context import MOST_RELATIONS, QuestionContext
from kgdb.methods.understanding.answering import words_for
from kgdb.methods.understanding.cues import cues, question_language
from kgdb.methods.understanding.parsing import named_parts, understand
from kgdb.methods.understanding.question import QuestionParts, take_apart
from kgdb.values import Verdict


async def verify_operators(ctx: QuestionContext, method: str) -> Verdict | None:
    """The verdict on a claim with a number, a date, a comparison or a negation.

    It is REFUTED only by facts that exclude it: another value, another number, the other of two.
    ``None`` for a claim that has no such word, or whose words do not tell the form.
    """
    if question_language(ctx.question) != "en":
        return None
    if not _says_more(take_apart(ctx.question, (), cues(), claim=True)):
        return None  # not even in a name
    with ctx.stage("understand"):
        parts = await named_parts(ctx, claim=True)
    if not parts.anchors or not _says_more(parts):
        return None
    of_one_kind = not ctx.graph.info.qualifiers and (await ctx.graph.schema()).is_of_one_kind
    if of_one_kind or len(ctx.graph.relations) > MOST_RELATIONS:
        return None
    with ctx.stage("understand") as stage:
        understood = await understand(ctx, claim=True)
        form = understood.form
        stage.record(form=None if form is None else form_to_dict(form), reason=understood.reason)
    qualified = form is not None and any(getattr(each, "where", ()) for each in subforms(form))
    if not isinstance(form, Verify) or not (qualified or _compares(form)):
        return None  # whether a relation joins two things is judged by the facts around them
    with ctx.stage("execute"):
        result = await ctx.graph.query(form)
    verdict = Verdict(
        ctx.question,
        ctx.graph.name,
        method,
        interpretation=form_text(form, words_for(ctx, form)),
        retrieved=result.evidence,
    )
    return _judged(verdict, result, negated=understood.negated, qualified=qualified)


def _says_more(parts: QuestionParts) -> bool:
    """Whether a claim says more than that a relation joins two entities."""
    return bool(parts.comparisons) or replace(parts, yes_no=False).has_operators


def _judged(verdict: Verdict, result: FormResult, *, negated: bool, qualified: bool) -> Verdict:
    """The verdict by the value of the form: yes, no, or nothing to compare.

    ``qualified``: it has conditions on relationships. That a fact holds at another time, or in
    another way, does not exclude this one.
    """
    if qualified and not result.value:
        return replace(verdict, reason="the graph does not state it with that date or value")
    if result.value is None:
        return replace(verdict, reason="the graph has no value to compare")
    if result.value is not negated:
        return replace(verdict, label="SUPPORTED", supporting=result.evidence)
    return replace(verdict, label="REFUTED", opposing=result.evidence)


def _compares(form: Verify) -> bool:
    """Whether a value decides: another value excludes what the claim says."""
    return form.op is not None or any(isinstance(each, Compare) for each in subforms(form))
