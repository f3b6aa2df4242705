"""RefKG (*Reflection on Knowledge Graph for Large Language Models Reasoning*).

The paper's three steps, §3: *decouple* the question into sub-queries around the entities it names
(3.1), *explore* the graph from them hop by hop and *refine* what was found by an expert's scores
(3.2), and *infer* the answer from the evidence in words (3.3).

What differs from the paper, each a switch: beside the sub-queries that the language model writes,
the question is also cut by aligning it with relation chains (:mod:`kgdb.methods.decoupling`), and
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
from kgdb.methods.chain_answers import Followed, answers, meeting
from kgdb.methods.claims import Claim
from kgdb.methods.decoupling import PLACEHOLDER, Cuts, Decoupling, Written
from kgdb.methods.expert import Expert
from kgdb.methods.exploring import Navigation, Reading, Subject, all_masked, explore, plain
from kgdb.methods.judging import Rule, check, relevant
from kgdb.methods.reading import read_answers
from kgdb.methods.reconstruction import reconstruct, triples_of
from kgdb.methods.refining import Refinement
from kgdb.methods.refkg_options import Asked, Options, without_effect
from kgdb.methods.refusals import unnamed
from kgdb.methods.subqueries import SubQuery, about, write_subqueries
from kgdb.methods.surroundings import gather
from kgdb.methods.verdicts import by_model, by_rule, shown
from kgdb.methods.weighing import CALLS, NOTHING_WRITTEN, Weighing
from kgdb.methods.work import Work
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
        self._weighing = Weighing()

    async def answer(self, work: Work) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        options = self._options
        reads = options.inference == "read" and work.tools.llm is not None
        self._note_idle(work, "questions", reads=reads)
        spare = self._spare(work, self._kept_calls)
        links, subqueries = await self._decouple(work, options.starts, spare)
        subjects = [_subject(work, link, subqueries) for link in links]
        readings = await explore(
            work,
            subjects,
            max_hops=options.max_hops,
            width=options.width,
            navigation=self._navigation(work, subqueries),
        )
        readings = await self._choose(work, subjects, readings)
        evidence = await self._retrieve(work, readings)
        refined = await self._refine(work, subqueries, evidence)
        return await self._infer(work, links, subqueries, readings, evidence, refined)

    async def verify(self, work: Work) -> Verdict:
        """Whether the graph supports the claim ``work.question`` or refutes it, and by which facts.

        The steps are those of a question; what is explored is not where relations lead to but
        what lies between and around the things that the claim names.
        """
        options = self._options
        reads = options.judge == "llm" and work.tools.llm is not None
        self._note_idle(work, "claims", reads=reads)
        # Only facts that are read are refined, and sub-queries are what they are refined by.
        spare = self._spare(work, _JUDGING_CALLS) if reads and options.refine else 0
        links, subqueries = await self._decouple(work, options.named, spare)
        links = Claim.of(work.question, links).links
        with work.stage("explore") as stage:
            rule = Rule(closed_world=options.closed_world)
            evidence = await gather(work, links, max_hops=min(options.max_hops, 2))
            checks = await check(work, links, evidence, rule)
            navigate = reads and options.navigate == "llm" and self._spare(work, _JUDGING_CALLS) > 0
            facts = await relevant(work, links, evidence, checks, options.width, navigate=navigate)
            stage.say(checks=shown(checks), facts=len(facts))
        reads = reads and bool(checks)
        triples = triples_of(facts)
        if reads and options.refine:
            triples = await self._refinement.worthy(work, _sought(work, subqueries), triples)
        with work.stage("infer") as stage:
            if reads:
                told = await self._told(work, triples, _JUDGING_CALLS)
                verdict = await by_model(
                    work,
                    METHOD,
                    checks,
                    facts,
                    triples,
                    told,
                    closed_world=options.closed_world,
                    calibrated=work.calls + 2 <= options.calls,
                )
            else:
                verdict = by_rule(work, METHOD, checks, facts)
            stage.say(label=verdict.label, confidence=verdict.confidence)
            return verdict

    def _note_idle(self, work: Work, asked: Asked, *, reads: bool) -> None:
        for note in without_effect(self._options, asked, reads=reads):
            work.note(note)

    def _spare(self, work: Work, inference: int) -> int:
        """Prompts that may be given before inference, which takes ``inference`` of them itself."""
        return self._options.calls - work.calls - inference if work.tools.llm else 0

    async def _decouple(
        self, work: Work, most: int, spare: int
    ) -> tuple[tuple[Link, ...], tuple[SubQuery, ...]]:
        """The entities the question is about, and its sub-queries (equation 1).

        ``spare``: prompts that may be given for these.
        """
        with work.stage("decouple") as stage:
            links = (await work.mentions(work.question))[:most]
            stage.say(
                links=[
                    {"mention": found.mention, "entities": [e.id for e in found.entities]}
                    for found in links
                ]
            )
            if not links or self._options.decouple != "llm" or spare < 1:
                return links, ()
            subqueries = await write_subqueries(work, links)
            stage.say(
                subqueries=[
                    {"query": one.text, "entities": [link.mention for link in one.links]}
                    for one in subqueries
                ]
            )
            return links, subqueries

    def _navigation(self, work: Work, subqueries: Sequence[SubQuery]) -> Navigation:
        """Over as many hops as there are sub-queries: that is how many the model predicts."""
        if self._options.navigate != "llm":
            return Navigation()
        hops = len(subqueries) or self._options.max_hops
        return Navigation(hops, until=work.calls + self._spare(work, self._kept_calls))

    async def _choose(
        self, work: Work, subjects: Sequence[Subject], readings: Sequence[Reading]
    ) -> list[Reading]:
        """The readings with their scores, best first (equation 3)."""
        options = self._options
        with work.stage("choose") as stage:
            if readings and self._spare(work, self._kept_calls) >= CALLS:
                phrases = [reading.phrase(work) for reading in readings]
                preferred = await self._weighing.weigh(work, all_masked(work, subjects), phrases)
                readings = [
                    replace(reading, preference=preferred[phrase])
                    for reading, phrase in zip(readings, phrases, strict=True)
                ]
            scored = []
            for reading in readings:
                weight = options.parts_weight
                similarity = weight * reading.parts + (1 - weight) * reading.whole
                score = similarity + options.llm_weight * reading.preference
                score -= options.hop_cost * len(reading.chain)
                scored.append(replace(reading, similarity=similarity, score=score))
            scored.sort(key=lambda r: (-r.score, r.link.start, r.chain))
            stage.say(readings=[reading.shown(work) for reading in scored[: options.chains]])
            return scored

    async def _retrieve(self, work: Work, readings: Sequence[Reading]) -> list[Followed]:
        """The evidence subgraph: what the best chains lead through (equation 2)."""
        meant = [r for r in readings if r.similarity >= self._options.min_similarity]
        tried = meant[: self._options.chains]
        with work.stage("retrieve") as stage:
            found = await work.follow_each(
                [(reading.subject.starts, reading.chain) for reading in tried],
                limit=self._options.answers,
                paths=self._options.paths,
            )
            stage.say(
                followed=[
                    {"reading": reading.words(work), "ends": len(ends)}
                    for reading, ends in zip(tried, found, strict=True)
                ]
            )
            return [
                Followed(reading, ends, 1.0, reading.score)
                for reading, ends in zip(tried, found, strict=True)
                if ends
            ]

    async def _refine(
        self, work: Work, subqueries: Sequence[SubQuery], evidence: Sequence[Followed]
    ) -> list[Followed]:
        """Chains whose facts the expert finds worth reading, best first (equation 4)."""
        if not self._options.refine or not evidence:
            return list(evidence)
        with work.stage("refine") as stage:
            samples = [
                [end.paths[0] for end in one.ends[: self._options.judged]] for one in evidence
            ]
            facts = triples_of([path for paths in samples for path in paths])
            best = await self._refinement.scores(work, _sought(work, subqueries), facts)
            expert, alpha = self._refinement.by(work)
            judged = []
            for one, paths in zip(evidence, samples, strict=True):
                worth = max(sum(best[t] for t in p.triples) / len(p.triples) for p in paths)
                score = one.score + self._options.expert_weight * worth
                judged.append(replace(one, worth=worth, score=score))
            kept = [one for one in judged if one.worth >= alpha]
            kept.sort(key=lambda one: -one.score)
            stage.say(
                expert=expert.name,
                alpha=alpha,
                judged=[
                    {"reading": one.reading.words(work), "worth": round(one.worth, 4)}
                    for one in judged
                ],
                kept=len(kept),
            )
            return kept

    async def _infer(
        self,
        work: Work,
        links: Sequence[Link],
        subqueries: Sequence[SubQuery],
        readings: Sequence[Reading],
        evidence: Sequence[Followed],
        refined: Sequence[Followed],
    ) -> Answer:
        """What the evidence answers (equations 6–7)."""
        best = meeting(refined) or refined[:1]
        retrieved = self._retrieved([*best, *refined])
        reads = self._options.inference == "read" and work.tools.llm is not None
        worthy = await self._worth_reading(work, subqueries, retrieved) if reads else []
        with work.stage("infer") as stage:
            if not refined:
                return Answer(
                    work.question,
                    work.graph.name,
                    METHOD,
                    reason=self._why_none(work, links, readings, evidence),
                )
            if reads:
                return await self._read(work, links, retrieved, worthy)
            if self._options.allow_unsupported and work.tools.llm is not None:
                work.note(NOTHING_WRITTEN)
            found = answers(best, self._options.paths)
            stage.say(followed=[one.reading.shown(work) for one in best], ends=len(found))
            return Answer(
                work.question,
                work.graph.name,
                METHOD,
                entities=found,
                reading=" and ".join(one.reading.words(work) for one in best),
                retrieved=retrieved,
                truncated=any(one.ends.truncated for one in best),
            )

    async def _worth_reading(
        self, work: Work, subqueries: Sequence[SubQuery], retrieved: Sequence[Path]
    ) -> list[Triple]:
        """The facts that are read, in the expert's order (equation 4).

        Each fact is judged by itself where each sub-query asks for one: of a whole question of
        several hops no single fact is the answer, and chains alone are judged.
        """
        triples = triples_of(retrieved)
        if not (self._options.refine and subqueries):
            return triples
        return await self._refinement.worthy(work, _sought(work, subqueries), triples)

    async def _read(
        self,
        work: Work,
        links: Sequence[Link],
        retrieved: Sequence[Path],
        worthy: Sequence[Triple],
    ) -> Answer:
        """The answers that the language model reads out of the evidence in words."""
        told = await self._told(work, worthy, self._kept_calls)
        return await read_answers(
            work,
            METHOD,
            retrieved,
            [link.ids for link in links],
            paths=self._options.paths,
            allow_unsupported=self._options.allow_unsupported,
            told=told,
        )

    async def _told(self, work: Work, triples: Sequence[Triple], inference: int) -> list[str]:
        """The evidence as it is read; ``inference``: the prompts that this and reading take."""
        form = self._options.evidence
        if triples and form == "text" and work.calls + inference > self._options.calls:
            form = "template"
            work.note(
                f"The evidence was read by template: calls={self._options.calls} leaves none to "
                "reconstruct it."
            )
        return await reconstruct(work, triples, form)

    def _retrieved(self, evidence: Sequence[Followed]) -> tuple[Path, ...]:
        """A path for each end: of the first chain for all, of the others for the first ones."""
        paths: dict[Path, None] = {}
        for place, one in enumerate(evidence):
            ends = one.ends if place == 0 else one.ends[: self._options.beside]
            paths.update((end.paths[0], None) for end in ends)
        return tuple(paths)

    def _why_none(
        self,
        work: Work,
        links: Sequence[Link],
        readings: Sequence[Reading],
        evidence: Sequence[Followed],
    ) -> str:
        meant = [r for r in readings if r.similarity >= self._options.min_similarity]
        mentions = ", ".join(dict.fromkeys(short(found.mention) for found in links))
        if not links:
            return unnamed(work)
        if not meant:
            return f"no relation around {mentions} means what the question asks."
        if not evidence:
            return (
                "the graph holds no fact for any of the readings of the question that were tried, "
                f"such as {short(meant[0].words(work))}."
            )
        return f"what the graph holds around {mentions} does not bear on the question."


def _subject(work: Work, found: Link, subqueries: Sequence[SubQuery]) -> Subject:
    """The question without the brackets of the mention, and with a placeholder for it.

    A noun in apposition (*the film Heat*) goes with its mention: taken for a part of its own it
    would look like a hop.
    """
    question = work.question
    before = question[: found.start].removesuffix("[")
    after = question[found.end :].removeprefix("]")
    before = _APPOSITION.sub("", before)
    plain = before + found.mention + after
    start = len(before)
    decouplings: list[Decoupling] = [Cuts(plain, start, start + len(found.mention))]
    if written := about(found, subqueries):
        decouplings.append(Written(written))
    return Subject(found, before + PLACEHOLDER + after, tuple(decouplings))


def _sought(work: Work, subqueries: Sequence[SubQuery]) -> list[str]:
    """What facts have to bear on: the sub-queries, or the whole question."""
    return [subquery.text for subquery in subqueries] or [plain(work.question)]
