"""The direction in which a claim says its facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgdb.language.text.roles import frame_of
from kgdb.methods.chains.direction import Direction
from kgdb.methods.context import QuestionContext
from kgdb.methods.verification.claim_evidence import Evidence, neighbors_of
from kgdb.methods.verification.claims import Claim
from kgdb.values import Path


@dataclass(frozen=True, slots=True)
class ClaimDirections:
    """What a claim says of directions, by the id of each entity that it names."""

    by_entity: Mapping[str, Direction]

    @classmethod
    def of(cls, claim: Claim, evidence: Evidence) -> ClaimDirections:
        """The directions as seen from each mention."""
        one_kind = _one_kind(claim, evidence)
        spans = [(span.start, span.end) for span in claim.spans]
        return cls(
            {
                entity.id: direction
                for link in claim.links
                for direction in (
                    Direction.of(
                        claim.text,
                        (link.start, link.end),
                        [span for span in spans if span != (link.start, link.end)],
                        one_kind,
                    ),
                )
                for entity in link.entities
            }
        )

    def agree(self, ctx: QuestionContext, path: Path) -> bool | None:
        """Whether a path runs as the claim says, as seen from both ends; ``None`` if unclear.

        If nothing shows that a relation joins things of one kind, both ends must say that it runs
        against the claim.
        """
        views = set(self._views(ctx, path, any_kind=False)) - {None}
        if views:
            return views.pop() if len(views) == 1 else None
        return False if self._views(ctx, path, any_kind=True) == [False, False] else None

    def _views(self, ctx: QuestionContext, path: Path, *, any_kind: bool) -> list[bool | None]:
        back = tuple(step.back for step in reversed(path.steps))
        return [
            self.by_entity[end.id].agrees(ctx, steps, any_kind=any_kind)
            for end, steps in ((path.entities[0], path.steps), (path.entities[-1], back))
            if end.id in self.by_entity
        ]


def _one_kind(claim: Claim, evidence: Evidence) -> set[str]:
    """The relations that an entity of the claim has in both directions."""
    near = [
        (neighbor.source, neighbor.step)
        for link in claim.links
        for neighbor in neighbors_of(link, evidence)
    ]
    both = {(source, step.relation) for source, step in near if not step.reverse} & {
        (source, step.relation) for source, step in near if step.reverse
    }
    return {relation for _, relation in both}


def excludes_opposite(ctx: QuestionContext, relation: str) -> bool:
    """Whether a fact of the relation excludes the opposite one: nobody is a parent's parent."""
    return frame_of(relation, ctx.graph.relations.get(relation)).asymmetric
