"""KG-GPT (Kim et al., 2023, *A General Framework for Reasoning on Knowledge Graphs Using LLMs*).

Its three steps: *segment* the sentence into sub-sentences, each about some of its entities (§3.1);
*retrieve* for each sub-sentence the facts of the top-k relations that the language model chooses
from those around what was reached (§3.2); *infer* the answer or the label from these facts (§3.3).

Here the number of hops is that of the sub-sentences, never given; all facts of all chosen
relations are evidence; and only entities that the text itself names are known beforehand. Without
a language model the encoder chooses the relations, and it or the checks of
:mod:`kgdb.methods.verification.checks` infer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from kgdb.graph import Link
from kgdb.graph.linking.mentions import unbracketed
from kgdb.language import verbalize
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.reconstruction import line, triples_of
from kgdb.methods.chains.candidate_chains import CandidateChain, Subject
from kgdb.methods.chains.candidate_relations import DatabaseCandidates
from kgdb.methods.chains.decoupling import PLACEHOLDER, Decoupling, GivenSubqueries, masked
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.chains.relation_choice import LLMChoice, choose_relations
from kgdb.methods.chains.scoring import ChainScorer
from kgdb.methods.chains.search import ChainSearch
from kgdb.methods.chains.subqueries import SubQuery, subqueries_of, write_subqueries
from kgdb.methods.context import QuestionContext
from kgdb.methods.options import (
    AllowUnsupported,
    ClosedWorld,
    MethodOptions,
    ProofPaths,
    Range,
)
from kgdb.methods.verification.examination import examine
from kgdb.methods.verification.proven import proven
from kgdb.methods.verification.relevant_facts import relevant_facts
from kgdb.methods.verification.verdicts import checks_to_trace, verdict_by_checks, verdict_by_model
from kgdb.values import Answer, Path, Step, Verdict

METHOD = "kggpt"


@dataclass(frozen=True, slots=True)
class KGGPTOptions(MethodOptions):
    """The options of the method, in the order of its three steps."""

    mentions: Annotated[int, Range(1, 50), "mentions of the text that are looked at"] = 8
    max_hops: Annotated[int, Range(1, 5), "sub-sentences that are followed at most"] = 3
    width: Annotated[
        int, Range(1, 50), "relations that are chosen for each sub-sentence, the paper's k"
    ] = 3
    chains: Annotated[int, Range(1, 100), "relation chains that are followed at most"] = 10
    ends_per_chain: Annotated[
        int, Range(1, 1000), "ends of each chain that are kept as evidence"
    ] = 50
    paths: ProofPaths = 3
    allow_unsupported: AllowUnsupported = False
    closed_world: ClosedWorld = False


class KGGPT:
    """The baseline; see the module for what it does."""

    name = METHOD

    def __init__(self, options: KGGPTOptions | None = None) -> None:
        self._options = options or KGGPTOptions()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """What the facts of the chosen relations answer."""
        links, segments = await self._segment(ctx)
        options = self._options
        search = ChainSearch(
            DatabaseCandidates(),
            # The paper compares sub-sentences with relations, and nothing else.
            ChainScorer(subquery_weight=1.0, hop_cost=0.0, kind_cost=0.0, direction_cost=0.0),
            options.width,
            LLMChoice(options.max_hops, options.width),
            staged=True,
        )
        subjects = [self._subject(ctx, link, segments) for link in links]
        candidates = await search.run(ctx, subjects, options.max_hops)
        evidence, cut = await self._retrieve(ctx, candidates)
        with ctx.stage("infer"):
            return await extract_answers(
                ctx,
                METHOD,
                Evidence(
                    evidence,
                    [link.ids for link in links],
                    discarded=DiscardedEvidence(cut=cut),
                ),
                # What the model says is the baseline's answer, no more and no less.
                LLMReader(
                    complete_sets=False,
                    fall_back=None,
                    allow_unsupported=options.allow_unsupported,
                ),
                max_proofs=options.paths,
            )

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """The label that the facts of the chosen relations give to the claim."""
        options = self._options
        links, _ = await self._segment(ctx)
        with ctx.stage("retrieve") as stage:
            examined = await examine(ctx, links, closed_world=options.closed_world)
            checks = examined.checks
            facts = await relevant_facts(
                ctx, examined.claim, examined.evidence, checks, 2 * options.width
            )
            if ctx.llm.available and facts:
                facts = await self._choose_facts(ctx, facts)
            stage.record(checks=checks_to_trace(checks), facts=len(facts))
        with ctx.stage("infer") as stage:
            if not ctx.llm.available or not checks:
                verdict = verdict_by_checks(ctx, METHOD, checks, facts)
            else:
                triples = triples_of(facts)
                lines = [line(ctx, triple, "triples") for triple in triples]
                verdict = await verdict_by_model(
                    ctx,
                    METHOD,
                    checks,
                    facts,
                    triples,
                    lines,
                    closed_world=options.closed_world,
                    calibrated=False,
                )
            verdict = await proven(
                ctx, examined.claim, verdict, checks, closed_world=options.closed_world
            )
            stage.record(label=verdict.label, confidence=verdict.confidence)
            return verdict

    async def _segment(self, ctx: QuestionContext) -> tuple[tuple[Link, ...], tuple[SubQuery, ...]]:
        """The entities that the text names, and its sub-sentences."""
        with ctx.stage("segment") as stage:
            links = (await ctx.graph.mentions(ctx.question))[: self._options.mentions]
            segments: tuple[SubQuery, ...] = ()
            if links and ctx.llm.available:
                segments = await write_subqueries(ctx, links)
            stage.record(
                links=[link.mention for link in links],
                segments=[segment.text for segment in segments],
            )
            return links, segments

    def _subject(self, ctx: QuestionContext, link: Link, segments: Sequence[SubQuery]) -> Subject:
        """A mention with its sub-sentences; without any, the sentence may take any number of hops.

        Each of that many hops is then compared with the whole sentence.
        """
        question = masked(unbracketed(ctx.question), [link.mention])
        own = subqueries_of(link, segments)
        decouplings: list[Decoupling] = [GivenSubqueries(own)] if own else []
        if not own:
            decouplings = [
                GivenSubqueries([question] * n) for n in range(1, self._options.max_hops + 1)
            ]
        return Subject(key_entity_of(link), question, tuple(decouplings))

    async def _retrieve(
        self, ctx: QuestionContext, candidates: Sequence[CandidateChain]
    ) -> tuple[list[Path], set[tuple[Step, ...]]]:
        """The facts of the chosen relations, those of the likeliest chain first.

        Also the chains that have more ends than were taken.
        """
        best = candidates[: self._options.chains]
        with ctx.stage("retrieve") as stage:
            followed = await ctx.graph.follow_each(
                [(candidate.key.ids, candidate.steps) for candidate in best],
                limit=self._options.ends_per_chain,
                paths=1,
            )
            ends_of_chains = list(zip(best, followed, strict=True))
            stage.record(
                followed=[
                    {"interpretation": candidate.interpretation(ctx), "ends": len(ends)}
                    for candidate, ends in ends_of_chains
                ]
            )
            paths = [end.paths[0] for ends in followed for end in ends]
            cut = {candidate.steps for candidate, ends in ends_of_chains if ends.truncated}
            return list(dict.fromkeys(paths)), cut

    async def _choose_facts(self, ctx: QuestionContext, facts: Sequence[Path]) -> tuple[Path, ...]:
        """The facts whose relation the language model chooses; all, where it chooses none."""
        texts = ctx.graph.relations
        phrases = {path: verbalize(path.steps, PLACEHOLDER, texts) for path in facts}
        candidates = list(dict.fromkeys(phrases.values()))
        if len(candidates) <= self._options.width:
            return tuple(facts)
        chosen = await choose_relations(ctx, ctx.question, [], candidates, self._options.width)
        return tuple(path for path in facts if not chosen or phrases[path] in chosen)
