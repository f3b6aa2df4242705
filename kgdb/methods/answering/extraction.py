"""Reading answers out of evidence: the last step of every method that retrieves first.

The language model sees the facts in words and may answer only with entities that they mention, so
that every answer has its proof. What it answers stands for its whole *slot*: the entities that
stand at the same place of the paths with the same relations. Without a language model, or where its
reply is of no use, the slot that goes best with the question answers it. A model too small to read
chooses instead: it weighs the slots, by what each is in words.

Names come out of the graph and may say anything. They are data here: put on one line, shortened,
and compared with what the model says; nothing is ever done because of what they say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from kgdb.graph.linking.mentions import normalize, unbracketed
from kgdb.language import CompletionRequest, grouped
from kgdb.language.text.lines import LONGEST_LINE, numbered, one_line
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.answering.answer_slots import (
    AnswerSlot,
    Asked,
    by_mention,
    candidates_of,
    slots_of,
)
from kgdb.methods.answering.completion import Completed, DiscardedEvidence, complete
from kgdb.methods.answering.preference import CALLS, NOTHING_WRITTEN, PMIScorer
from kgdb.methods.chains.decoupling import masked
from kgdb.methods.context.question import QuestionContext
from kgdb.values import Answer, AnsweredEntity, Entity, Path
from kgdb.wording import short

_LISTED = 150
"""Candidates that a schema lists; a grammar of more is slow to make, and a reply is then free."""

_LONGEST_NAME = 200
"""Characters of a name that a schema lists."""

_REPLY_TOKENS = 200
_REASON_TOKENS = 200


_WEIGHED = 40
"""Slots that a language model weighs, those that go best with the question."""

_SMALL = 1_000_000_000
"""Parameters below which a model is not left to read. SmolLM2 (135 million) begins a list of names
with whichever begins like one, and tells phrases apart well; others were not measured."""

Inference = Literal["auto", "read", "choose"]
"""How a language model answers: it reads answers out of the evidence, or chooses a slot.

