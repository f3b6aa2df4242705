"""Reading answers out of evidence: the last step of every method that retrieves first.

The language model sees the facts in words and may answer only with entities that they mention, so
that every answer has its proof. What it answers stands for its whole *slot*: the entities that
stand at the same place of the paths with the same relations. Without a language model, or where its
reply is of no use, the slot that goes best with the question answers it.

Names come out of the graph and may say anything. They are data here: put on one line, shortened,
and compared with what the model says; nothing is ever done because of what they say.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgdb.graph.linking import normalize
from kgdb.language import Ask, LanguageModel, ask, facts, fit, grouped
from kgdb.language.prompts import language_of, prompt
from kgdb.methods.work import Work
from kgdb.model import Answer, AnsweredEntity, Entity, Path

_LISTED = 150
"""Candidates that a schema lists; a grammar of more is slow to make, and a reply is then free."""

_LONGEST_NAME = 200
"""Characters of a name that a schema lists."""

_LONGEST_LINE = 600
"""Characters of a piece of evidence that are shown: a name may be a whole book."""

_REPLY_TOKENS = 200
_REASON_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Wording:
    """How a method asks for the answers: ``written`` makes the prompt of the numbered facts.

    With ``reasons`` the model first writes how it gets to the answers, which is kept as the
    answer's text.
    """

    written: Callable[[str], str]
    reasons: bool = False


async def read_answers(
    work: Work,
    method: str,
    evidence: Sequence[Path],
    asked: Collection[str],
    *,
    paths: int = 3,
    allow_unsupported: bool = False,
    scores: Sequence[float] | None = None,
    complete_sets: bool = True,
    fall_back: bool = True,
    shown: int = 100,
    wording: Wording | None = None,
    told: Sequence[str] | None = None,
) -> Answer:
    """The answers that the evidence gives to ``work.question``; to be called inside a stage.

    ``evidence`` is best first; the entities with ids in ``asked`` are those of the question and do
    not answer it. Each answer carries at most ``paths`` of the paths that lead to it. What the
    model says beyond the evidence is kept, as ``unsupported``, only with ``allow_unsupported``.
    The answer's ``reading`` is the question that its slot answers.

    ``scores`` tell how well each piece of evidence goes with the question, where the method knows
    better than the reranker. The model is shown the first ``shown`` pieces, or as many as it can
    read. With ``complete_sets`` an answer brings along those of its slot that the model did not
    name; with ``fall_back`` the best slot answers where the model names nothing of the evidence.
    ``told`` is the evidence in the words in which the model reads it, most valuable first; without
    it, the facts of the paths, each once.
    """
    blank = Answer(work.question, work.graph.name, method, retrieved=tuple(evidence))
    slots = _slots(work, evidence, asked, scores)
    if not slots:
        return replace(blank, reason="the graph holds no evidence about what the question names.")
    if work.tools.llm is None:
        best = await _best(work, slots, scored=scores is not None)
        return _answered(blank, best.entities, best, slots, paths)
    reply = await _by_model(
        work, work.tools.llm, evidence[:shown], told, asked, wording or _plain_wording(work)
    )
    found, beyond = _matched(reply.names, _candidates(work, evidence, asked))
    blank = replace(blank, text=reply.reasoning)
    if allow_unsupported:
        blank = replace(blank, unsupported=tuple(beyond))
    if found:
        slot = _slot_of(found, slots)
        whole = dict.fromkeys([*found, *slot.entities]) if complete_sets else found
        return _answered(blank, whole, slot, slots, paths)
    # A name may be long, and it is the model's word against the evidence.
    quoted = ", ".join(repr(one_line(name, 60)) for name in beyond)
    said = f"answered {quoted}, which no evidence proves" if beyond else "named no answer"
    if not fall_back:
        return replace(blank, reason=f"the language model {said}.")
    work.note(f"The language model {said}: what goes best with the question was taken instead.")
    best = await _best(work, slots, scored=scores is not None)
    return _answered(blank, best.entities, best, slots, paths)


def one_line(text: str, longest: int = _LONGEST_LINE) -> str:
    """A text out of the graph as a prompt shows it: without line breaks, and not endless."""
    flat = " ".join(text.split())
    return flat if len(flat) <= longest else f"{flat[: longest - 1]}…"


def numbered(lines: Sequence[str]) -> str:
    """The lines as a prompt lists them."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


@dataclass(frozen=True, slots=True)
class _Slot:
    """One place of the paths that have the same relations and the same known ends.

    ``phrase`` is the question that it answers, ``score`` that of the first path to it. Each entity
    there has the paths that prove it: as far as they lead to the place from known ends.
    """

    phrase: str
    score: float
    entities: dict[Entity, dict[Path, None]]


@dataclass(frozen=True, slots=True)
class _Reply:
    names: Sequence[str]
    reasoning: str | None


def _candidates(work: Work, evidence: Sequence[Path], asked: Collection[str]) -> list[Entity]:
    """What may answer, in the order of the evidence and for each path its end first."""
    entities = (path.entities[place] for path in evidence for place in _places(work, path))
    return [entity for entity in dict.fromkeys(entities) if entity.id not in asked]


