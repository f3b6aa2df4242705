"""The second stage of the choice of chains: a reranker orders the best few anew.

The encoder compares vectors of question and chain that were made apart. A cross-encoder reads both
together, which takes too long for all chains and little for the best ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kgdb.language import verbalize, verbalize_question
from kgdb.methods.chains.candidate_chains import CandidateChain, in_order
from kgdb.methods.chains.decoupling import PLACEHOLDER
from kgdb.methods.context import QuestionContext


@dataclass(frozen=True, slots=True)
class Reranking:
    """How many of the best chains the reranker reads, and what its word is worth.

    Of the chains from one mention it gives each a share of one, how likely it is the right one. The
    share times ``weight`` is added to the chain's score. Nothing changes without a reranker.
    """

    chains: int = 8
    weight: float = 0.1

    async def applied(
        self, ctx: QuestionContext, ranked: Sequence[CandidateChain]
    ) -> list[CandidateChain]:
        """The chains, which stand best first, in their new order."""
        name = ctx.encoder.chain_reranker
        best = ranked[: self.chains]
        if name is None or len(best) < 2:
            return list(ranked)
        shares = _shares(best, await _logits(ctx, best))
        reranked = in_order(
            replace(chain, reranked=share, score=chain.score + self.weight * share)
            for chain, share in zip(best, shares, strict=True)
        )
        ctx.record(reranker=name, reranked=[chain.to_trace(ctx) for chain in reranked])
        return in_order([*reranked, *ranked[len(best) :]])


async def _logits(ctx: QuestionContext, chains: Sequence[CandidateChain]) -> list[float]:
    """What the reranker says of each chain, the mean of its wordings."""
    pairs = [
        (chain.subject.masked, to_words(chain.steps, PLACEHOLDER, ctx.graph.relations))
        for chain in chains
        for to_words in (verbalize, verbalize_question)
    ]
    scores = await ctx.encoder.rerank_chains(pairs)
    return [float(mean) for mean in np.reshape(scores, (len(chains), 2)).mean(axis=1)]


def _shares(chains: Sequence[CandidateChain], logits: Sequence[float]) -> list[float]:
    """The softmax over the chains of each mention."""
    by_subject: dict[object, list[float]] = defaultdict(list)
    for chain, logit in zip(chains, logits, strict=True):
        by_subject[chain.subject].append(logit)
    totals = {subject: np.logaddexp.reduce(of_one) for subject, of_one in by_subject.items()}
    return [
        float(np.exp(logit - totals[chain.subject]))
        for chain, logit in zip(chains, logits, strict=True)
    ]
