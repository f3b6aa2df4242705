"""The rest of an answer set: what caps have left out of the slot that answers.

Evidence is a sample of what lies around the entities of a question: so many ends of each chain, so
many paths. What answers is the whole of one of its slots, which may have more in it than that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from kgdb.graph import FollowedEntity, Rows
from kgdb.methods.answering.answer_slots import AnswerSlot, Asked, standing_in
from kgdb.methods.context import QuestionContext
from kgdb.values import Entity, Path, Step

MOST = 1000
"""Answers of one question."""

MAX_PATHS = 200_000
"""Paths of a chain that are looked at; a chain through hubs has millions."""

WHOLE = 5
"""Chains, those most like the question, whose ends are all asked for with the evidence."""

Beginning = tuple[tuple[str, ...], tuple[Step, ...]]
"""The ids of the entities that a chain begins at, and its steps."""


@dataclass(frozen=True, slots=True)
class DiscardedEvidence:
    """What is there beside the evidence.

    ``paths`` were found and not kept. Of the chains in ``cut`` a cap left ends out unseen, and with
    ``between`` one left out paths between two entities of the question; ``whole`` has all ends of
    some chains. With ``may_follow`` a round trip that the question's budget has left brings what
    was cut of another chain.
    """

    paths: Sequence[Path] = ()
    cut: Collection[tuple[Step, ...]] = ()
    between: bool = False
    whole: Mapping[Beginning, Rows[FollowedEntity]] = field(default_factory=dict)
    may_follow: bool = False

    def has_more(self, slot: AnswerSlot) -> bool:
        """Whether a cap may have left something of a slot out unseen."""
        chain = slot.chain
        if chain is None:
            return len(slot.known) > 1 and self.between
        return any(cut[: len(chain)] == chain for cut in self.cut)


@dataclass(frozen=True, slots=True)
class Completed:
    """The whole of a slot: its entities with the paths that prove each.

    ``counts`` tell how many paths lead to an entity, where that is more than are kept. ``added``
    are the paths that were not among the evidence; ``truncated`` says that there may be more.
    """

    entities: Mapping[Entity, Mapping[Path, None]]
    counts: Mapping[Entity, int] = field(default_factory=dict)
    added: tuple[Path, ...] = ()
    truncated: bool = False


async def complete(
    ctx: QuestionContext, slot: AnswerSlot, discarded: DiscardedEvidence, asked: Asked, paths: int
) -> Completed:
    """The slot with what was left out of it; ``paths`` of each entity are asked for.

    What was found counts first; the database is asked once more where the slot is the end of
    another chain that was cut, unless the question has had all its round trips.
    """
    entities = {entity: dict(proofs) for entity, proofs in slot.entities.items()}
    added: dict[Path, None] = {}
    for path, entity, proof in standing_in(ctx, slot, discarded.paths, asked):
        entities.setdefault(entity, {}).setdefault(proof)
        added.setdefault(path)
    chain = slot.chain
    more = discarded.has_more(slot)
    if chain is None or not more:
        return Completed(entities, {}, tuple(added), more)
    (known,) = slot.known
    found = discarded.whole.get((known, chain))
    if found is None and not (discarded.may_follow and ctx.budget.round_trips_left()):
        return Completed(entities, {}, tuple(added), truncated=True)
    if found is None:
        found = await ctx.graph.follow(
            known, chain, limit=MOST, paths=min(paths, MOST), max_paths=MAX_PATHS
        )
    counts = {}
    for end in found:
        if end.entity.id not in asked:
            # Evidence that was found from its other end is the same read backwards.
            before = entities.get(end.entity, {}) if slot.place else {}
            entities[end.entity] = before | dict.fromkeys(end.paths)
            counts[end.entity] = end.count
            added.update(dict.fromkeys(end.paths))
    return Completed(entities, counts, tuple(added), found.truncated)
