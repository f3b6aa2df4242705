"""RefKG (*Reflection on Knowledge Graph for Large Language Models Reasoning*).

The paper's three steps, §3: *decouple* the question into sub-queries around the entities it names
(3.1), *explore* the graph from them hop by hop and *refine* what was found by an expert's scores
(3.2), and *infer* the answer from the evidence in words (3.3).

What differs from the paper, each a switch: beside the sub-queries that the language model writes,
the question is also cut by aligning it with relation chains (:mod:`kgdb.methods.chains.decoupling`), and
each chain is judged by what explains it best; the encoder keeps the top-k relations of a hop and
the language model weighs the finished chains, all in one call (``navigate``: it chooses at the hops
of the paper); the answer is the whole set of entities at the end of the best chain
(``inference``: the language model reads it out of the evidence, as in the paper).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kgdb.graph import Link
from kgdb.methods.answering.abstention import unnamed
from kgdb.methods.answering.extraction import extract_answers
from kgdb.methods.answering.preference import CALLS, NOTHING_WRITTEN, PMIScorer
from kgdb.methods.answering.reconstruction import reconstruct, triples_of
from kgdb.methods.chains.answers import FollowedChain, answers, meeting
from kgdb.methods.chains.decoupling import (
    PLACEHOLDER,
    Decoupling,
    GivenSubqueries,
    SpanSegmentation,
)
from kgdb.methods.chains.exploring import (
    CandidateChain,
    Navigation,
    Subject,
    all_masked,
    explore,
    plain,
)
from kgdb.methods.chains.subqueries import SubQuery, about, write_subqueries
from kgdb.methods.context.expert import Expert
from kgdb.methods.context.question import QuestionContext
from kgdb.methods.refkg.options import Asked, Options, without_effect
from kgdb.methods.refkg.refinement import Refinement
from kgdb.methods.verification.checks import Thresholds, check, relevant
from kgdb.methods.verification.claim_evidence import collect_evidence
from kgdb.methods.verification.claims import Claim
from kgdb.methods.verification.verdicts import by_model, by_rule, shown
from kgdb.values import Answer, Path, Triple, Verdict
from kgdb.wording import short

METHOD = "refkg"

# The first of these prompts reconstructs the evidence. It is kept free whatever form that has: else
# another form would be read of other evidence, and the two could not be compared.
_READING_CALLS = 2
_JUDGING_CALLS = 3
"""The others ask what the language model thinks of a claim with the evidence, and without."""

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)


class RefKG:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None, expert: Expert | None = None) -> None:
        """``expert``: a trained model that judges evidence; without one, the encoder does."""
        self._options = options or Options()
        self._kept_calls = _READING_CALLS if self._options.inference == "read" else 0
        self._refinement = Refinement(expert, self._options.alpha)
        self._weighing = PMIScorer()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        options = self._options
        reads = options.inference == "read" and ctx.resources.llm is not None
        self._note_idle(ctx, "questions", reads=reads)
        spare = self._spare(ctx, self._kept_calls)
        links, subqueries = await self._decouple(ctx, options.starts, spare)
        subjects = [_subject(ctx, link, subqueries) for link in links]
        candidates = await explore(
            ctx,
            subjects,
            max_hops=options.max_hops,
            width=options.width,
            navigation=self._navigation(ctx, subqueries),
        )
        candidates = await self._choose(ctx, subjects, candidates)
        evidence = await self._retrieve(ctx, candidates)
        refined = await self._refine(ctx, subqueries, evidence)
        return await self._infer(ctx, links, subqueries, candidates, evidence, refined)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """Whether the graph supports the claim ``ctx.question`` or refutes it, and by which facts.

        The steps are those of a question; what is explored is not where relations lead to but
        what lies between and around the things that the claim names.
        """
        options = self._options
        reads = options.judge == "llm" and ctx.resources.llm is not None
        self._note_idle(ctx, "claims", reads=reads)
        # Only facts that are read are refined, and sub-queries are what they are refined by.
        spare = self._spare(ctx, _JUDGING_CALLS) if reads and options.refine else 0
        links, subqueries = await self._decouple(ctx, options.named, spare)
        links = Claim.of(ctx.question, links).links
        with ctx.stage("explore") as stage:
            rule = Thresholds(closed_world=options.closed_world)
            evidence = await collect_evidence(ctx, links, max_hops=min(options.max_hops, 2))
            checks = await check(ctx, links, evidence, rule)
            navigate = reads and options.navigate == "llm" and self._spare(ctx, _JUDGING_CALLS) > 0
            facts = await relevant(ctx, links, evidence, checks, options.width, navigate=navigate)
            stage.record(checks=shown(checks), facts=len(facts))
        reads = reads and bool(checks)
        triples = triples_of(facts)
        if reads and options.refine:
            triples = await self._refinement.keep_relevant(ctx, _sought(ctx, subqueries), triples)
        with ctx.stage("infer") as stage:
            if reads:
                told = await self._told(ctx, triples, _JUDGING_CALLS)
                verdict = await by_model(
                    ctx,
                    METHOD,
                    checks,
                    facts,
                    triples,
                    told,
                    closed_world=options.closed_world,
                    calibrated=ctx.calls + 2 <= options.calls,
                )
            else:
                verdict = by_rule(ctx, METHOD, checks, facts)
            stage.record(label=verdict.label, confidence=verdict.confidence)
            return verdict

    def _note_idle(self, ctx: QuestionContext, asked: Asked, *, reads: bool) -> None:
        for note in without_effect(self._options, asked, reads=reads):
            ctx.note(note)

    def _spare(self, ctx: QuestionContext, inference: int) -> int:
        """Prompts that may be given before inference, which takes ``inference`` of them itself."""
        return self._options.calls - ctx.calls - inference if ctx.resources.llm else 0

    async def _decouple(
        self, ctx: QuestionContext, most: int, spare: int
    ) -> tuple[tuple[Link, ...], tuple[SubQuery, ...]]:
        """The entities the question is about, and its sub-queries (equation 1).

        ``spare``: prompts that may be given for these.
        """
        with ctx.stage("decouple") as stage:
            links = (await ctx.mentions(ctx.question))[:most]
            stage.record(
                links=[
                    {"mention": found.mention, "entities": [e.id for e in found.entities]}
                    for found in links
                ]
            )
            if not links or self._options.decouple != "llm" or spare < 1:
                return links, ()
            subqueries = await write_subqueries(ctx, links)
            stage.record(
                subqueries=[
                    {"query": one.text, "entities": [link.mention for link in one.links]}
                    for one in subqueries
                ]
            )
            return links, subqueries

    def _navigation(self, ctx: QuestionContext, subqueries: Sequence[SubQuery]) -> Navigation:
        """Over as many hops as there are sub-queries: that is how many the model predicts."""
        if self._options.navigate != "llm":
            return Navigation()
        hops = len(subqueries) or self._options.max_hops
        return Navigation(hops, until=ctx.calls + self._spare(ctx, self._kept_calls))

    async def _choose(
        self,
        ctx: QuestionContext,
        subjects: Sequence[Subject],
        candidates: Sequence[CandidateChain],
    ) -> list[CandidateChain]:
        """The readings with their scores, best first (equation 3)."""
        options = self._options
        with ctx.stage("choose") as stage:
            if candidates and self._spare(ctx, self._kept_calls) >= CALLS:
                phrases = [candidate.phrase(ctx) for candidate in candidates]
                preferred = await self._weighing.weigh(ctx, all_masked(ctx, subjects), phrases)
                candidates = [
                    replace(candidate, preference=preferred[phrase])
                    for candidate, phrase in zip(candidates, phrases, strict=True)
                ]
            scored = []
            for candidate in candidates:
                weight = options.parts_weight
                similarity = weight * candidate.parts + (1 - weight) * candidate.whole
                score = similarity + options.llm_weight * candidate.preference
                score -= options.hop_cost * len(candidate.chain)
                scored.append(replace(candidate, similarity=similarity, score=score))
            scored.sort(key=lambda r: (-r.score, r.link.start, r.chain))
            stage.record(
                candidates=[candidate.to_trace(ctx) for candidate in scored[: options.chains]]
            )
            return scored

    async def _retrieve(
        self, ctx: QuestionContext, candidates: Sequence[CandidateChain]
    ) -> list[FollowedChain]:
        """The evidence subgraph: what the best chains lead through (equation 2)."""
        meant = [r for r in candidates if r.similarity >= self._options.min_similarity]
        tried = meant[: self._options.chains]
        with ctx.stage("retrieve") as stage:
            found = await ctx.follow_each(
                [(candidate.subject.starts, candidate.chain) for candidate in tried],
                limit=self._options.answers,
                paths=self._options.paths,
            )
            stage.record(
                followed=[
                    {"interpretation": candidate.words(ctx), "ends": len(ends)}
                    for candidate, ends in zip(tried, found, strict=True)
                ]
            )
            return [
                FollowedChain(candidate, ends, 1.0, candidate.score)
                for candidate, ends in zip(tried, found, strict=True)
                if ends
            ]

    async def _refine(
        self,
        ctx: QuestionContext,
        subqueries: Sequence[SubQuery],
        evidence: Sequence[FollowedChain],
    ) -> list[FollowedChain]:
        """Chains whose facts the expert finds worth reading, best first (equation 4)."""
        if not self._options.refine or not evidence:
            return list(evidence)
        with ctx.stage("refine") as stage:
            samples = [
                [end.paths[0] for end in one.ends[: self._options.judged]] for one in evidence
            ]
            facts = triples_of([path for paths in samples for path in paths])
            best = await self._refinement.scores(ctx, _sought(ctx, subqueries), facts)
            expert, alpha = self._refinement.by(ctx)
            judged = []
            for one, paths in zip(evidence, samples, strict=True):
                worth = max(sum(best[t] for t in p.triples) / len(p.triples) for p in paths)
                score = one.score + self._options.expert_weight * worth
                judged.append(replace(one, worth=worth, score=score))
            kept = [one for one in judged if one.worth >= alpha]
            kept.sort(key=lambda one: -one.score)
            stage.record(
                expert=expert.name,
                alpha=alpha,
                judged=[
                    {"interpretation": one.candidate.words(ctx), "worth": round(one.worth, 4)}
                    for one in judged
                ],
                kept=len(kept),
            )
            return kept

    async def _infer(
        self,
        ctx: QuestionContext,
        links: Sequence[Link],
        subqueries: Sequence[SubQuery],
        candidates: Sequence[CandidateChain],
        evidence: Sequence[FollowedChain],
        refined: Sequence[FollowedChain],
    ) -> Answer:
        """What the evidence answers (equations 6–7)."""
        best = meeting(refined) or refined[:1]
        retrieved = self._retrieved([*best, *refined])
        reads = self._options.inference == "read" and ctx.resources.llm is not None
        keep_relevant = await self._worth_reading(ctx, subqueries, retrieved) if reads else []
        with ctx.stage("infer") as stage:
            if not refined:
                return Answer(
                    ctx.question,
                    ctx.graph.name,
                    METHOD,
                    reason=self._why_none(ctx, links, candidates, evidence),
                )
            if reads:
                return await self._read(ctx, links, retrieved, keep_relevant)
            if self._options.allow_unsupported and ctx.resources.llm is not None:
                ctx.note(NOTHING_WRITTEN)
            found = answers(best, self._options.paths)
            stage.record(followed=[one.candidate.to_trace(ctx) for one in best], ends=len(found))
            return Answer(
                ctx.question,
                ctx.graph.name,
                METHOD,
                entities=found,
                interpretation=" and ".join(one.candidate.words(ctx) for one in best),
                retrieved=retrieved,
                truncated=any(one.ends.truncated for one in best),
            )

    async def _worth_reading(
        self, ctx: QuestionContext, subqueries: Sequence[SubQuery], retrieved: Sequence[Path]
    ) -> list[Triple]:
        """The facts that are read, in the expert's order (equation 4).

        Each fact is judged by itself where each sub-query asks for one: of a whole question of
        several hops no single fact is the answer, and chains alone are judged.
        """
        triples = triples_of(retrieved)
        if not (self._options.refine and subqueries):
            return triples
        return await self._refinement.keep_relevant(ctx, _sought(ctx, subqueries), triples)

    async def _read(
        self,
        ctx: QuestionContext,
        links: Sequence[Link],
        retrieved: Sequence[Path],
        keep_relevant: Sequence[Triple],
    ) -> Answer:
        """The answers that the language model reads out of the evidence in words."""
        told = await self._told(ctx, keep_relevant, self._kept_calls)
        return await extract_answers(
            ctx,
            METHOD,
            retrieved,
            [link.ids for link in links],
            paths=self._options.paths,
            allow_unsupported=self._options.allow_unsupported,
            told=told,
        )

    async def _told(
        self, ctx: QuestionContext, triples: Sequence[Triple], inference: int
    ) -> list[str]:
        """The evidence as it is read; ``inference``: the prompts that this and reading take."""
        form = self._options.evidence
        if triples and form == "text" and ctx.calls + inference > self._options.calls:
            form = "template"
            ctx.note(
                f"The evidence was read by template: calls={self._options.calls} leaves none to "
                "reconstruct it."
            )
        return await reconstruct(ctx, triples, form)

    def _retrieved(self, evidence: Sequence[FollowedChain]) -> tuple[Path, ...]:
        """A path for each end: of the first chain for all, of the others for the first ones."""
        paths: dict[Path, None] = {}
        for place, one in enumerate(evidence):
            ends = one.ends if place == 0 else one.ends[: self._options.beside]
            paths.update((end.paths[0], None) for end in ends)
        return tuple(paths)

    def _why_none(
        self,
        ctx: QuestionContext,
        links: Sequence[Link],
        candidates: Sequence[CandidateChain],
        evidence: Sequence[FollowedChain],
    ) -> str:
        meant = [r for r in candidates if r.similarity >= self._options.min_similarity]
        mentions = ", ".join(dict.fromkeys(short(found.mention) for found in links))
        if not links:
            return unnamed(ctx)
        if not meant:
            return f"no relation around {mentions} means what the question asks."
        if not evidence:
            return (
                "the graph holds no fact for any of the readings of the question that were tried, "
                f"such as {short(meant[0].words(ctx))}."
            )
        return f"what the graph holds around {mentions} does not bear on the question."


def _subject(ctx: QuestionContext, found: Link, subqueries: Sequence[SubQuery]) -> Subject:
    """The question without the brackets of the mention, and with a placeholder for it.

    A noun in apposition (*the film Heat*) goes with its mention: taken for a part of its own it
    would look like a hop.
    """
    question = ctx.question
    before = question[: found.start].removesuffix("[")
    after = question[found.end :].removeprefix("]")
    before = _APPOSITION.sub("", before)
    plain = before + found.mention + after
    start = len(before)
    decouplings: list[Decoupling] = [SpanSegmentation(plain, start, start + len(found.mention))]
    if written := about(found, subqueries):
        decouplings.append(GivenSubqueries(written))
    return Subject(found, before + PLACEHOLDER + after, tuple(decouplings))


def _sought(ctx: QuestionContext, subqueries: Sequence[SubQuery]) -> list[str]:
    """What facts have to bear on: the sub-queries, or the whole question."""
    return [subquery.text for subquery in subqueries] or [plain(ctx.question)]
