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

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from kgdb.graph import Link
from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.language import verbalize, verbalize_question
from kgdb.methods.answering.completion import DiscardedEvidence
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.reconstruction import line, triples_of
from kgdb.methods.chains.candidate_chains import (
    PLACEHOLDER,
    CandidateChain,
    Subject,
    masked,
)
from kgdb.methods.chains.candidate_relations import DatabaseCandidates
from kgdb.methods.chains.chain_scoring import Chain
from kgdb.methods.chains.chain_search import ChainSearch
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.chains.relation_choice import LLMChoice, choose_relations
from kgdb.methods.chains.subqueries import SubQuery, subqueries_of, write_subqueries
from kgdb.methods.context import QuestionContext
from kgdb.methods.option_declarations import (
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


@dataclass(frozen=True, slots=True)
class _SubSentences:
    """Compares the n-th relation of a chain with the n-th sub-sentence, and nothing else (§3.2).

    A sentence without sub-sentences may take any number of hops: each is compared with all of it.
    """

    of_subject: Mapping[Subject, Sequence[str]]

    async def scores(self, ctx: QuestionContext, chains: Sequence[Chain]) -> list[float]:
        """The mean similarity of the hops; ``-inf`` for more of them than sub-sentences."""
        if not chains:
            return []
        relations = ctx.graph.relations
        texts = {text: n for n, text in enumerate(dict.fromkeys(self._all_texts()))}
        steps = {step: n for n, step in enumerate(dict.fromkeys(s for _, c in chains for s in c))}
        wordings = [
            to_words((step,), PLACEHOLDER, relations)
            for to_words in (verbalize, verbalize_question)
            for step in steps
        ]
        vectors = await ctx.encoder.encode_chains([*texts, *wordings])
        phrases = vectors[len(texts) :].reshape(2, len(steps), -1).mean(axis=0)
        fits = phrases @ vectors[: len(texts)].T
        scores = []
        for subject, chain in chains:
            parts = self.of_subject[subject] or [subject.masked] * len(chain)
            hops = [fits[steps[s], texts[part]] for s, part in zip(chain, parts, strict=False)]
            scores.append(float(np.mean(hops)) if len(chain) <= len(parts) else -math.inf)
        return scores

    def is_whole(self, candidate: CandidateChain) -> bool:
        """Whether a chain has a hop for each sub-sentence."""
        parts = self.of_subject[candidate.subject]
        return not parts or len(parts) == len(candidate.steps)

    def _all_texts(self) -> Iterator[str]:
        for subject, parts in self.of_subject.items():
            yield from parts or [subject.masked]


class KGGPT:
    """The baseline; see the module for what it does."""

    name = METHOD

    def __init__(self, options: KGGPTOptions | None = None) -> None:
        self._options = options or KGGPTOptions()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """What the facts of the chosen relations answer."""
        links, segments = await self._segment(ctx)
        options = self._options
        question = unbracketed(ctx.question)
        segments_of = {
            Subject(key_entity_of(link), masked(question, [link.mention])): subqueries_of(
                link, segments
            )
            for link in links
        }
        scorer = _SubSentences(segments_of)
        search = ChainSearch(
            DatabaseCandidates(),
            scorer,
            options.width,
            LLMChoice(options.max_hops, options.width),
            staged=True,
        )
        candidates = [
            candidate
            for candidate in await search.run(ctx, list(segments_of), options.max_hops)
            if scorer.is_whole(candidate)
        ]
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