def _slots(
    work: Work, evidence: Sequence[Path], asked: Collection[str], scores: Sequence[float] | None
) -> list[_Slot]:
    """All slots, in the order of the evidence and for each path its end first."""
    slots: dict[Any, _Slot] = {}
    for number, path in enumerate(evidence):
        last = len(path.steps)
        for place in _places(work, path):
            entity = path.entities[place]
            if entity.id in asked:
                continue
            known = [end for end in (0, last) if end != place and path.entities[end].id in asked]
            # What lies beyond an end that is not known says nothing of this place.
            start = 0 if 0 in known or not known else place
            stop = last if last in known or not known else place
            ends = tuple(path.entities[end].id for end in known)
            key = (path.steps[start:stop], place - start, ends)
            if key not in slots:
                # A path was followed for its end; its score says nothing of what is inside.
                score = scores[number] if scores and place == last else -math.inf
                slots[key] = _Slot(_phrase(work, path, place, known), score, {})
            proof = Path(path.entities[start : stop + 1], path.steps[start:stop])
            slots[key].entities.setdefault(entity, {}).setdefault(proof)
    return list(slots.values())


def _places(work: Work, path: Path) -> list[int]:
    """Where answers may stand, the end before the start and both before what is inside.

    A mediator only stands for a fact of several parts, and answers nothing.
    """
    last = len(path.steps)
    places = dict.fromkeys([last, 0, *range(last)])
    return [place for place in places if not _is_mediator(work, path, place)]


def _is_mediator(work: Work, path: Path, place: int) -> bool:
    """Whether the steps beside a place are those that lead to mediators."""
    arriving = path.steps[place - 1 : place] if place else ()
    leaving = [step.back for step in path.steps[place : place + 1]]
    return any(map(work.leads_to_mediators, [*arriving, *leaving]))


def _phrase(work: Work, path: Path, place: int, known: Sequence[int]) -> str:
    """What asks for the place from each of the known ends; the facts, where none is known."""
    questions = []
    for end in known:
        steps = path.steps[min(end, place) : max(end, place)]
        if end > place:
            steps = tuple(step.back for step in reversed(steps))
        questions.append(ask(steps, path.entities[end].name, work.graph.relations))
    return one_line(" ".join(questions) or facts(path, work.graph.relations))


async def _best(work: Work, slots: Sequence[_Slot], *, scored: bool) -> _Slot:
    """The slot that goes best with the question."""
    scores: Sequence[float] = [slot.score for slot in slots]
    if not scored:
        scores = await work.rerank(work.question, [slot.phrase for slot in slots])
    return slots[max(range(len(slots)), key=lambda i: (scores[i], -i))]


def _slot_of(found: Sequence[Entity], slots: Sequence[_Slot]) -> _Slot:
    """The first of the slots that explain most of what was found."""
    return max(slots, key=lambda slot: sum(entity in slot.entities for entity in found))


async def _by_model(
    work: Work,
    llm: LanguageModel,
    evidence: Sequence[Path],
    told: Sequence[str] | None,
    asked: Collection[str],
    wording: Wording,
) -> _Reply:
    """What the language model answers, each name once."""

    def in_words(some: Sequence[Path]) -> str:
        lines = grouped(some, work.graph.relations, _LONGEST_LINE)
        return wording.written(numbered([one_line(line) for line in lines]))

    def as_told(some: Sequence[str]) -> str:
        return wording.written(numbered([one_line(text) for text in some]))

    tokens = _REPLY_TOKENS + _REASON_TOKENS * wording.reasons
    if told:
        of, kept = len(told), fit(llm, told, as_told, tokens)
        # What is told in other words is not told path by path.
        written, read = as_told(told[:kept]), evidence
    else:
        of, kept = len(evidence), fit(llm, evidence, in_words, tokens)
        written, read = in_words(evidence[:kept]), evidence[:kept]
    if kept < of:
        work.note(
            f"{of - kept} of {of} pieces of evidence were left out: the context of {llm.name} "
            "holds no more."
        )
    reply = await work.complete(
        Ask(
            written,
            max_tokens=tokens,
            schema=_schema(_candidates(work, read, asked), reasons=wording.reasons),
        )
    )
    return _read(reply.text)


def _plain_wording(work: Work) -> Wording:
    language = language_of(work.question)
    return Wording(lambda lines: prompt("answer", language, facts=lines, question=work.question))


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
        return _Reply((), None)
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
    blank: Answer, entities: Iterable[Entity], slot: _Slot, slots: Sequence[_Slot], paths: int
) -> Answer:
    """The entities with their proofs, those of the slot first."""
    answers = []
    for entity in entities:
        proofs = dict(slot.entities.get(entity, {}))
        for other in slots:
            proofs |= other.entities.get(entity, {})
        answers.append(AnsweredEntity(entity, tuple(proofs)[:paths], len(proofs)))
    return replace(blank, reading=slot.phrase, entities=tuple(answers))
