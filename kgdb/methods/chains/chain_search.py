"""The search for candidate chains: hop by hop, the relation chains that explain a question best.

Where the words of a question and of a relation decide a direction
(:mod:`kgdb.methods.chains.direction`), a chain that runs against them is no candidate.

This is the exploration of RefKG (§3.2, equations 2 and 3), and of KG-GPT (§3.2). RoK and GoT-R
follow such chains if a question names a single entity, which no path can join to another one.
RoK (§4.1) uses a random walk, or many calls of the language model, to choose the relations. Here
the encoder chooses them, or the language model if the method says so; nothing is random.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, field, replace

from kgdb.methods.chains.candidate_chains import CandidateChain, Subject
from kgdb.methods.chains.candidate_relations import CandidateSource
from kgdb.methods.chains.chain_scoring import Chain, ChainScorer, WholeQuestion
from kgdb.methods.chains.direction import Direction
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.chains.relation_choice import LLMChoice
from kgdb.methods.context import QuestionContext
from kgdb.values import Path, chain_text

_SAID = 2.0
"""A chain whose every step the words name, in their direction, comes before all others: cosines
differ by no more."""


@dataclass(frozen=True, slots=True)
class ChainSearch:
    """A beam search over relation chains.

    ``source`` has the relations that may come next, ``scorer`` scores how well a chain explains the
    question. After each hop the ``width`` best chains of each subject remain. With ``choice`` the
    language model chooses the relations of the first hops. With ``staged`` each hop is a stage of
    the trace.
    """

    source: CandidateSource
    scorer: ChainScorer = field(default_factory=WholeQuestion)
    width: int = 10
    choice: LLMChoice | None = None
    staged: bool = False

    async def run(
        self, ctx: QuestionContext, subjects: Sequence[Subject], max_hops: int
    ) -> list[CandidateChain]:
        """Chains of at most ``max_hops`` hops that may be the whole question, best first."""
        found: list[CandidateChain] = []
        beam: list[Chain] = [(subject, ()) for subject in subjects]
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
                    stage.record(
                        candidate_relations=len(extended),
                        kept=[
                            {
                                "mention": chain.key.mention,
                                "chain": chain_text(chain.steps),
                                "score": round(chain.score, 4),
                            }
                            for chain in best
                        ],
                    )
            found += best
            beam = [(chain.subject, chain.steps) for chain in best]
        directions = _directions(ctx.question, subjects, self.source.one_kind)
        ending = [
            replace(chain, score=chain.score + _SAID * direction.is_said(ctx, chain.steps))
            for chain in found
            if self._may_end(ctx, chain)
            and not (direction := directions[chain.subject]).contradicts(ctx, chain.steps)
        ]
        return sorted(ending, key=lambda c: (-c.score, c.key.start, c.key.mention, c.steps))

    async def _extended(self, ctx: QuestionContext, beam: Sequence[Chain]) -> list[CandidateChain]:
        """The chains of the beam, each extended by each of its candidate relations."""
        after = await self.source.after(ctx, [(subject.key, steps) for subject, steps in beam])
        chains = [
            (subject, (*steps, step))
            for (subject, steps), candidates in zip(beam, after, strict=True)
            for step in sorted(candidates)
        ]
        scores = await self.scorer.scores(ctx, chains)
        return [
            CandidateChain(subject, steps, score, score)
            for (subject, steps), score in zip(chains, scores, strict=True)
            if math.isfinite(score)
        ]

    def _may_end(self, ctx: QuestionContext, chain: CandidateChain) -> bool:
        """Whether the chain may end here: it has ends, and they are no mediators."""
        return not (
            self.source.is_dead_end((chain.key, chain.steps))
            or ctx.graph.leads_to_mediators(chain.steps[-1])
        )


async def score_paths(
    ctx: QuestionContext, key: KeyEntity, paths: Sequence[Path]
) -> list[float | None]:
    """How well the chain of each path explains the question.

    ``None`` if the path does not begin at the key entity, or runs against the words.
    """
    subject = Subject.of(ctx.question, key)
    direction = _directions(ctx.question, [subject], _one_kind(paths))[subject]
    chains = [path.steps if path.entities[0] in key.entities else () for path in paths]
    distinct = sorted(
        {chain for chain in chains if chain and not direction.contradicts(ctx, chain)}
    )
    scores = await WholeQuestion().scores(ctx, [(subject, chain) for chain in distinct])
    by_chain = dict(zip(distinct, scores, strict=True))
    return [by_chain.get(chain) for chain in chains]


def _directions(
    question: str, subjects: Sequence[Subject], one_kind: Set[str]
) -> Mapping[Subject, Direction]:
    """What the question says of the direction of each subject's chains."""
    spans = [subject.key.span for subject in subjects if subject.key.span]
    return {
        subject: Direction.of(
            question,
            subject.key.span,
            [span for span in spans if span != subject.key.span],
            one_kind,
        )
        for subject in subjects
    }


def _one_kind(paths: Sequence[Path]) -> set[str]:
    """The relations that an entity on the paths has in both directions."""
    triples = {triple for path in paths for triple in path.triples}
    heads = {(triple.relation, triple.head) for triple in triples}
    return {triple.relation for triple in triples if (triple.relation, triple.tail) in heads}


def _best(chains: Sequence[CandidateChain], subject: Subject, width: int) -> list[CandidateChain]:
    """The chains of a subject with the best scores."""
    of_subject = [chain for chain in chains if chain.subject is subject]
    return sorted(of_subject, key=lambda chain: (-chain.score, chain.steps))[:width]
