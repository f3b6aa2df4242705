"""Slots: what of the evidence may answer a question.

A slot is one place of all paths that have the same relations and the same known ends, such as the
directors of the films of one actress: what stands there answers together.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kgdb.language import ask, facts, verbalize
from kgdb.methods.decoupling import PLACEHOLDER
from kgdb.methods.lines import one_line
from kgdb.methods.work import Work
from kgdb.model import Entity, Path, Step


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the paths that have the same relations and the same known ends.

    ``phrase`` is the question that it answers, ``ends`` what stands there, around the placeholder
    for each known end, and ``score`` the best of the paths that end there. Each entity there has
    the paths that prove it: as far as they lead to the place from known ends.
    """

    phrase: str
    ends: str
    score: float
    entities: dict[Entity, dict[Path, None]]


def candidates_of(work: Work, evidence: Sequence[Path], asked: Collection[str]) -> list[Entity]:
    """What may answer, in the order of the evidence and for each path its end first."""
    entities = (path.entities[place] for path in evidence for place in _places(work, path))
    return [entity for entity in dict.fromkeys(entities) if entity.id not in asked]


def slots_of(
    work: Work, evidence: Sequence[Path], asked: Collection[str], scores: Sequence[float] | None
) -> list[Slot]:
    """All slots, in the order of the evidence and for each path its end first."""
    slots: dict[Any, Slot] = {}
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
                slots[key] = Slot(*_phrases(work, path, place, known), -math.inf, {})
            # A path was followed for its end; its score says nothing of what is inside.
            if scores and place == last and scores[number] > slots[key].score:
                slots[key] = replace(slots[key], score=scores[number])
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


def _phrases(work: Work, path: Path, place: int, known: Sequence[int]) -> tuple[str, str]:
    """What asks for the place from each of the known ends, and what it is around placeholders.

    The facts, where no end is known.
    """
    texts = work.graph.relations
    chains = [_chain(path, end, place) for end in known]
    questions = [
        ask(chain, path.entities[end].name, texts) for end, chain in zip(known, chains, strict=True)
    ]
    asked = one_line(" ".join(questions) or facts(path, texts))
    ends = " and ".join(verbalize(chain, PLACEHOLDER, texts) for chain in chains)
    return asked, ends or asked


def _chain(path: Path, start: int, end: int) -> tuple[Step, ...]:
    """The steps from one place of a path to another."""
    if start < end:
        return path.steps[start:end]
    return tuple(step.back for step in reversed(path.steps[end:start]))
