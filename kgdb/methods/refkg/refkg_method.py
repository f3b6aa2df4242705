"""RefKG (*Reflection on Knowledge Graph for Large Language Models Reasoning*).

The paper's three steps, §3: *decouple* the question into sub-queries around the entities it names
(3.1), *explore* the graph from them hop by hop and *refine* what was found by an expert's scores
(3.2), and *infer* the answer from the evidence in words (3.3).

What differs from the paper, each a switch: the question is not decoupled (``decouple="llm"``: the
language model writes sub-queries, as in the paper); the encoder keeps the top-k chains of a hop by
their similarity to the whole question, and the language model weighs the finished chains in one
call (``navigate="llm"``: it chooses at the hops, as in the paper); the answer is the whole set of
entities at the end of the best chain (``inference="read"``: the language model reads it out of the
evidence, as in the paper).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from kgdb.graph import Link
from kgdb.methods.answering.extraction import Evidence, extract_answers
from kgdb.methods.answering.llm_reader import LLMReader
from kgdb.methods.answering.preference import CALLS, NOTHING_WRITTEN, PMIScorer
from kgdb.methods.answering.reconstruction import reconstruct, triples_of
from kgdb.methods.chains.answers import ChainChoice, FollowedChain, answers, best_or_shared
from kgdb.methods.chains.candidate_chains import CandidateChain, Subject, all_masked, plain
from kgdb.methods.chains.candidate_relations import DatabaseCandidates
from kgdb.methods.chains.chain_search import ChainSearch
from kgdb.methods.chains.key_entities import key_entity_of
from kgdb.methods.chains.relation_choice import LLMChoice
from kgdb.methods.chains.subqueries import SubQuery, write_subqueries
from kgdb.methods.context import QuestionContext
from kgdb.methods.context.expert import Expert
from kgdb.methods.refkg.refinement import Refinement, Retrieval
from kgdb.methods.refkg.refkg_abstention import reason_for_none
from kgdb.methods.refkg.refkg_options import Asked, Options, without_effect
from kgdb.methods.verification.examination import examine
from kgdb.methods.verification.proven import proven
from kgdb.methods.verification.relevant_facts import relevant_facts
from kgdb.methods.verification.verdicts import (
    checks_to_trace,
    verdict_by_model,
    verdict_by_verifier,
)
from kgdb.values import Answer, Path, StagedEvidence, Triple, Verdict

METHOD = "refkg"

# The first of these prompts reconstructs the evidence. It is kept free whatever form that has: else
# another form would be read of other evidence, and the two could not be compared.
_READING_CALLS = 2
_JUDGING_CALLS = 3
"""Reconstruction, and the language model's verdict on a claim with the evidence and without it."""


