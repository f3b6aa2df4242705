"""A follow-up as a form: the grammar reads it with the earlier answer in its place."""

from __future__ import annotations

from collections.abc import Sequence

from kgdb.graph.forms.operators import ENTITY_FORMS, Count, Except, Find, Form
from kgdb.methods.context import QuestionContext
from kgdb.methods.follow_ups.antecedents import Antecedents, finds, form_labels
from kgdb.methods.follow_ups.earlier_leaves import read_by_grammar, stands_alone
from kgdb.methods.follow_ups.follow_up_words import referring_words
from kgdb.methods.follow_ups.going_on import GoingOn, going_on, is_fragment, is_pronoun
from kgdb.methods.follow_ups.last_turn import Turn, antecedents_of, labels_of_finds
from kgdb.methods.follow_ups.lead import lead_of
from kgdb.methods.follow_ups.plan import Plan
from kgdb.methods.follow_ups.references import Reference, references_in
from kgdb.methods.follow_ups.rewording import nothing_before, plan_by_names
from kgdb.methods.understanding import has_readable_schema
from kgdb.methods.understanding.anchors import find_anchors
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.question import take_apart
from kgdb.wording import counted, short


async def read_follow_up(ctx: QuestionContext, last: Turn | None, language: str) -> Plan | None:
    """What the question asks for, or why it is not understood; ``None`` where it stands alone."""
    schema, classes = await ctx.graph.schema(), lexicon(language).words
    anchors = await find_anchors(ctx, schema, classes)
    words, known = referring_words(), cues()
    if language == "en":
        anchors = tuple(a for a in anchors if not is_pronoun(a, ctx.question, words))
        found = going_on(ctx.question, anchors, schema, words, known)
    else:
        found = GoingOn(references_in(ctx.question, language), goes_on=False)
    references = found.references
    lead = lead_of(ctx.question, [(a.start, a.end) for a in anchors], words)
    parts = take_apart(lead.text, anchors, known, schema.wordings)
    is_bare = language == "en" and not parts.words
    said = " ".join(one.text for one in references) or ctx.question.strip(" ?.!")
    if last is None:
        is_open = references or (is_bare and not (anchors or parts.comparisons))
        return Plan(reason=nothing_before(said)) if is_open else None
    goes_on = found.goes_on or (is_bare and not anchors)
    begins = goes_on or lead.opens or lead.swaps or is_fragment(lead, words)
    is_alone = language == "en" and not (references or begins)
    if is_alone or (not goes_on and await stands_alone(ctx, anchors, language)):
        return None
    others = words.others.search(ctx.question.lower())
    if not await has_readable_schema(ctx) and not others and not parts.has_operators:
        by_name = await plan_by_names(ctx, last, words, known)
        if by_name is not None and by_name.question is not None:
            return by_name  # a question alone is answered by a chain there
    question = ctx.question
    if others:
        question = f"{question[: others.start()]}{' ' * len(others[0])}{question[others.end() :]}"
    antecedents = await antecedents_of(ctx, last, classes)
    asked = ctx.asking(question)
    read = await read_by_grammar(asked, anchors, references, last, antecedents, language)
    if read is not None:
        form = await _others(ctx, read.form, antecedents) if others else read.form
        return Plan(form=form, subject=read.subject)
    if not (goes_on or references or (is_bare and (lead.opens or lead.swaps))):
        return None
    left = [word.text for word in parts.words] or [said]
    unread = f"I don't understand {short(' … '.join(left))} in the question"
    return Plan(reason=_reason(references, antecedents, yes_no=parts.yes_no) or unread)


def _reason(
    references: Sequence[Reference], antecedents: Antecedents, *, yes_no: bool
) -> str | None:
    """Why nothing was read, where words refer to nothing or to too much."""
    of = antecedents.describe()
    for one in references:
        fitting = antecedents.fitting(one)
        if not fitting:
            return f"{short(one.text)} refers to nothing in the last answer ({of})"
        size = fitting[0].size
        if size == 0 and one.refers == "thing":
            return f"{short(one.text)} refers to nothing: the last answer is empty"
        if yes_no and one.refers == "thing" and (size or 1) > 1:
            number = counted(size or 0, "entity", "entities")
            return f"{short(one.text)} are {number}: ask 'are any of them …' or 'which of them …'"
    return None


async def _others(ctx: QuestionContext, form: Form, antecedents: Antecedents) -> Form:
    """Those of a form that the last question does not speak of: *what else did he direct?*."""
    if isinstance(form, Count):
        inner = await _others(ctx, form.form, antecedents)
        return Count(inner) if isinstance(inner, ENTITY_FORMS) else form
    if not isinstance(form, ENTITY_FORMS):
        return form
    named = await labels_of_finds(ctx, finds(form))
    labels = form_labels(form, await ctx.graph.schema(), named)
    others = form
    for place, antecedent in enumerate(antecedents.every):
        is_said = place == 0 or isinstance(antecedent.form, Find)
        if is_said and antecedent.labels & labels:
            others = Except(others, antecedent.form)
    return others
