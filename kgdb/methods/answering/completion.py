"""Completion of an answer set: the entities of the answering slot that limits left out.

Evidence is a sample of the graph around the entities of a question: limits apply to the ends of
each chain and to the paths. The answer is a whole slot, which may have more entities than that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.graph.retrieval.results import FollowedEntity, Rows
from kgdb.methods.answering.answer_slots import AnswerSlot, MentionedIds, paths_with_entity_in
from kgdb.methods.context import QuestionContext
from kgdb.values import Entity, Path, Step

MAX_ANSWERS = 1000
"""Answers of one question."""

MAX_PATHS = 200_000
"""Paths of a chain that the database visits; a chain through hubs has millions."""

WHOLE = 5
"""Chains whose ends are all retrieved with the evidence: those most similar to the question."""

Beginning = tuple[tuple[str, ...], tuple[Step, ...]]
"""The ids of the entities at which a chain begins, and its steps."""


@dataclass(frozen=True, slots=True)
class DiscardedEvidence:
    """The part of the retrieval that is not in the evidence.

    ``paths`` were retrieved and discarded. ``cut`` are the chains with ends that a limit cut off;
    with ``between`` a limit cut off paths between two entities of the question. ``whole`` has all
    ends of some chains. With ``may_follow`` the budget allows one more round trip for the ends of
    another chain.
    """

    paths: Sequence[Path] = ()
    cut: Collection[tuple[Step, ...]] = ()
    between: bool = False
    whole: Mapping[Beginning, Rows[FollowedEntity]] = field(default_factory=dict)
    may_follow: bool = False

    def has_more(self, slot: AnswerSlot) -> bool:
        """Whether a limit may have cut off entities of a slot."""
        chain = slot.chain
        if chain is None:
            return len(slot.known_ends) > 1 and self.between
        return any(cut[: len(chain)] == chain for cut in self.cut)


@dataclass(frozen=True, slots=True)
class Completed:
    """A whole slot: its entities, each with its proofs.

    ``counts`` has the number of paths to an entity if there are more than its proofs. ``added`` are
    the paths that the evidence lacks. If ``truncated`` there may be more entities.
    """

    entities: Mapping[Entity, Mapping[Path, None]]
    counts: Mapping[Entity, int] = field(default_factory=dict)
    added: tuple[Path, ...] = ()
    truncated: bool = False


async def complete(
    ctx: QuestionContext,
    slot: AnswerSlot,
    discarded: DiscardedEvidence,
    mentioned: MentionedIds,
    paths: int,
) -> Completed:
    """The slot with all its entities, each with at most ``paths`` proofs.

    Discarded paths come first. If the slot is the end of a chain that a limit cut off, one more
    query completes it, while the budget has a round trip left.
    """
    entities = {entity: dict(proofs) for entity, proofs in slot.entities.items()}
    added: dict[Path, None] = {}
    for path, entity, proof in paths_with_entity_in(ctx, slot, discarded.paths, mentioned):
        entities.setdefault(entity, {}).setdefault(proof)
        added.setdefault(path)
    chain = slot.chain
    more = discarded.has_more(slot)
    if chain is None or not more:
        return Completed(entities, {}, tuple(added), more)
    (start,) = slot.known_ends
    ends = discarded.whole.get((start, chain))
    if ends is None and not (discarded.may_follow and ctx.budget.round_trips_left()):
        return Completed(entities, {}, tuple(added), truncated=True)
    if ends is None:
        ends = await ctx.graph.follow(
            start, chain, limit=MAX_ANSWERS, paths=min(paths, MAX_ANSWERS), max_paths=MAX_PATHS
        )
    counts = {}
    for end in ends:
        if end.entity.id not in mentioned:
            # Proofs from the other end of the chain are the same paths reversed.
            before = entities.get(end.entity, {}) if slot.position else {}
            entities[end.entity] = before | dict.fromkeys(end.paths)
            counts[end.entity] = end.count
            added.update(dict.fromkeys(end.paths))
    return Completed(entities, counts, tuple(added), ends.truncated)
