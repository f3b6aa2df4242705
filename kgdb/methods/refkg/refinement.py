"""Refinement (RefKG §3.2, equation 4): the evidence that an expert scores at least α."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgdb.graph import Link
from kgdb.language import evidence_text
from kgdb.methods.answering.reconstruction import line, triples_of
from kgdb.methods.chains.answers import FollowedChain
from kgdb.methods.chains.candidate_chains import CandidateChain
from kgdb.methods.chains.subqueries import SubQuery
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.expert import EncoderExpert, Expert
from kgdb.methods.refkg.refkg_options import Options
from kgdb.values import Path, Triple


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What was retrieved for a question: its entities and sub-queries, and the chains around them.

    ``candidates`` are all chains, best first; ``evidence`` are those that were followed.
    """

    links: tuple[Link, ...]
    subqueries: tuple[SubQuery, ...]
    candidates: tuple[CandidateChain, ...]
    evidence: tuple[FollowedChain, ...]


class Refinement:
    """An expert (``None``: that of the resources, or else the encoder), and how it is used."""

    def __init__(self, options: Options, expert: Expert | None = None) -> None:
        self._options = options
        self._expert = expert

    def expert(self, ctx: QuestionContext) -> Expert:
        """Who judges the evidence of a question."""
        return self._expert or ctx.resources.expert or EncoderExpert(ctx.resources.encoder)

    def alpha(self, expert: Expert) -> float:
        """The paper's α: of the options, or the expert's own threshold."""
        return expert.threshold if self._options.alpha is None else self._options.alpha

    async def keep_relevant(
        self, ctx: QuestionContext, queries: Sequence[str], triples: Sequence[Triple]
    ) -> list[Triple]:
        """The facts with a score of at least α, best first."""
        with ctx.stage("refine") as stage:
            expert = self.expert(ctx)
            alpha = self.alpha(expert)
            _note_foreign(ctx, expert)
            scores = await self._of_facts(ctx, expert, queries, triples)
            relevant = [triple for triple in triples if scores[triple] >= alpha]
            relevant.sort(key=lambda triple: -scores[triple])
            stage.record(expert=expert.name, alpha=alpha, judged=len(triples), kept=len(relevant))
            return relevant

    async def keep_relevant_chains(
        self, ctx: QuestionContext, queries: Sequence[str], found: Retrieval
    ) -> list[FollowedChain]:
        """The chains whose best path has a score of at least α, best first."""
        with ctx.stage("refine") as stage:
            expert = self.expert(ctx)
            alpha = self.alpha(expert)
            _note_foreign(ctx, expert)
            weight = self._options.expert_weight
            weight = expert.weight if weight is None else weight
            samples = [
                [end.paths[0] for end in chain.ends[: self._options.judged_paths]]
                for chain in found.evidence
            ]
            # Sub-queries ask for one fact each. Without them, only a path as a whole can answer.
            judge = self._of_paths
            if expert.judges_paths and not found.subqueries:
                judge = self._of_whole_paths
            scores = await judge(ctx, expert, queries, [path for some in samples for path in some])
            judged = []
            for chain, some in zip(found.evidence, samples, strict=True):
                best = max(scores[path] for path in some)
                judged.append(replace(chain, expert_score=best, score=chain.score + weight * best))
            relevant = [chain for chain in judged if chain.expert_score >= alpha]
            relevant.sort(key=lambda chain: -chain.score)
            stage.record(
                expert=expert.name,
                alpha=alpha,
                weight=weight,
                judged=[
                    {
                        "interpretation": chain.candidate.interpretation(ctx),
                        "expert_score": round(chain.expert_score, 4),
                    }
                    for chain in judged
                ],
                kept=len(relevant),
            )
            return relevant

    async def _of_facts(
        self,
        ctx: QuestionContext,
        expert: Expert,
        queries: Sequence[str],
        triples: Sequence[Triple],
    ) -> dict[Triple, float]:
        """For each fact the score for the query that it supports best."""
        return dict(
            zip(
                triples,
                await _best_scores(ctx, expert, queries, [line(ctx, each) for each in triples]),
                strict=True,
            )
        )

    async def _of_paths(
        self, ctx: QuestionContext, expert: Expert, queries: Sequence[str], paths: Sequence[Path]
    ) -> dict[Path, float]:
        """The mean score of each path's facts."""
        facts = await self._of_facts(ctx, expert, queries, triples_of(paths))
        return {
            path: sum(facts[each] for each in path.triples) / len(path.triples) for path in paths
        }

    async def _of_whole_paths(
        self, ctx: QuestionContext, expert: Expert, queries: Sequence[str], paths: Sequence[Path]
    ) -> dict[Path, float]:
        """The score of each path's facts, read together."""
        distinct = list(dict.fromkeys(paths))
        texts = [evidence_text([line(ctx, each) for each in path.triples]) for path in distinct]
        return dict(zip(distinct, await _best_scores(ctx, expert, queries, texts), strict=True))


async def _best_scores(
    ctx: QuestionContext, expert: Expert, queries: Sequence[str], texts: Sequence[str]
) -> list[float]:
    """For each text the score for the query that it supports best."""
    pairs = [(query, text) for text in texts for query in queries]
    scores = await ctx.encoder.expert_scores(expert, pairs)
    width = len(queries)
    return [max(scores[n * width : (n + 1) * width]) for n in range(len(texts))]


def _note_foreign(ctx: QuestionContext, expert: Expert) -> None:
    """Say that an expert was trained for other graphs: its threshold is theirs."""
    if expert.graphs and ctx.graph.name not in expert.graphs:
        ctx.note(
            f"The expert {expert.name} was trained on {', '.join(expert.graphs)}, not on "
            f"{ctx.graph.name}."
        )
