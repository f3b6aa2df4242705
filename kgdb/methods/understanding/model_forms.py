"""A capable language model writes the form of a question that the rules do not understand.

It is asked once, and once more with the error if its form cannot be used. What it writes is data:
it is parsed and checked (:mod:`kgdb.methods.understanding.form_check`), and executed as any other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.forms import Form, FormResult, form_to_dict, read_form
from kgdb.language import CompletionRequest
from kgdb.language.text.lines import one_line
from kgdb.language.text.replies import MAX_REPLY, spoken
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.form_check import FormCheck
from kgdb.methods.understanding.form_prompt import (
    REPLY_TOKENS,
    UNKNOWN,
    form_prompt,
    repair_prompt,
)
from kgdb.methods.understanding.named import named_in
from kgdb.methods.understanding.question import QuestionParts
from kgdb.wording import short

_CALLS = 2
"""Calls of the language model for one question: the form and its repair."""

_TRIED = 50
"""Places of a reply at which a form may begin."""

_SHOWN = 80


@dataclass(slots=True)
class WrittenForm:
    """What the model wrote: the last form with what it came to, or the reason why there is none."""

    form: Form | None = None
    result: FormResult | None = None
    reason: str | None = None
    refused: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def writes_forms(ctx: QuestionContext) -> bool:
    """Whether there is a language model that can follow such instructions."""
    return ctx.llm.available and not ctx.llm.is_small


async def written_form(ctx: QuestionContext, parts: QuestionParts, unread: str) -> WrittenForm:
    """The form that the language model writes, executed; ``unread`` tells why the rules have none.

    ``parts`` are the parts of the question, whose operator words the form must account for.
    """
    ctx.budget.limit(calls=_CALLS)
    written = WrittenForm()
    with ctx.stage("write form") as stage:
        named = await named_in(ctx, parts.anchors)
        asked = await form_prompt(ctx, named)
        check = FormCheck(ctx, parts, named, await ctx.graph.schema())
        text = asked.text
        for _ in range(_CALLS):
            request = CompletionRequest(
                text, max_tokens=REPLY_TOKENS, schema=asked.schema, best_effort=True
            )
            reply = (await ctx.llm.complete(request)).text
            try:
                value = _json_in(reply)
                if value == {"op": UNKNOWN}:
                    written.reason = (
                        f"{unread}; the language model finds nothing in the graph for it"
                    )
                    break
                written.form = await check.resolved(read_form(value))
                written.result = await ctx.graph.query(written.form)
                break
            except UsageError as error:
                written.form = None
                message = f"{error.message} {error.hint or ''}".strip()
                written.refused.append(one_line(reply))
                written.errors.append(message)
                written.reason = (
                    f"{unread}; the form of the language model cannot be used: "
                    f"{one_line(error.message.rstrip('.'))}"
                )
                text = repair_prompt(ctx, asked.text, reply, message)
        form = written.form
        stage.record(
            **asked.trace,
            written_by=ctx.llm.name,
            form=None if form is None else form_to_dict(form),
            refused=written.refused,
            errors=written.errors,
        )
    return written


def _json_in(reply: str) -> Any:
    """The form in a reply, fenced, or with words around it, or under the key ``form``.

    A part of a form that was cut off, or is no JSON, is no form. Raises :class:`UsageError`.
    """
    text = spoken(reply)
    if text is None and len(reply) > MAX_REPLY:
        raise UsageError(f"The language model wrote no form but {len(reply):,} characters.")
    text, decoder = text or "", json.JSONDecoder()
    start = text.find("{")
    for _ in range(_TRIED):
        if start < 0:
            break
        try:
            value, _ = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            start = text.find("{", max(error.pos, start + 1))
        except RecursionError:
            break
        else:
            return _unwrapped(value)
    said = one_line(text, _SHOWN)
    raise UsageError(
        "The language model wrote no form" + (f": {short(said)}." if said else "."),
        hint='Expected an object of JSON: {"op": …}',
    )


def _unwrapped(value: dict[str, Any]) -> Any:
    return value["form"] if "op" not in value and "form" in value else value
