"""The answers of followed chains: the choice of a chain, or of two that share ends; their ends."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kgdb.graph.retrieval.results import FollowedEntity, Rows
from kgdb.language import verbalize
from kgdb.methods.chains.candidate_chains import CandidateChain
from kgdb.methods.chains.chain_scoring import named_similarities
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.batching import BatchedCall
from kgdb.values import AnsweredEntity, Entity


@dataclass(frozen=True, slots=True)
class FollowedChain:
    """A followed chain: its ends, and the expert's score of its facts."""

    candidate: CandidateChain
    ends: Rows[FollowedEntity]
    expert_score: float
    score: float


ChainChoice = Callable[
    [QuestionContext, Sequence[FollowedChain]],
    Coroutine[BatchedCall[Any], Any, Sequence[FollowedChain]],
]
"""Chooses the chains whose shared ends answer a question, of those that are refined."""


async def best_or_shared(
    _: QuestionContext, chains: Sequence[FollowedChain]
) -> Sequence[FollowedChain]:
    """The best two chains from different mentions that end in the same entities, else the best one.

    *Films that A directed and B acted in*: only together the two explain the question.
    """
    pairs = [
        (one, other)
        for n, one in enumerate(chains)
        for other in chains[n + 1 :]
        if one.candidate.key != other.candidate.key
        and {end.entity for end in one.ends} & {end.entity for end in other.ends}
    ]
    if not pairs:
        return chains[:1]
    return max(pairs, key=lambda pair: pair[0].score + pair[1].score)


async def best_named(
    ctx: QuestionContext, chains: Sequence[FollowedChain]
) -> Sequence[FollowedChain]:
    """The chain whose words, around the name it starts from, are most similar to the question.

    Where relations are many, the name tells which of them the question is about.
    """
    phrases = [
        verbalize(each.candidate.steps, each.candidate.key.mention, ctx.graph.relations)
        for each in chains
    ]
    scores = await named_similarities(ctx, phrases)
    return [chains[index] for index in np.argsort(-scores, kind="stable")[:1]]


def answers(best: Sequence[FollowedChain], paths: int) -> tuple[AnsweredEntity, ...]:
    """The ends of the one chain; of several chains, the ends that all share."""
    first, *others = best
    ends_of_others: list[dict[Entity, FollowedEntity]] = [
        {end.entity: end for end in other.ends} for other in others
    ]
    answered = []
    for end in first.ends:
        if all(end.entity in ends for ends in ends_of_others):
            proofs = [end, *(ends[end.entity] for ends in ends_of_others)]
            all_paths = tuple(path for proof in proofs for path in proof.paths)
            shown = all_paths if len(proofs) > 1 else all_paths[:paths]
            answered.append(AnsweredEntity(end.entity, shown, sum(p.count for p in proofs)))
    return tuple(answered)
