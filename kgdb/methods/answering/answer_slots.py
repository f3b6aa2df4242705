"""Slots: what of the evidence may answer a question.

A slot is one place of all paths that have the same relations and the same known ends, such as the
directors of the films of one actress: what stands there answers together. Entities that one mention
may stand for are the same known end: nothing tells them apart in the question.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kgdb.language import facts, verbalize, verbalize_question
from kgdb.language.text.lines import one_line
from kgdb.methods.chains.decoupling import PLACEHOLDER
from kgdb.methods.context import QuestionContext
from kgdb.values import Entity, Path, Step

Asked = Mapping[str, tuple[str, ...]]
"""The entities of the question by their ids, each with the ids of all that its mention may mean."""


def by_mention(mentions: Iterable[Sequence[str]]) -> Asked:
    """Of the ids that each mention may stand for; an entity belongs to the first that has it."""
    asked: dict[str, tuple[str, ...]] = {}
    for ids in mentions:
        for id_ in ids:
            asked.setdefault(id_, tuple(ids))
    return asked


@dataclass(frozen=True, slots=True)
class AnswerSlot:
    """One place of the paths that have the same relations and the same known ends.

    ``phrase`` is the question that it answers, ``ends`` what stands there, around the placeholder
    for each known end, and ``score`` the best of the paths that end there. Each entity there has
    the paths that prove it: as far as they lead to the place from known ends. ``place`` is where of
    the ``steps`` of such a path it is; ``known`` are the ids of each known end.
    """

    phrase: str
    ends: str
    score: float
    entities: dict[Entity, dict[Path, None]]
    steps: tuple[Step, ...]
    place: int
    known: tuple[tuple[str, ...], ...]

    @property
    def chain(self) -> tuple[Step, ...] | None:
        """The steps that lead here from the one known end, if it is one."""
        if len(self.known) != 1:
            return None
        return self.steps if self.place else _back(self.steps)


def candidates_of(ctx: QuestionContext, evidence: Sequence[Path], asked: Asked) -> list[Entity]:
    """What may answer, in the order of the evidence and for each path its end first."""
    entities = (path.entities[place] for path in evidence for place in _places(ctx, path))
    return [entity for entity in dict.fromkeys(entities) if entity.id not in asked]


def slots_of(
    ctx: QuestionContext, evidence: Sequence[Path], asked: Asked, scores: Sequence[float] | None
) -> list[AnswerSlot]:
    """All slots, in the order of the evidence and for each path its end first."""
    slots: dict[_Key, AnswerSlot] = {}
    for number, path in enumerate(evidence):
        for place in _places(ctx, path):
            entity = path.entities[place]
            if entity.id in asked:
                continue
            key, proof = _slot_at(path, place, asked)
            if key not in slots:
                steps, at, known = key
                phrases = _phrases(ctx, path, place, {id_ for ids in known for id_ in ids})
                slots[key] = AnswerSlot(*phrases, -math.inf, {}, steps, at, known)
            # A path was followed for its end; its score says nothing of what is inside.
            if scores and place == len(path.steps) and scores[number] > slots[key].score:
                slots[key] = replace(slots[key], score=scores[number])
            slots[key].entities.setdefault(entity, {}).setdefault(proof)
    return list(slots.values())


def standing_in(
    ctx: QuestionContext, slot: AnswerSlot, paths: Sequence[Path], asked: Asked
) -> Iterator[tuple[Path, Entity, Path]]:
    """Of other paths those that have an entity in the slot, with that and with its proof."""
    key = (slot.steps, slot.place, slot.known)
    for path in paths:
        if len(path.steps) < len(slot.steps):
            continue
        for place in _places(ctx, path):
            entity = path.entities[place]
            if entity.id not in asked:
                at, proof = _slot_at(path, place, asked)
                if at == key:
                    yield path, entity, proof


_Key = tuple[tuple[Step, ...], int, tuple[tuple[str, ...], ...]]
"""What tells slots apart: the steps, the place among them, and the known ends."""


def _slot_at(path: Path, place: int, asked: Asked) -> tuple[_Key, Path]:
    """The slot that a place of a path is of, and the path as far as it proves what stands there."""
    last = len(path.steps)
    known = [end for end in (0, last) if end != place and path.entities[end].id in asked]
    # What lies beyond an end that is not known says nothing of this place.
    start = 0 if 0 in known or not known else place
    stop = last if last in known or not known else place
    ends = tuple(asked[path.entities[end].id] for end in known)
    proof = Path(path.entities[start : stop + 1], path.steps[start:stop])
    return (proof.steps, place - start, ends), proof


def _places(ctx: QuestionContext, path: Path) -> list[int]:
    """Where answers may stand, the end before the start and both before what is inside.

    A mediator only stands for a fact of several parts, and answers nothing.
    """
    last = len(path.steps)
    places = dict.fromkeys([last, 0, *range(last)])
    return [place for place in places if not _is_mediator(ctx, path, place)]


def _is_mediator(ctx: QuestionContext, path: Path, place: int) -> bool:
    """Whether the steps beside a place are those that lead to mediators."""
    arriving = path.steps[place - 1 : place] if place else ()
    leaving = [step.back for step in path.steps[place : place + 1]]
    return any(map(ctx.graph.leads_to_mediators, [*arriving, *leaving]))


def _phrases(ctx: QuestionContext, path: Path, place: int, ids: Collection[str]) -> tuple[str, str]:
    """What asks for the place from each of the known ends, and what it is around placeholders.

    The facts, where no end is known.
    """
    texts = ctx.graph.relations
    ends_of_path = (0, len(path.steps))
    known = [end for end in ends_of_path if end != place and path.entities[end].id in ids]
    chains = [_chain(path, end, place) for end in known]
    questions = [
        verbalize_question(chain, path.entities[end].name, texts)
        for end, chain in zip(known, chains, strict=True)
    ]
    asked = one_line(" ".join(questions) or facts(path, texts))
    ends = " and ".join(verbalize(chain, PLACEHOLDER, texts) for chain in chains)
    return asked, ends or asked


def _chain(path: Path, start: int, end: int) -> tuple[Step, ...]:
    """The steps from one place of a path to another."""
    if start < end:
        return path.steps[start:end]
    return _back(path.steps[end:start])


def _back(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same way from its other end."""
    return tuple(step.back for step in reversed(steps))
