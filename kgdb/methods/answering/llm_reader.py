"""The language model reads the answers out of the evidence, as in the papers.

It sees the facts in words and may answer only with entities that they mention. What it answers
stands for its whole answer slot. Where its reply is of no use, the best slot answers instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kgdb.graph.linking.mentions import normalize
from kgdb.language import CompletionRequest, grouped
from kgdb.language.text.lines import LONGEST_LINE, numbered, one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.answering.answer_slots import AnswerSlot, candidates_of
from kgdb.methods.answering.completion import Completed
from kgdb.methods.answering.extraction import AnswerStrategy, BestSlot, SlottedEvidence
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer, Entity, Path

_LISTED = 150
"""Candidates that a schema lists; a grammar of more is slow to make, and a reply is then free."""

_LONGEST_NAME = 200
"""Characters of a name that a schema lists."""

_REPLY_TOKENS = 200
_REASON_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Wording:
    """How a method asks for the answers: ``to_prompt`` makes the prompt of the numbered facts.

    With ``reasons`` the model first writes how it gets to the answers, which is kept as the
    answer's text.
    """

    to_prompt: Callable[[str], str]
    reasons: bool = False


@dataclass(frozen=True, slots=True)
class LLMReader:
    """The entities that the language model names, with those of their slot.

    The model is shown the first ``max_evidence`` paths, or as many as it can read, or else
    ``in_words``: the evidence as lines that the method has worded, most valuable first. With
    ``complete_sets`` an answer brings along those of its slot that the model did not name. Where
    the reply is of no use, or names nothing of the evidence, ``fall_back`` answers, if given; a
    model that replies that there is no answer is believed. What it says beyond the evidence is
    kept, as ``unsupported``, only with ``allow_unsupported``.
    """

    max_evidence: int = 100
    wording: Wording | None = None
    in_words: Sequence[str] = ()
    complete_sets: bool = True
    fall_back: AnswerStrategy | None = field(default_factory=BestSlot)
    allow_unsupported: bool = False

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """What the model reads; the best slot where there is no model."""
        if not ctx.llm.available:
            return await (self.fall_back or BestSlot()).answer(ctx, slotted)
        reply = await self._ask(ctx, slotted)
        blank = replace(slotted.blank, text=reply.reasoning)
        if reply.names is not None and not reply.names:
            return replace(blank, reason="the language model read no answer out of the evidence.")
        candidates = candidates_of(ctx, slotted.evidence.paths, slotted.mentioned)
        named, beyond = _matched(reply.names or (), candidates)
        if self.allow_unsupported:
            blank = replace(blank, unsupported=tuple(beyond))
        slotted = replace(slotted, blank=blank)
        if named:
            return await self._named(ctx, slotted, named)
        # A name may be long, and it is the model's word against the evidence.
        quoted = ", ".join(repr(one_line(name, 60)) for name in beyond)
        said = f"answered {quoted}, which no evidence proves" if beyond else "named no answer"
        if self.fall_back is None:
            return replace(blank, reason=f"the language model {said}.")
        ctx.note(f"The language model {said}: what goes best with the question was taken instead.")
        return await self.fall_back.answer(ctx, slotted)

    async def _named(
        self, ctx: QuestionContext, slotted: SlottedEvidence, named: Sequence[Entity]
    ) -> Answer:
        slot = _slot_of(named, slotted.slots)
        whole = Completed(slot.entities, truncated=slotted.evidence.discarded.has_more(slot))
        entities = list(named)
        if self.complete_sets:
            whole = await slotted.completed(ctx, slot)
            entities = list(dict.fromkeys([*named, *whole.entities]))
        return slotted.answered(slotted.blank, entities, slot, slotted.slots, whole)

    async def _ask(self, ctx: QuestionContext, slotted: SlottedEvidence) -> _Reply:
        """What the language model answers, each name once."""
        wording = self.wording or _plain_wording(ctx)
        evidence = slotted.evidence.paths[: self.max_evidence]

        def of_paths(some: Sequence[Path]) -> str:
            lines = grouped(some, ctx.graph.relations, LONGEST_LINE)
            return wording.to_prompt(numbered([one_line(line) for line in lines]))

        def of_lines(some: Sequence[str]) -> str:
            return wording.to_prompt(numbered([one_line(text) for text in some]))

        tokens = _REPLY_TOKENS + _REASON_TOKENS * wording.reasons
        if self.in_words:
            kept = ctx.llm.fit(self.in_words, of_lines, tokens)
            # A line in other words is not one path.
            text, read = of_lines(self.in_words[:kept]), evidence
        else:
            kept = ctx.llm.fit(evidence, of_paths, tokens)
            text, read = of_paths(evidence[:kept]), evidence[:kept]
        candidates = candidates_of(ctx, read, slotted.mentioned)
        reply = await ctx.llm.complete(
            CompletionRequest(
                text, max_tokens=tokens, schema=_schema(candidates, reasons=wording.reasons)
            )
        )
        return _parsed(reply.text)


@dataclass(frozen=True, slots=True)
class _Reply:
    """``names`` are ``None`` where the reply cannot be read; empty, they are an abstention."""

    names: Sequence[str] | None
    reasoning: str | None


def _slot_of(named: Sequence[Entity], slots: Sequence[AnswerSlot]) -> AnswerSlot:
    """The first of the slots that hold most of what was named."""
    return max(slots, key=lambda slot: sum(entity in slot.entities for entity in named))


def _plain_wording(ctx: QuestionContext) -> Wording:
    language = language_of(ctx.question)
    return Wording(lambda lines: prompt("answer", language, facts=lines, question=ctx.question))


def _schema(candidates: Sequence[Entity], *, reasons: bool) -> dict[str, Any]:
    name: dict[str, Any] = {"type": "string"}
    listed = dict.fromkeys(
        entity.name for entity in candidates if len(entity.name) <= _LONGEST_NAME
    )
    if 0 < len(listed) <= _LISTED:
        name["enum"] = list(listed)
    properties: dict[str, Any] = {"reasoning": {"type": "string"}} if reasons else {}
    properties["answers"] = {"type": "array", "items": name, "maxItems": 20}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _parsed(reply: str) -> _Reply:
    """The answers of a reply; one that was cut off gives none, for it cannot be trusted."""
    try:
        given = json.loads(reply)
        names, reasoning = given["answers"], given.get("reasoning")
        each = [name for name in names if isinstance(name, str) and name.strip()]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return _Reply(None, None)
    if not isinstance(names, list) or (names and not each):
        return _Reply(None, None)
    return _Reply(list(dict.fromkeys(each)), reasoning if isinstance(reasoning, str) else None)


def _matched(names: Sequence[str], candidates: Sequence[Entity]) -> tuple[list[Entity], list[str]]:
    """The entities with these names, word for word or else but for case and signs; the others."""
    exact: dict[str, list[Entity]] = {}
    alike: dict[str, list[Entity]] = {}
    for entity in candidates:
        exact.setdefault(one_line(entity.name), []).append(entity)
        if key := normalize(entity.name):
            alike.setdefault(key, []).append(entity)
    matched: list[Entity] = []
    beyond: list[str] = []
    for name in names:
        entities = exact.get(one_line(name)) or alike.get(normalize(name))
        if entities:
            matched += entities
        else:
            beyond.append(name)
    return list(dict.fromkeys(matched)), beyond
