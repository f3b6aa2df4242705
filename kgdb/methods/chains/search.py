"""The search for candidate chains: hop by hop, the relation chains that explain a question best.

This is the exploration of RefKG (§3.2, equations 2 and 3), and of KG-GPT (§3.2). RoK and GoT-R
follow such chains if a question names a single entity, which no path can join to another one.
RoK (§4.1) uses a random walk, or many calls of the language model, to choose the relations. Here
the encoder chooses them, or the language model if the method says so; nothing is random.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from kgdb.methods.chains.candidate_chains import CandidateChain, PartialChain, Subject
from kgdb.methods.chains.candidate_relations import CandidateSource
from kgdb.methods.chains.decoupling import extend
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.chains.relation_choice import LLMChoice
from kgdb.methods.chains.scoring import ChainScorer, HopFits
from kgdb.methods.context import QuestionContext
from kgdb.values import Path, Step


@dataclass(frozen=True, slots=True)
class ChainSearch:
    """A beam search over relation chains.

    ``source`` has the relations that may come next, ``scorer`` scores how well a chain explains the
    question. After each hop the ``width`` best chains of each subject remain. With ``choice`` the
    language model chooses the relations of the first hops. With ``staged`` each hop is a stage of
    the trace.
    """

    source: CandidateSource
    scorer: ChainScorer = field(default_factory=ChainScorer)
    width: int = 60
    choice: LLMChoice | None = None
    staged: bool = False

    async def run(
        self, ctx: QuestionContext, subjects: Sequence[Subject], max_hops: int
    ) -> list[CandidateChain]:
        """Chains of at most ``max_hops`` hops that may be the whole question, best first."""
        grown: list[PartialChain] = []
        beam: list[tuple[Subject, PartialChain | None]] = [(subject, None) for subject in subjects]
        for hop in range(1, max_hops + 1):
            if not beam:
                break
            with ctx.stage(f"explore hop {hop}") if self.staged else nullcontext() as stage:
                extended = await self._extended(ctx, beam)
                if self.choice and self.choice.is_active(ctx, hop):
                    extended = await self.choice.restrict(ctx, extended, subjects)
                best = [
                    chain for subject in subjects for chain in _best(extended, subject, self.width)
                ]
                if stage:
                    chains = [chain.to_trace() for chain in best]
                    stage.record(candidate_relations=len(extended), kept=chains)
            grown += best
            beam = [(chain.subject, chain) for chain in best]
        ending = [chain for chain in grown if self._may_end(ctx, chain)]
        candidates = await self.scorer.score(ctx, ending, self.source.one_kind)
        return sorted(candidates, key=lambda c: (-c.score, c.key.start, c.key.mention, c.steps))

    async def _extended(
        self, ctx: QuestionContext, beam: Sequence[tuple[Subject, PartialChain | None]]
    ) -> list[PartialChain]:
        """The chains of the beam, each extended by each of its candidate relations."""
        ends = [(subject.key, before.steps if before else ()) for subject, before in beam]
        after = await self.source.after(ctx, ends)
        steps = sorted(frozenset().union(*after))
        if not steps:
            return []
        subjects = list(dict.fromkeys(subject for subject, _ in beam))
        fits = await self.scorer.hop_fits(ctx, subjects, steps)
        return [
            _extend_by(subject, before, step, fits)
            for (subject, before), candidates in zip(beam, after, strict=True)
            for step in sorted(candidates)
        ]

    def _may_end(self, ctx: QuestionContext, chain: PartialChain) -> bool:
        """Whether the chain may end here: it has ends, and they are no mediators."""
        return not (
            self.source.is_dead_end((chain.subject.key, chain.steps))
            or ctx.graph.leads_to_mediators(chain.steps[-1])
        )


async def score_paths(
    ctx: QuestionContext, key: KeyEntity, paths: Sequence[Path], scorer: ChainScorer
) -> list[float | None]:
    """How well the chain of each path explains the question.

    ``None`` if the path does not begin at the key entity, or has more hops than the question has
    parts.
    """
    subject = Subject.of(ctx.question, key)
    chains = [path.steps if path.entities[0] in key.entities else () for path in paths]
    distinct = sorted({chain for chain in chains if chain})
    steps = sorted({step for chain in distinct for step in chain})
    if not steps:
        return [None for _ in paths]
    fits = await scorer.hop_fits(ctx, [subject], steps)
    grown = []
    for chain in distinct:
        partial: PartialChain | None = None
        for step in chain:
            partial = _extend_by(subject, partial, step, fits)
        if partial:
            grown.append(partial)
    candidates = await scorer.score(ctx, grown, _one_kind(paths))
    scores = {candidate.steps: candidate.score for candidate in candidates}
    return [scores.get(chain) for chain in chains]


def _one_kind(paths: Sequence[Path]) -> set[str]:
    """The relations that an entity on the paths has in both directions."""
    triples = {triple for path in paths for triple in path.triples}
    heads = {(triple.relation, triple.head) for triple in triples}
    return {triple.relation for triple in triples if (triple.relation, triple.tail) in heads}


def _extend_by(
    subject: Subject, before: PartialChain | None, step: Step, fits: HopFits
) -> PartialChain:
    steps = (*before.steps, step) if before else (step,)
    return PartialChain(
        subject,
        steps,
        tuple(
            extend(before.fits[n] if before else None, of_step[step])
            for n, of_step in enumerate(fits[subject])
        ),
    )


def _best(chains: Sequence[PartialChain], subject: Subject, width: int) -> list[PartialChain]:
    """The chains of a subject with the best partial scores."""
    # A chain with more hops than the question has parts fits none of them.
    fitting = [c for c in chains if c.subject is subject and math.isfinite(c.partial_score)]
    return sorted(fitting, key=lambda chain: (-chain.partial_score, chain.steps))[:width]
