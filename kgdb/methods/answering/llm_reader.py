"""The language model reads the answers from the evidence, as in the papers.

It sees the facts in words and may answer only with entities that they mention. Its answer selects
the whole answer slot. If its reply is unusable, the best slot answers instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kgdb.graph.linking.name_words import normalize
from kgdb.language import CompletionRequest, grouped
from kgdb.language.text.lines import LONGEST_LINE, numbered, one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.answering.answer_slots import AnswerSlot, candidate_entities
from kgdb.methods.answering.completion import Completed
from kgdb.methods.answering.extraction import AnswerStrategy, BestSlot, SlottedEvidence
from kgdb.methods.context import QuestionContext
from kgdb.values import Answer, Entity, Path

_MAX_LISTED = 150
"""Candidates that a schema lists. A larger grammar compiles slowly, so the schema is then open."""

_MAX_NAME_LENGTH = 200
"""Characters of a name that a schema lists."""

_REPLY_TOKENS = 200
_REASON_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Wording:
    """The prompt of a method: ``to_prompt`` builds it from the numbered facts.

    With ``reasons`` the model first writes its reasoning, which becomes the answer's text.
    """

    to_prompt: Callable[[str], str]
    reasons: bool = False


@dataclass(frozen=True, slots=True)
class LLMReader:
    """The entities that the language model names, with the rest of their slot.

    The prompt has the first ``max_evidence`` paths, or as many as fit, or else ``in_words``: the
    evidence as lines worded by the method, best first. With ``complete_sets`` the answer includes
    the entities of the slot that the model did not name. If the reply is unusable, or names no
    entity of the evidence, the strategy ``fall_back`` answers, if there is one. An empty list of
    answers is an abstention and stands. With ``allow_unsupported`` the answer keeps names outside
    the evidence as ``unsupported``.
    """

    max_evidence: int = 100
    wording: Wording | None = None
    in_words: Sequence[str] = ()
    complete_sets: bool = True
    fall_back: AnswerStrategy | None = field(default_factory=BestSlot)
    allow_unsupported: bool = False

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The answer that the model reads; without a model, that of the best slot."""
        if not ctx.llm.available:
            return await (self.fall_back or BestSlot()).answer(ctx, slotted)
        reply = await self._ask(ctx, slotted)
        blank = replace(slotted.blank, text=reply.reasoning)
        if reply.names is not None and not reply.names:
            return replace(blank, reason="the language model found no answer in the evidence.")
        candidates = candidate_entities(ctx, slotted.evidence.paths, slotted.mentioned)
        entities_named, beyond = _matched(reply.names or (), candidates)
        if self.allow_unsupported:
            blank = replace(blank, unsupported=tuple(beyond))
        slotted = replace(slotted, blank=blank)
        if entities_named:
            return await self._answer_with(ctx, slotted, entities_named)
        quoted = ", ".join(repr(one_line(name, 60)) for name in beyond)
        problem = f"answered {quoted}, which no evidence proves" if beyond else "named no answer"
        if self.fall_back is None:
            return replace(blank, reason=f"the language model {problem}.")
        ctx.note(f"The language model {problem}: the slot that fits the question best answers.")
        return await self.fall_back.answer(ctx, slotted)

    async def _answer_with(
        self, ctx: QuestionContext, slotted: SlottedEvidence, entities_named: Sequence[Entity]
    ) -> Answer:
        slot = _slot_with_most(entities_named, slotted.slots)
        whole = Completed(slot.entities, truncated=slotted.evidence.discarded.has_more(slot))
        entities = list(entities_named)
        if self.complete_sets:
            whole = await slotted.completed(ctx, slot)
            entities = list(dict.fromkeys([*entities_named, *whole.entities]))
        return slotted.answered(slotted.blank, entities, slot, slotted.slots, whole)

    async def _ask(self, ctx: QuestionContext, slotted: SlottedEvidence) -> _Reply:
        """The parsed reply of the language model: one call."""
        wording = self.wording or _plain_wording(ctx)
        evidence = slotted.evidence.paths[: self.max_evidence]

        def prompt_of_paths(pieces: Sequence[Path]) -> str:
            lines = grouped(pieces, ctx.graph.relations, LONGEST_LINE)
            return wording.to_prompt(numbered([one_line(line) for line in lines]))

        def prompt_of_lines(pieces: Sequence[str]) -> str:
            return wording.to_prompt(numbered([one_line(text) for text in pieces]))

        tokens = _REPLY_TOKENS + _REASON_TOKENS * wording.reasons
        if self.in_words:
            count = ctx.llm.fit(self.in_words, prompt_of_lines, tokens)
            # Reworded lines do not correspond to paths one to one.
            text, read = prompt_of_lines(self.in_words[:count]), evidence
        else:
            count = ctx.llm.fit(evidence, prompt_of_paths, tokens)
            text, read = prompt_of_paths(evidence[:count]), evidence[:count]
        candidates = candidate_entities(ctx, read, slotted.mentioned)
        reply = await ctx.llm.complete(
            CompletionRequest(
                text, max_tokens=tokens, schema=_schema(candidates, reasons=wording.reasons)
            )
        )
        return _parsed(reply.text)


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply: ``names`` is ``None`` if it is invalid, and empty if the model abstains."""

    names: Sequence[str] | None
    reasoning: str | None


def _slot_with_most(entities_named: Sequence[Entity], slots: Sequence[AnswerSlot]) -> AnswerSlot:
    """The slot with most of the named entities, the first of several."""
    return max(slots, key=lambda slot: sum(entity in slot.entities for entity in entities_named))


def _plain_wording(ctx: QuestionContext) -> Wording:
    language = language_of(ctx.question)
    return Wording(lambda lines: prompt("answer", language, facts=lines, question=ctx.question))


def _schema(candidates: Sequence[Entity], *, reasons: bool) -> dict[str, Any]:
    name: dict[str, Any] = {"type": "string"}
    listed = dict.fromkeys(
        entity.name for entity in candidates if len(entity.name) <= _MAX_NAME_LENGTH
    )
    if 0 < len(listed) <= _MAX_LISTED:
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
    """The answers in a reply; a truncated reply is invalid."""
    try:
        fields = json.loads(reply)
        names, reasoning = fields["answers"], fields.get("reasoning")
        valid = [name for name in names if isinstance(name, str) and name.strip()]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return _Reply(None, None)
    if not isinstance(names, list) or (names and not valid):
        return _Reply(None, None)
    return _Reply(list(dict.fromkeys(valid)), reasoning if isinstance(reasoning, str) else None)


def _matched(names: Sequence[str], candidates: Sequence[Entity]) -> tuple[list[Entity], list[str]]:
    """The entities with these names, and the names without an entity.

    A name matches exactly, else up to case and punctuation.
    """
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
