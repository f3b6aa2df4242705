"""Answers to questions that go on from the last one: by its form changed, or in other words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from kgdb.graph.forms import form_to_dict
from kgdb.methods.context import MOST_LABELS, MOST_RELATIONS, QuestionContext
from kgdb.methods.follow_ups.follow_up_reading import read_follow_up
from kgdb.methods.follow_ups.follow_up_words import referring_words
from kgdb.methods.follow_ups.going_on import may_go_on
from kgdb.methods.follow_ups.last_turn import Turn
from kgdb.methods.follow_ups.plan import Plan
from kgdb.methods.follow_ups.references import references_in
from kgdb.methods.follow_ups.rewording import plan_by_names
from kgdb.methods.understanding.answering import abstains, execute, has_readable_schema
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.spoken_language import spoken_language
from kgdb.values import Answer
from kgdb.wording import counted, short

AnswerAlone = Callable[[QuestionContext], Awaitable[Answer]]
"""Answers a question that stands alone, as the method does."""


@dataclass(frozen=True, slots=True)
class FollowUpAnswer:
    """The answer to a question that went on from another, and what the next one may refer to.

    ``turn`` is ``None`` for one that was not understood: the last answer stays.
    """

    answer: Answer
    turn: Turn | None


async def answer_follow_up(
    ctx: QuestionContext, method: str, alone: AnswerAlone, last: Turn | None
) -> FollowUpAnswer | None:
    """The answer to a question that goes on from the last one; ``None`` where it stands alone.

    A question without any word that may refer costs nothing here: its words tell that it stands
    alone.
    """
    language = spoken_language(ctx.question)
    if language == "en":
        may = may_go_on(ctx.question, referring_words(), cues(), has_last=last is not None)
    else:
        may = lexicon(language).goes_on and (
            last is not None or bool(references_in(ctx.question, language))
        )
    if not may:
        return None
    with ctx.stage("follow up") as stage:
        plan = await _plan(ctx, last)
        if plan is None:
            return None
        form = None if plan.form is None else form_to_dict(plan.form)
        stage.record(form=form, question=plan.question, reason=plan.reason)
    if plan.form is not None:
        answer = await execute(ctx, method, plan.form)
        is_new = answer.form is not None and not plan.keeps
        turn = Turn(answer, ctx.question, plan.subject) if is_new else None
        if last is not None and last.answer.truncated and last.answer.form is None:
            number = counted(len(last.answer.entities), "entity", "entities")
            ctx.note(f"The last answer was cut off: this is asked of its first {number}.")
        return FollowUpAnswer(answer, turn)
    if plan.question is not None:
        answer = await alone(ctx.asking(plan.question))
        ctx.note(f"Asked as {short(plan.question)}.")
        told = replace(answer, question=ctx.question)
        return FollowUpAnswer(told, None if told.is_empty else Turn(told, plan.question))
    return FollowUpAnswer(abstains(ctx, method, plan.reason or ""), None)


async def _plan(ctx: QuestionContext, last: Turn | None) -> Plan | None:
    language = spoken_language(ctx.question)
    relations = await ctx.graph.all_relations()
    schema = await ctx.graph.schema() if len(relations) <= MOST_RELATIONS else None
    is_read = language == "en" or await has_readable_schema(ctx)
    if schema is None or len(schema.labels) > MOST_LABELS or not is_read:
        return await plan_by_names(ctx, last, referring_words(), cues())
    return await read_follow_up(ctx, last, language)
