"""RefKG (*Reflection on Knowledge Graph for Large Language Models Reasoning*).

The paper's three steps, §3: *decouple* the question into sub-queries around the entities it names
(3.1), *explore* the graph from them hop by hop and *refine* what was found by an expert's scores
(3.2), and *infer* the answer from the evidence in words (3.3).

What differs from the paper, each a switch: beside the sub-queries that the language model writes,
the question is segmented around each mention (:mod:`kgdb.methods.chains.decoupling`), and the
segmentation that explains a chain best counts; the encoder keeps the top-k relations of a hop, and
the language model weighs the finished chains in one call (``navigate="llm"``: it chooses at the
hops, as in the paper); the answer is the whole set of entities at the end of the best chain
(``inference="read"``: the language model reads it out of the evidence, as in the paper).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kgdb.graph import Link
from kgdb.methods.answering.abstention import unnamed
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.preference import CALLS, NOTHING_WRITTEN, PMIScorer
from kgdb.methods.answering.reconstruction import reconstruct, triples_of
from kgdb.methods.chains.answers import FollowedChain, answers, with_shared_ends
from kgdb.methods.chains.candidate_chains import CandidateChain, Subject, all_masked, plain
from kgdb.methods.chains.candidate_relations import DatabaseCandidates
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.chains.relation_choice import LLMChoice
from kgdb.methods.chains.scoring import ChainScorer
from kgdb.methods.chains.search import ChainSearch
from kgdb.methods.chains.subqueries import SubQuery, subqueries_of, write_subqueries
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.expert import Expert
from kgdb.methods.refkg.options import Asked, Options, without_effect
from kgdb.methods.refkg.refinement import Refinement
from kgdb.methods.verification.checks import Thresholds, check
from kgdb.methods.verification.claim_evidence import collect_evidence
from kgdb.methods.verification.claims import Claim
from kgdb.methods.verification.relevant_facts import relevant_facts
from kgdb.methods.verification.verdicts import checks_to_trace, verdict_by_checks, verdict_by_model
from kgdb.values import Answer, Path, Triple, Verdict
from kgdb.wording import short

METHOD = "refkg"

# The first of these prompts reconstructs the evidence. It is kept free whatever form that has: else
# another form would be read of other evidence, and the two could not be compared.
_READING_CALLS = 2
_JUDGING_CALLS = 3
"""The others ask what the language model thinks of a claim with the evidence, and without."""


class RefKG:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None, expert: Expert | None = None) -> None:
        """``expert``: a trained model that judges evidence; without one, the encoder does."""
        self._options = options or Options()
        self._inference_calls = _READING_CALLS if self._options.inference == "read" else 0
        self._refinement = Refinement(expert, self._options.alpha)
        self._preference = PMIScorer()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        options = self._options
        ctx.budget.limit(calls=options.calls)
        reads = options.inference == "read" and ctx.llm.available
        self._note_idle(ctx, "questions", reads=reads)
        writes = ctx.budget.calls_left(self._inference_calls) > 0
        links, subqueries = await self._decouple(ctx, options.mentions, writes=writes)
        subjects = [
            Subject.of(ctx.question, key_entity_of(link), subqueries_of(link, subqueries))
            for link in links
        ]
        candidates = await self._explore(ctx, subjects, subqueries)
        candidates = await self._rank(ctx, subjects, candidates)
        evidence = await self._retrieve(ctx, candidates)
        refined = await self._refine(ctx, subqueries, evidence)
        return await self._infer(ctx, links, subqueries, candidates, evidence, refined)

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """Whether the graph supports the claim ``ctx.question`` or refutes it, and by which facts.

        The steps are those of a question; what is explored is not where relations lead to but
        what lies between and around the things that the claim names.
        """
        options = self._options
        ctx.budget.limit(calls=options.calls)
        reads = options.judge == "llm" and ctx.llm.available
        self._note_idle(ctx, "claims", reads=reads)
        # Only facts that are read are refined, and sub-queries are what they are refined by.
        writes = reads and options.refine and ctx.budget.calls_left(_JUDGING_CALLS) > 0
        links, subqueries = await self._decouple(ctx, options.claim_mentions, writes=writes)
        links = Claim.of(ctx.question, links).links
        with ctx.stage("explore") as stage:
            thresholds = Thresholds(closed_world=options.closed_world)
            evidence = await collect_evidence(ctx, links, max_hops=min(options.max_hops, 2))
            checks = await check(ctx, links, evidence, thresholds)
            may_choose = options.navigate == "llm" and ctx.budget.calls_left(_JUDGING_CALLS) > 0
            navigate = reads and may_choose
            facts = await relevant_facts(
                ctx, links, evidence, checks, options.width, navigate=navigate
            )
            stage.record(checks=checks_to_trace(checks), facts=len(facts))
        reads = reads and bool(checks)
        triples = triples_of(facts)
        if reads and options.refine:
            triples = await self._refinement.keep_relevant(ctx, _sought(ctx, subqueries), triples)
        with ctx.stage("infer") as stage:
            if reads:
                in_words = await self._in_words(ctx, triples, _JUDGING_CALLS)
                verdict = await verdict_by_model(
                    ctx,
                    METHOD,
                    checks,
                    facts,
                    triples,
                    in_words,
                    closed_world=options.closed_world,
                    calibrated=ctx.budget.calls_left() >= 2,
                )
            else:
                verdict = verdict_by_checks(ctx, METHOD, checks, facts)
            stage.record(label=verdict.label, confidence=verdict.confidence)
            return verdict

    def _note_idle(self, ctx: QuestionContext, asked: Asked, *, reads: bool) -> None:
        for note in without_effect(self._options, asked, reads=reads):
            ctx.note(note)

    async def _decouple(
        self, ctx: QuestionContext, most: int, *, writes: bool
    ) -> tuple[tuple[Link, ...], tuple[SubQuery, ...]]:
        """The entities the question is about, and its sub-queries (equation 1).

        ``writes``: whether the language model may be called for these.
        """
        with ctx.stage("decouple") as stage:
            links = (await ctx.graph.mentions(ctx.question))[:most]
            stage.record(
                links=[
                    {"mention": found.mention, "entities": [e.id for e in found.entities]}
                    for found in links
                ]
            )
            if not links or self._options.decouple != "llm" or not writes:
                return links, ()
            subqueries = await write_subqueries(ctx, links)
            stage.record(
                subqueries=[
                    {"query": one.text, "entities": [link.mention for link in one.links]}
                    for one in subqueries
                ]
            )
            return links, subqueries

    async def _explore(
        self, ctx: QuestionContext, subjects: Sequence[Subject], subqueries: Sequence[SubQuery]
    ) -> list[CandidateChain]:
        """Chains that may explain the question (equations 2 and 3).

        The language model chooses over as many hops as it wrote sub-queries: so many it predicts.
        """
        options = self._options
        choice = None
        if options.navigate == "llm":
            hops = len(subqueries) or options.max_hops
            choice = LLMChoice(hops, options.width, reserve=self._inference_calls)
        scorer = ChainScorer(options.subquery_weight, options.hop_cost)
        search = ChainSearch(DatabaseCandidates(), scorer, options.width, choice, staged=True)
        return await search.run(ctx, subjects, options.max_hops)

    async def _rank(
        self,
        ctx: QuestionContext,
        subjects: Sequence[Subject],
        candidates: Sequence[CandidateChain],
    ) -> list[CandidateChain]:
        """The chains with the language model's preference in their scores, best first."""
        with ctx.stage("choose") as stage:
            if candidates and ctx.budget.calls_left(self._inference_calls) >= CALLS:
                phrases = [candidate.phrase(ctx) for candidate in candidates]
                question = all_masked(ctx, subjects)
                preferred = await self._preference.preferences(ctx, question, phrases)
                candidates = [
                    replace(
                        candidate,
                        preference=preferred[phrase],
                        score=candidate.score + self._options.llm_weight * preferred[phrase],
                    )
                    for candidate, phrase in zip(candidates, phrases, strict=True)
                ]
            ranked = sorted(candidates, key=lambda c: (-c.score, c.key.start, c.steps))
            best = ranked[: self._options.chains]
            stage.record(candidates=[candidate.to_trace(ctx) for candidate in best])
            return ranked

    async def _retrieve(
        self, ctx: QuestionContext, candidates: Sequence[CandidateChain]
    ) -> list[FollowedChain]:
        """The evidence subgraph: what the best chains lead through (equation 2)."""
        meant = [r for r in candidates if r.similarity >= self._options.min_similarity]
        tried = meant[: self._options.chains]
        with ctx.stage("retrieve") as stage:
            found = await ctx.graph.follow_each(
                [(candidate.key.ids, candidate.steps) for candidate in tried],
                limit=self._options.answers,
                paths=self._options.paths,
            )
            stage.record(
                followed=[
                    {"interpretation": candidate.interpretation(ctx), "ends": len(ends)}
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
                [end.paths[0] for end in one.ends[: self._options.judged_paths]] for one in evidence
            ]
            facts = triples_of([path for paths in samples for path in paths])
            best = await self._refinement.scores(ctx, _sought(ctx, subqueries), facts)
            expert, alpha = self._refinement.by(ctx)
            judged = []
            for one, paths in zip(evidence, samples, strict=True):
                expert_score = max(sum(best[t] for t in p.triples) / len(p.triples) for p in paths)
                score = one.score + self._options.expert_weight * expert_score
                judged.append(replace(one, expert_score=expert_score, score=score))
            kept = [one for one in judged if one.expert_score >= alpha]
            kept.sort(key=lambda one: -one.score)
            stage.record(
                expert=expert.name,
                alpha=alpha,
                judged=[
                    {
                        "interpretation": one.candidate.interpretation(ctx),
                        "expert_score": round(one.expert_score, 4),
                    }
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
        best = with_shared_ends(refined) or refined[:1]
        retrieved = self._retrieved([*best, *refined])
        reads = self._options.inference == "read" and ctx.llm.available
        facts_to_read = await self._facts_to_read(ctx, subqueries, retrieved) if reads else []
        with ctx.stage("infer") as stage:
            if not refined:
                return Answer(
                    ctx.question,
                    ctx.graph.name,
                    METHOD,
                    reason=self._why_none(ctx, links, candidates, evidence),
                )
            if reads:
                return await self._read(ctx, links, retrieved, facts_to_read)
            if self._options.allow_unsupported and ctx.llm.available:
                ctx.note(NOTHING_WRITTEN)
            found = answers(best, self._options.paths)
            stage.record(followed=[one.candidate.to_trace(ctx) for one in best], ends=len(found))
            return Answer(
                ctx.question,
                ctx.graph.name,
                METHOD,
                entities=found,
                interpretation=" and ".join(one.candidate.interpretation(ctx) for one in best),
                retrieved=retrieved,
                truncated=any(one.ends.truncated for one in best),
            )

    async def _facts_to_read(
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
        triples: Sequence[Triple],
    ) -> Answer:
        """The answers that the language model reads out of the evidence in words."""
        in_words = await self._in_words(ctx, triples, self._inference_calls)
        return await extract_answers(
            ctx,
            METHOD,
            Evidence(retrieved, [link.ids for link in links]),
            LLMReader(in_words=in_words, allow_unsupported=self._options.allow_unsupported),
            max_proofs=self._options.paths,
        )

    async def _in_words(
        self, ctx: QuestionContext, triples: Sequence[Triple], inference: int
    ) -> list[str]:
        """The evidence as it is read; ``inference``: the prompts that this and reading take."""
        form = self._options.evidence_form
        if triples and form == "text" and ctx.budget.calls_left() < inference:
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
            ends = one.ends if place == 0 else one.ends[: self._options.other_ends]
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
                f"such as {short(meant[0].interpretation(ctx))}."
            )
        return f"what the graph holds around {mentions} does not bear on the question."


def _sought(ctx: QuestionContext, subqueries: Sequence[SubQuery]) -> list[str]:
    """What facts have to bear on: the sub-queries, or the whole question."""
    return [subquery.text for subquery in subqueries] or [plain(ctx.question)]
