"""Refinement (RefKG §3.2, equation 4): the facts that an expert scores at least α."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.methods.answering.reconstruction import line
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.expert import EncoderExpert, Expert
from kgdb.values import Triple


@dataclass(frozen=True, slots=True)
class Refinement:
    """An expert (``None``: the encoder) and the minimum score α (``None``: the expert's own)."""

    expert: Expert | None = None
    alpha: float | None = None

    def expert_and_threshold(self, ctx: QuestionContext) -> tuple[Expert, float]:
        """The expert and its threshold α."""
        expert = self.expert or EncoderExpert(ctx.resources.encoder)
        return expert, expert.threshold if self.alpha is None else self.alpha

    async def scores(
        self, ctx: QuestionContext, queries: Sequence[str], triples: Sequence[Triple]
    ) -> dict[Triple, float]:
        """For each fact the expert's score for the sub-query that it supports best."""
        expert, _ = self.expert_and_threshold(ctx)
        pairs = [(query, line(ctx, triple)) for triple in triples for query in queries]
        scores = await ctx.encoder.expert_scores(expert, pairs)
        width = len(queries)
        return {
            triple: max(scores[n * width : (n + 1) * width]) for n, triple in enumerate(triples)
        }

    async def keep_relevant(
        self, ctx: QuestionContext, queries: Sequence[str], triples: Sequence[Triple]
    ) -> list[Triple]:
        """The facts with a score of at least α, best first."""
        with ctx.stage("refine") as stage:
            scores = await self.scores(ctx, queries, triples)
            expert, alpha = self.expert_and_threshold(ctx)
            relevant = [triple for triple in triples if scores[triple] >= alpha]
            relevant.sort(key=lambda triple: -scores[triple])
            stage.record(expert=expert.name, alpha=alpha, judged=len(triples), kept=len(relevant))
            return relevant
