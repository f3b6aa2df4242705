"""Which entities most of the mentions agree on."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.graph.retrieval.results import Neighbor
from kgdb.lab.dialogue.dialogue_mentions import Mention
from kgdb.values import Entity, Path

_DESCRIBED = 0.5
"""The share of the relations of the entity with most of them that a subject has at least."""


_ITSELF = 2.0
"""The mentions that agree on an entity when it is mentioned itself."""


@dataclass(slots=True)
class Candidate:
    """An entity, how many mentions are joined to it, and the paths from these.

    ``agreement`` counts a mention by its weight, ``rarity`` counts it less the more it is joined
    to. What is mentioned itself agrees as :data:`_ITSELF` others do.
    """

    entity: Entity
    agreement: float = 0.0
    rarity: float = 0.0
    paths: list[Path] = field(default_factory=list)

    @property
    def order(self) -> tuple[float, float, str]:
        """Sorts the best first: by agreement, then by rarity; of equal ones the order is fixed."""
        return (-self.agreement, -self.rarity, self.entity.id)


def candidates(mentions: Sequence[Mention], rows: Iterable[Neighbor]) -> list[Candidate]:
    """What is mentioned and what is joined to it (``rows``), the best first."""
    found: dict[str, Candidate] = {}
    joined: dict[str, dict[str, Neighbor]] = defaultdict(dict)
    for row in rows:
        # Of two relations between the same, one may say the other's reverse: it agrees once.
        best = joined[row.source].setdefault(row.entity.id, row)
        if best.step.reverse and not row.step.reverse:
            joined[row.source][row.entity.id] = row
    for mention in mentions:
        for entity in mention.entities:
            itself = found.setdefault(entity.id, Candidate(entity))
            itself.agreement += _ITSELF * mention.weight
            around = joined[entity.id]
            for row in around.values():
                candidate = found.setdefault(row.entity.id, Candidate(row.entity))
                candidate.agreement += mention.weight
                candidate.rarity += mention.weight / math.log(2 + len(around))
                candidate.paths.append(Path((entity, row.entity), (row.step,)))
    return sorted(found.values(), key=lambda candidate: candidate.order)


def choose(
    ranked: Sequence[Candidate], descriptions: Mapping[str, Sequence[Neighbor]], count: int
) -> list[Candidate]:
    """The best ``count`` of those that the graph describes, by many relations of their own.

    A mention is rarely what is looked for: of *cough* a graph says only what it may come from,
    of a disease what it needs. So an entity counts by how many relations lead on from it.
    """
    own = {
        candidate.entity.id: len(
            {row.step for row in descriptions.get(candidate.entity.id, ()) if not row.step.reverse}
        )
        for candidate in ranked
    }
    most = max(own.values(), default=0)
    return [candidate for candidate in ranked if own[candidate.entity.id] > most * _DESCRIBED][
        :count
    ] or list(ranked[:count])
