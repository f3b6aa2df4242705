"""Answer slots: the sets of entities in the evidence that may answer a question.

A slot is one position in all paths with the same relations and the same known ends, such as the
directors of the films of one actress. The entities at this position answer together. Entities that
one mention may mean are one known end: the question cannot distinguish them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kgdb.language import facts, verbalize, verbalize_question
from kgdb.language.text.lines import one_line
from kgdb.methods.chains.candidate_chains import PLACEHOLDER
from kgdb.methods.context import QuestionContext
from kgdb.values import Entity, Path, Step

MentionedIds = Mapping[str, tuple[str, ...]]
"""For the id of each entity of the question: the ids of all entities that its mention may mean."""


def by_mention(mentions: Iterable[Sequence[str]]) -> MentionedIds:
    """The map of ``mentions``, the ids of each; an entity belongs to the first that has it."""
    mentioned: dict[str, tuple[str, ...]] = {}
    for ids in mentions:
        for id_ in ids:
            mentioned.setdefault(id_, tuple(ids))
    return mentioned


@dataclass(frozen=True, slots=True)
class AnswerSlot:
    """One position in the paths with the same relations and the same known ends.

    ``phrase`` is the question that the slot answers, ``ends`` the slot as a noun phrase around a
    placeholder for each known end, and ``score`` the best score of the paths that end in it.
    ``entities`` maps each entity to its proofs: the parts of the paths between the known ends and
    the slot. ``position`` is the index of the slot among the entities of such a path, and ``steps``
    are its steps; ``known_ends`` has the ids of each known end.
    """

    phrase: str
    ends: str
    score: float
    entities: dict[Entity, dict[Path, None]]
    steps: tuple[Step, ...]
    position: int
    known_ends: tuple[tuple[str, ...], ...]

    @property
    def chain(self) -> tuple[Step, ...] | None:
        """The steps from the known end to the slot, if there is exactly one known end."""
        if len(self.known_ends) != 1:
            return None
        return self.steps if self.position else _back(self.steps)


def candidate_entities(
    ctx: QuestionContext, evidence: Sequence[Path], mentioned: MentionedIds
) -> list[Entity]:
    """The entities that may answer, in the order of the evidence, for each path its end first."""
    entities = (path.entities[position] for path in evidence for position in _positions(ctx, path))
    return [entity for entity in dict.fromkeys(entities) if entity.id not in mentioned]


def answer_slots(
    ctx: QuestionContext,
    evidence: Sequence[Path],
    mentioned: MentionedIds,
    scores: Sequence[float] | None,
) -> list[AnswerSlot]:
    """All slots, in the order of the evidence and for each path its end first."""
    slots: dict[_SlotKey, AnswerSlot] = {}
    for number, path in enumerate(evidence):
        for position in _positions(ctx, path):
            entity = path.entities[position]
            if entity.id in mentioned:
                continue
            key, proof = _slot_at(path, position, mentioned)
            if key not in slots:
                steps, position_in_proof, known_ends = key
                phrases = _phrases(ctx, path, position, {id_ for ids in known_ends for id_ in ids})
                slots[key] = AnswerSlot(
                    *phrases, -math.inf, {}, steps, position_in_proof, known_ends
                )
            # The score of a path is about its end, not about the entities inside.
            if scores and position == len(path.steps) and scores[number] > slots[key].score:
                slots[key] = replace(slots[key], score=scores[number])
            slots[key].entities.setdefault(entity, {}).setdefault(proof)
    return list(slots.values())


def paths_with_entity_in(
    ctx: QuestionContext, slot: AnswerSlot, paths: Sequence[Path], mentioned: MentionedIds
) -> Iterator[tuple[Path, Entity, Path]]:
    """The paths with an entity in the slot: each with this entity and its proof."""
    key = (slot.steps, slot.position, slot.known_ends)
    for path in paths:
        if len(path.steps) < len(slot.steps):
            continue
        for position in _positions(ctx, path):
            entity = path.entities[position]
            if entity.id not in mentioned:
                other_key, proof = _slot_at(path, position, mentioned)
                if other_key == key:
                    yield path, entity, proof


_SlotKey = tuple[tuple[Step, ...], int, tuple[tuple[str, ...], ...]]
"""The identity of a slot: its steps, its position and its known ends."""


def _slot_at(path: Path, position: int, mentioned: MentionedIds) -> tuple[_SlotKey, Path]:
    """The slot of a position in a path, and the part of the path that proves its entity."""
    last = len(path.steps)
    known_ends = [
        end for end in (0, last) if end != position and path.entities[end].id in mentioned
    ]
    # The path beyond the slot, towards an unknown end, proves nothing.
    start = 0 if 0 in known_ends or not known_ends else position
    stop = last if last in known_ends or not known_ends else position
    ends = tuple(mentioned[path.entities[end].id] for end in known_ends)
    proof = Path(path.entities[start : stop + 1], path.steps[start:stop])
    return (proof.steps, position - start, ends), proof


def _positions(ctx: QuestionContext, path: Path) -> list[int]:
    """The positions of possible answers: the end, then the start, then the inside of the path.

    A mediator only represents a fact of several parts, and answers nothing.
    """
    last = len(path.steps)
    positions = dict.fromkeys([last, 0, *range(last)])
    return [position for position in positions if not _is_mediator(ctx, path, position)]


def _is_mediator(ctx: QuestionContext, path: Path, position: int) -> bool:
    """Whether a step into the position leads to mediators."""
    arriving = path.steps[position - 1 : position] if position else ()
    leaving = [step.back for step in path.steps[position : position + 1]]
    return any(map(ctx.graph.leads_to_mediators, [*arriving, *leaving]))


def _phrases(
    ctx: QuestionContext, path: Path, position: int, ids: Collection[str]
) -> tuple[str, str]:
    """The question that the position answers, and its noun phrase around placeholders.

    Both are the path's facts if no end is known.
    """
    texts = ctx.graph.relations
    ends_of_path = (0, len(path.steps))
    known_ends = [end for end in ends_of_path if end != position and path.entities[end].id in ids]
    chains = [_chain(path, end, position) for end in known_ends]
    questions = [
        verbalize_question(chain, path.entities[end].name, texts)
        for end, chain in zip(known_ends, chains, strict=True)
    ]
    phrase = one_line(" ".join(questions) or facts(path, texts))
    ends = " and ".join(verbalize(chain, PLACEHOLDER, texts) for chain in chains)
    return phrase, ends or phrase


def _chain(path: Path, start: int, end: int) -> tuple[Step, ...]:
    """The steps from one position of a path to another."""
    if start < end:
        return path.steps[start:end]
    return _back(path.steps[end:start])


def _back(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps from the other end."""
    return tuple(step.back for step in reversed(steps))