``auto``: one that tells of fewer than a billion parameters chooses, any other reads.
"""


LLM_WEIGHT = 0.01
"""Of 300 of MetaQA's train questions RoK and SmolLM2 got 269 right with 0.005 and 0.01, 262 with
0.03, and the encoder alone 263."""


_NOTHING = DiscardedEvidence()


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """That the model chooses a slot.

    ``mentions`` are the names in the question, as written, and ``calls`` how often the model may be
    called for one question, with what was spent before; where that is too few, it is not asked.
    ``weight`` is what its preference counts beside a slot's score.
    """

    weighing: PMIScorer
    mentions: Sequence[str]
    calls: int
    weight: float = LLM_WEIGHT


def chooses(ctx: QuestionContext, inference: Inference) -> bool:
    """Whether there is a language model, and it is to choose."""
    llm = ctx.resources.llm
    if llm is None or inference != "auto":
        return llm is not None and inference == "choose"
    return llm.parameters is not None and llm.parameters < _SMALL


@dataclass(frozen=True, slots=True)
class Wording:
    """How a method asks for the answers: ``written`` makes the prompt of the numbered facts.

    With ``reasons`` the model first writes how it gets to the answers, which is kept as the
    answer's text.
    """

    written: Callable[[str], str]
    reasons: bool = False


async def extract_answers(
    ctx: QuestionContext,
    method: str,
    evidence: Sequence[Path],
    mentions: Iterable[Sequence[str]],
    *,
    paths: int = 3,
    allow_unsupported: bool = False,
    scores: Sequence[float] | None = None,
    complete_sets: bool = True,
    fall_back: bool = True,
    shown: int = 100,
    wording: Wording | None = None,
    told: Sequence[str] | None = None,
    slot_choice: SlotChoice | None = None,
    min_similarity: float = -math.inf,
    discarded: DiscardedEvidence = _NOTHING,
) -> Answer:
    """The answers that the evidence gives to ``ctx.question``; to be called inside a stage.

    ``evidence`` is best first; ``mentions`` are the ids that each mention of the question may stand
    for, and none of them answers it. Each answer carries at most ``paths`` of the paths that lead
    to it. What the model says beyond the evidence is kept, as ``unsupported``, only with
    ``allow_unsupported``. The answer's ``interpretation`` is the question that its slot answers.

    ``scores`` tell how well each piece of evidence goes with the question, where the method knows
    better than the reranker. The model is shown the first ``shown`` pieces, or as many as it can
    read. With ``complete_sets`` an answer brings along those of its slot that the model did not
    name; with ``fall_back`` the best slot answers where what the model replies is of no use, or
    names nothing of the evidence. A model that replies that there is no answer is believed.
    ``told`` is the evidence in the words in which the model reads it, most valuable first; without
    it, the facts of the paths, each once. With ``slot_choice`` the model reads no evidence: it
    weighs the slots, and the whole of one answers. Without a model that reads, no slot with a score below
    ``min_similarity`` answers. Where the whole of a slot answers, what is ``discarded`` of the
    evidence completes it; the answer tells where that is not all.
    """
    asked = by_mention(mentions)
    blank = Answer(ctx.question, ctx.graph.name, method, retrieved=tuple(evidence))
    slots = slots_of(ctx, evidence, asked, scores)
    if not slots:
        return replace(blank, reason="the graph holds no evidence about what the question names.")

    async def by_similarity(slot_choice: SlotChoice | None = None) -> Answer:
        best = await _best(ctx, slots, scored=scores is not None, slot_choice=slot_choice)
        if scores is not None and best.score < min_similarity:
            return replace(blank, reason=_unlike(best, min_similarity))
        whole = await complete(ctx, best, discarded, asked, paths)
        # Another way to an entity of the slot says something else of it, and proves nothing.
        return _answered(blank, whole.entities, best, [], paths, whole)

    if ctx.resources.llm is None or slot_choice:
        if allow_unsupported and slot_choice:
            ctx.note(NOTHING_WRITTEN)
        return await by_similarity(slot_choice)
    reply = await _by_model(ctx, evidence[:shown], told, asked, wording or _plain_wording(ctx))
    blank = replace(blank, text=reply.reasoning)
    if reply.names is not None and not reply.names:
        return replace(blank, reason="the language model read no answer out of the evidence.")
    found, beyond = _matched(reply.names or (), candidates_of(ctx, evidence, asked))
    if allow_unsupported:
        blank = replace(blank, unsupported=tuple(beyond))
    if found:
        slot = _slot_of(found, slots)
        whole = Completed(slot.entities, truncated=discarded.has_more(slot))
        entities = found
        if complete_sets:
            whole = await complete(ctx, slot, discarded, asked, paths)
            entities = list(dict.fromkeys([*found, *whole.entities]))
        return _answered(blank, entities, slot, slots, paths, whole)
    # A name may be long, and it is the model's word against the evidence.
    quoted = ", ".join(repr(one_line(name, 60)) for name in beyond)
    said = f"answered {quoted}, which no evidence proves" if beyond else "named no answer"
    if not fall_back:
        return replace(blank, reason=f"the language model {said}.")
    ctx.note(f"The language model {said}: what goes best with the question was taken instead.")
    return await by_similarity()


@dataclass(frozen=True, slots=True)
class _Reply:
    """``names`` are ``None`` where the reply cannot be read; empty, they are an abstention."""

    names: Sequence[str] | None
    reasoning: str | None


async def _best(
    ctx: QuestionContext,
    slots: Sequence[AnswerSlot],
    *,
    scored: bool,
    slot_choice: SlotChoice | None = None,
) -> AnswerSlot:
    """The slot that goes best with the question, as the encoder and a language model see it."""
    scores: Sequence[float] = [slot.score for slot in slots]
    if not scored:
        scores = await ctx.rerank(ctx.question, [slot.phrase for slot in slots])
    order = sorted(range(len(slots)), key=lambda i: (-scores[i], i))
    weighed = order[:_WEIGHED]
    phrases = [slots[i].ends for i in weighed]
    question = unbracketed(one_line(ctx.question))
    if slot_choice is None or len(set(phrases)) == 1:
        return slots[order[0]]
    if ctx.calls + CALLS > slot_choice.calls:
        return slots[order[0]]
    question = masked(question, slot_choice.mentions)
    preferred = await slot_choice.weighing.weigh(ctx, question, phrases)
    return slots[
        max(weighed, key=lambda i: scores[i] + slot_choice.weight * preferred[slots[i].ends])
    ]


def _unlike(best: AnswerSlot, least: float) -> str:
    return (
        f"nothing around what the question names is what it asks for: {short(best.phrase)} comes "
        f"closest, at a similarity of {max(best.score, 0):.2f}, and min_similarity is {least:g}."
    )


def _slot_of(found: Sequence[Entity], slots: Sequence[AnswerSlot]) -> AnswerSlot:
    """The first of the slots that explain most of what was found."""
    return max(slots, key=lambda slot: sum(entity in slot.entities for entity in found))


async def _by_model(
    ctx: QuestionContext,
    evidence: Sequence[Path],
    told: Sequence[str] | None,
    asked: Asked,
    wording: Wording,
) -> _Reply:
    """What the language model answers, each name once."""

    def in_words(some: Sequence[Path]) -> str:
        lines = grouped(some, ctx.graph.relations, LONGEST_LINE)
        return wording.written(numbered([one_line(line) for line in lines]))

    def as_told(some: Sequence[str]) -> str:
        return wording.written(numbered([one_line(text) for text in some]))

    tokens = _REPLY_TOKENS + _REASON_TOKENS * wording.reasons
    if told:
        kept = ctx.fit(told, as_told, tokens)
        # What is told in other words is not told path by path.
        written, read = as_told(told[:kept]), evidence
    else:
        kept = ctx.fit(evidence, in_words, tokens)
        written, read = in_words(evidence[:kept]), evidence[:kept]
    reply = await ctx.complete(
        CompletionRequest(
            written,
            max_tokens=tokens,
            schema=_schema(candidates_of(ctx, read, asked), reasons=wording.reasons),
        )
    )
    return _read(reply.text)


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


def _read(reply: str) -> _Reply:
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
    found: list[Entity] = []
    beyond: list[str] = []
    for name in names:
        entities = exact.get(one_line(name)) or alike.get(normalize(name))
        if entities:
            found += entities
        else:
            beyond.append(name)
    return list(dict.fromkeys(found)), beyond


def _answered(
    blank: Answer,
    entities: Iterable[Entity],
    slot: AnswerSlot,
    others: Sequence[AnswerSlot],
    paths: int,
    whole: Completed,
) -> Answer:
    """The entities with their proofs: those of the slot that answers, then those of others."""
    answers = []
    for entity in entities:
        proofs = dict(whole.entities.get(entity, {}))
        for other in others:
            proofs |= other.entities.get(entity, {})
        count = max(len(proofs), whole.counts.get(entity, 0))
        answers.append(AnsweredEntity(entity, tuple(proofs)[:paths], count))
    return replace(
        blank,
        interpretation=slot.phrase,
        entities=tuple(answers),
        retrieved=tuple(dict.fromkeys((*blank.retrieved, *whole.added))),
        truncated=whole.truncated,
    )
