"""The answers of followed chains: the ends of the best chain, or those that two chains share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph.retrieval.results import FollowedEntity, Rows
from kgdb.methods.chains.candidate_chains import CandidateChain
from kgdb.values import AnsweredEntity, Entity


@dataclass(frozen=True, slots=True)
class FollowedChain:
    """A followed chain: its ends, and the expert's score of its facts."""

    candidate: CandidateChain
    ends: Rows[FollowedEntity]
    expert_score: float
    score: float


def with_shared_ends(chains: Sequence[FollowedChain]) -> list[FollowedChain]:
    """The best two chains from different mentions that end in the same entities, if any do.

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
        return []
    one, other = max(pairs, key=lambda pair: pair[0].score + pair[1].score)
    return [one, other]


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