class RefKG:
    """Answers questions over one graph; see the module for what it does."""

    def __init__(
        self,
        options: Options | None = None,
        expert: Expert | None = None,
        *,
        name: str = METHOD,
        choose: ChainChoice = best_or_shared,
    ) -> None:
        """``expert`` judges evidence; by default the one of the resources, or else the encoder.

        ``name`` is that of a method which answers by this one, and ``choose`` its choice among
        refined chains.
        """
        self.name = name
        self._choose = choose
        self.options = options or Options()
        self._inference_calls = _READING_CALLS if self.options.inference == "read" else 0
        self._refinement = Refinement(self.options, expert)
        self._preference = PMIScorer()

    async def answer(self, ctx: QuestionContext) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        options = self.options
        ctx.budget.limit(calls=options.calls)
        reads = options.inference == "read" and ctx.llm.available
        self._note_idle(ctx, "questions", reads=reads)
        inferring = self._inferring(ctx, reads=reads)
        found = await self.retrieve(ctx)
        refined: Sequence[FollowedChain] = found.evidence
        if options.refine and found.evidence:
            refined = await self._refinement.keep_relevant_chains(
                ctx, _queries(ctx, found.subqueries), found
            )
        best = await self._choose(ctx, refined)
        return await self._infer(ctx, inferring, found, refined, best)

    async def retrieve(self, ctx: QuestionContext) -> Retrieval:
        """The evidence for a question before its refinement (equations 1 to 3)."""
        options = self.options
        writes = ctx.budget.calls_left(self._inference_calls) > 0
        links, subqueries = await self._decouple(ctx, options.mentions, writes=writes)
        subjects = [Subject.of(ctx.question, key_entity_of(link)) for link in links]
        candidates = await self._explore(ctx, subjects, subqueries)
        candidates = await self._rank(ctx, subjects, candidates)
        evidence = await self._follow(ctx, candidates)
        return Retrieval(links, subqueries, tuple(candidates), tuple(evidence))

    async def verify(self, ctx: QuestionContext) -> Verdict:
        """Whether the graph supports the claim ``ctx.question`` or refutes it, and by which facts.

        The steps are the same as for a question, except that the exploration collects the facts
        around and between the entities of the claim.
        """
        options = self.options
        ctx.budget.limit(calls=options.calls)
        reads = options.judge == "llm" and ctx.llm.available
        self._note_idle(ctx, "claims", reads=reads)
        inferring = self._inferring(ctx, reads=reads)
        # Refinement applies only to facts that the model reads, and needs sub-queries.
        writes = reads and options.refine and ctx.budget.calls_left(_JUDGING_CALLS) > 0
        links, subqueries = await self._decouple(ctx, options.claim_mentions, writes=writes)
        verifier = None if options.judge == "llm" else ctx.resources.verifier
        with ctx.stage("explore") as stage:
            examined = await examine(
                ctx,
                links,
                max_hops=options.max_hops,
                # A verifier reads what the facts show; it says itself what the lack of one means.
                closed_world=options.closed_world and verifier is None,
            )
            claim, evidence, checks = examined.claim, examined.evidence, examined.checks
            may_choose = options.navigate == "llm" and ctx.budget.calls_left(_JUDGING_CALLS) > 0
            navigate = reads and may_choose
            facts = await relevant_facts(
                ctx, claim, evidence, checks, options.width, navigate=navigate
            )
            stage.record(checks=checks_to_trace(checks), facts=len(facts))
        refines = reads and options.refine
        reads = reads and bool(checks)
        triples = triples_of(facts)
        if reads and refines:
            queries = _queries(ctx, subqueries)
            triples = await self._refinement.keep_relevant(ctx, queries, triples)
        with ctx.stage("infer") as stage:
            if reads:
                lines = await self._evidence_lines(ctx, triples, _JUDGING_CALLS)
                verdict = await verdict_by_model(
                    inferring,
                    self.name,
                    checks,
                    facts,
                    triples,
                    lines,
                    closed_world=options.closed_world,
                    calibrated=ctx.budget.calls_left() >= 2,
                )
            else:
                verdict = verdict_by_verifier(
                    ctx, self.name, verifier, examined, facts, closed_world=options.closed_world
                )
            verdict = await proven(ctx, claim, verdict, checks, closed_world=options.closed_world)
            stage.record(label=verdict.label, confidence=verdict.confidence)
            left = tuple(triples) if refines else None
            return replace(verdict, staged=StagedEvidence(facts, left))

    def _inferring(self, ctx: QuestionContext, *, reads: bool) -> QuestionContext:
        """The context of the inference: its language model may be the untuned one (Table 5)."""
        return ctx if self.options.tuned_inference or not reads else ctx.untuned()

    def _note_idle(self, ctx: QuestionContext, kind: Asked, *, reads: bool) -> None:
        for note in without_effect(self.options, kind, reads=reads):
            ctx.note(note)

    async def _decouple(
        self, ctx: QuestionContext, limit: int, *, writes: bool
    ) -> tuple[tuple[Link, ...], tuple[SubQuery, ...]]:
        """The entities of the question and its sub-queries (equation 1).

        With ``writes`` the language model may be called for the sub-queries.
        """
        with ctx.stage("decouple") as stage:
            links = (await ctx.graph.mentions(ctx.question))[:limit]
            stage.record(
                links=[
                    {"mention": link.mention, "entities": [e.id for e in link.entities]}
                    for link in links
                ]
            )
            if not links or self.options.decouple != "llm" or not writes:
                return links, ()
            subqueries = await write_subqueries(ctx, links)
            stage.record(
                subqueries=[
                    {"query": query.text, "entities": [link.mention for link in query.links]}
                    for query in subqueries
                ]
            )
            return links, subqueries

    async def _explore(
        self, ctx: QuestionContext, subjects: Sequence[Subject], subqueries: Sequence[SubQuery]
    ) -> list[CandidateChain]:
        """Chains that may explain the question (equations 2 and 3).

        The number of sub-queries is the language model's prediction of the number of hops: it
        chooses the relations of so many.
        """
        options = self.options
        choice = None
        if options.navigate == "llm":
            hops = len(subqueries) or options.max_hops
            choice = LLMChoice(hops, options.width, reserve=self._inference_calls)
        search = ChainSearch(DatabaseCandidates(), width=options.width, choice=choice, staged=True)
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
                        score=candidate.score + self.options.llm_weight * preferred[phrase],
                    )
                    for candidate, phrase in zip(candidates, phrases, strict=True)
                ]
            ranked = sorted(candidates, key=lambda c: (-c.score, c.key.start, c.steps))
            best = ranked[: self.options.chains]
            stage.record(candidates=[candidate.to_trace(ctx) for candidate in best])
            return ranked

    async def _follow(
        self, ctx: QuestionContext, candidates: Sequence[CandidateChain]
    ) -> list[FollowedChain]:
        """The evidence subgraph: the ends and paths of the best chains (equation 2)."""
        best = self._similar_enough(candidates)[: self.options.chains]
        with ctx.stage("retrieve") as stage:
            ends_of_each = await ctx.graph.follow_each(
                [(candidate.key.ids, candidate.steps) for candidate in best],
                limit=self.options.answers,
                paths=self.options.paths,
            )
            stage.record(
                followed=[
                    {"interpretation": candidate.interpretation(ctx), "ends": len(ends)}
                    for candidate, ends in zip(best, ends_of_each, strict=True)
                ]
            )
            return [
                FollowedChain(candidate, ends, 1.0, candidate.score)
                for candidate, ends in zip(best, ends_of_each, strict=True)
                if ends
            ]

    def _similar_enough(self, candidates: Sequence[CandidateChain]) -> list[CandidateChain]:
        minimum = self.options.min_similarity
        return [candidate for candidate in candidates if candidate.score >= minimum]

    async def _infer(
        self,
        ctx: QuestionContext,
        inferring: QuestionContext,
        found: Retrieval,
        refined: Sequence[FollowedChain],
        best: Sequence[FollowedChain],
    ) -> Answer:
        """The answer from the evidence (equations 6–7); ``inferring`` has the model of the last.

        Without the model, the ends that the ``best`` of the refined chains share are the answer.
        """
        retrieved = self._retrieved([*best, *refined])
        reads = self.options.inference == "read" and ctx.llm.available
        facts_to_read = await self._facts_to_read(ctx, found.subqueries, retrieved) if reads else []
        judged = triples_of(retrieved) if reads else []
        staged = self._staged(found, refined, dropped={*judged} - {*facts_to_read})
        with ctx.stage("infer") as stage:
            if not refined:
                return Answer(
                    ctx.question,
                    ctx.graph.name,
                    self.name,
                    reason=reason_for_none(ctx, found, self._similar_enough(found.candidates)),
                    staged=staged,
                )
            if reads:
                answer = await self._read(ctx, inferring, found.links, retrieved, facts_to_read)
                return replace(answer, staged=staged)
            if self.options.allow_unsupported and ctx.llm.available:
                ctx.note(NOTHING_WRITTEN)
            entities = answers(best, self.options.paths)
            followed = [chain.candidate.to_trace(ctx) for chain in best]
            stage.record(followed=followed, ends=len(entities))
            return Answer(
                ctx.question,
                ctx.graph.name,
                self.name,
                entities=entities,
                interpretation=" and ".join(c.candidate.interpretation(ctx) for c in best),
                retrieved=retrieved,
                truncated=any(chain.ends.truncated for chain in best),
                staged=staged,
            )

    async def _facts_to_read(
        self, ctx: QuestionContext, subqueries: Sequence[SubQuery], retrieved: Sequence[Path]
    ) -> list[Triple]:
        """The facts for the reader, in the expert's order (equation 4).

        With sub-queries, which ask for one fact each, the expert judges single facts. Without them
        it judges only chains, because no single fact answers a question of several hops.
        """
        triples = triples_of(retrieved)
        if not (self.options.refine and subqueries):
            return triples
        return await self._refinement.keep_relevant(ctx, _queries(ctx, subqueries), triples)

    async def _read(
        self,
        ctx: QuestionContext,
        inferring: QuestionContext,
        links: Sequence[Link],
        retrieved: Sequence[Path],
        triples: Sequence[Triple],
    ) -> Answer:
        """The answers that the language model reads from the evidence in words."""
        in_words = await self._evidence_lines(ctx, triples, self._inference_calls)
        return await extract_answers(
            inferring,
            self.name,
            Evidence(retrieved, [link.ids for link in links]),
            LLMReader(in_words=in_words, allow_unsupported=self.options.allow_unsupported),
            max_proofs=self.options.paths,
        )

    async def _evidence_lines(
        self, ctx: QuestionContext, triples: Sequence[Triple], inference: int
    ) -> list[str]:
        """The evidence as lines; reconstruction and reading together take ``inference`` calls."""
        form = self.options.evidence_form
        if triples and form == "text" and ctx.budget.calls_left() < inference:
            form = "template"
            ctx.note(
                f"A template worded the evidence: calls={self.options.calls} leaves no call to "
                "reconstruct it."
            )
        return await reconstruct(ctx, triples, form)

    def _staged(
        self, found: Retrieval, refined: Sequence[FollowedChain], *, dropped: Collection[Triple]
    ) -> StagedEvidence:
        """The evidence before and after refinement, which ``dropped`` single facts besides chains.

        All ends count: what the answer does not keep of a chain, refinement did not remove.
        """
        explored = _paths(found.evidence)
        if not self.options.refine:
            return StagedEvidence(explored)
        left = (fact for fact in triples_of(_paths(refined)) if fact not in dropped)
        return StagedEvidence(explored, tuple(left))

    def _retrieved(self, evidence: Sequence[FollowedChain]) -> tuple[Path, ...]:
        """A path to every end of the first chain, and to the first ends of the others."""
        paths: dict[Path, None] = {}
        for rank, chain in enumerate(evidence):
            ends = chain.ends if rank == 0 else chain.ends[: self.options.other_ends]
            paths.update((end.paths[0], None) for end in ends)
        return tuple(paths)


def _paths(chains: Sequence[FollowedChain]) -> tuple[Path, ...]:
    """A path to every end of the chains, each once."""
    return tuple(dict.fromkeys(end.paths[0] for chain in chains for end in chain.ends))


def _queries(ctx: QuestionContext, subqueries: Sequence[SubQuery]) -> list[str]:
    """The queries that facts must support: the sub-queries, or the whole question."""
    return [subquery.text for subquery in subqueries] or [plain(ctx.question)]
