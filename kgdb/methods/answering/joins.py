"""Joins of several names: the entities on the paths between the names of a question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kgdb.graph.retrieval.results import Rows
from kgdb.language import verbalize
from kgdb.methods.answering.answer_slots import AnswerSlot
from kgdb.methods.answering.extraction import SlottedEvidence
from kgdb.methods.chains.chain_scoring import named_similarities
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.path_ends import MAX_ENTITIES, entities_to_join
from kgdb.values import Answer, Path


async def paths_between(
    ctx: QuestionContext,
    keys: Sequence[KeyEntity],
    *,
    max_hops: int,
    per_pair: int,
    max_degree: int,
) -> Rows[Path]:
    """All paths of at most ``max_hops`` between any two key entities (RoK, §4.2.1, first part)."""
    if len(keys) < 2:
        return Rows()
    with ctx.stage("paths") as stage:
        rows = await ctx.graph.all_paths(
            entities_to_join(ctx, [(key.mention, key.ids) for key in keys]),
            max_hops=max_hops,
            per_pair=per_pair,
            limit=per_pair * len(keys) ** 2,
            max_degree=max_degree,
        )
        # Entities of one name are one key entity.
        keys_by_id = {id_: index for index, key in enumerate(keys) for id_ in key.ids}
        paths = [row.path for row in rows if keys_by_id[row.source.id] != keys_by_id[row.target.id]]
        stage.record(paths=len(paths), cut=list(rows.cut))
        too_many = ["entities"] if any(len(key.ids) > MAX_ENTITIES for key in keys) else []
        return Rows(paths, [*rows.cut, *too_many])


@dataclass(frozen=True, slots=True)
class BestJoin:
    """The slot between two names whose words, with the names, are most similar to the question."""

    keys: Sequence[KeyEntity]

    async def answer(self, ctx: QuestionContext, slotted: SlottedEvidence) -> Answer:
        """The answer with all entities of the slot."""
        phrases = [self._phrase(ctx, slot) for slot in slotted.slots]
        scores = await named_similarities(ctx, phrases)
        return await slotted.whole(ctx, slotted.slots[int(np.argmax(scores))])

    def _phrase(self, ctx: QuestionContext, slot: AnswerSlot) -> str:
        names = {key.ids: key.mention for key in self.keys}
        one, other = slot.known_ends
        there, beyond = slot.steps[: slot.position], slot.steps[slot.position :]
        back = tuple(step.back for step in reversed(beyond))
        return " and ".join(
            verbalize(chain, names[ids], ctx.graph.relations)
            for chain, ids in ((there, one), (back, other))
        )
