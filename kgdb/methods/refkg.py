"""RefKG (*Reflection on Knowledge Graph for Large Language Models Reasoning*).

The paper's three steps, §3: *decouple* the question into sub-queries around the entities it names
(3.1), *explore* the graph from them hop by hop and *refine* what was found by an expert's scores
(3.2), and *infer* the answer from the evidence in words (3.3).

What differs from the paper, each a switch: beside the sub-queries that the language model writes,
the question is also cut by aligning it with relation chains (:mod:`kgdb.methods.decoupling`), and
each chain is judged by what explains it best; the encoder keeps the top-k relations of a hop and
the language model weighs the finished chains, all in one call (``navigate``: it chooses at every
hop, as in the paper); the answer is the whole set of entities at the end of the best chain
(``inference``: the language model reads it out of the evidence, as in the paper).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgdb.graph import FollowedEntity, Found, Link
from kgdb.methods.claims import Claim
from kgdb.methods.decoupling import PLACEHOLDER, Cuts, Decoupling, Written
from kgdb.methods.expert import EncoderExpert, Expert
from kgdb.methods.exploring import Reading, Subject, Weighing, explore
from kgdb.methods.judging import Rule, check, gather, relevant
from kgdb.methods.reading import read_answers
from kgdb.methods.reconstruction import line, reconstruct, triples_of
from kgdb.methods.refkg_options import Options
from kgdb.methods.refusals import unnamed
from kgdb.methods.subqueries import SubQuery, about, masked, write_subqueries
from kgdb.methods.verdicts import by_model, by_rule, shown
from kgdb.methods.work import Work
from kgdb.model import Answer, AnsweredEntity, Entity, Path, Triple, Verdict

METHOD = "refkg"

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class _Evidence:
    """A chain that was followed: where it ends, and what the expert thinks of it."""

    reading: Reading
    ends: Found[FollowedEntity]
    worth: float
    score: float


class RefKG:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None, expert: Expert | None = None) -> None:
        """``expert``: a trained model that judges evidence; without one, the encoder does."""
        self._options = options or Options()
        self._expert = expert
        self._weighing = Weighing()

    async def answer(self, work: Work) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        options = self._options
        links, subqueries = await self._decouple(work, options.starts)
        subjects = [_subject(work, link, subqueries) for link in links]
        readings = await explore(
            work,
            subjects,
            max_hops=options.max_hops,
            width=options.width,
            navigate=options.navigate == "llm" and self._can_ask(work, options.max_hops),
        )
        readings = await self._choose(work, subjects, readings)
        evidence = await self._retrieve(work, readings)
        refined = await self._refine(work, subqueries, evidence)
        return await self._infer(work, links, readings, evidence, refined)

    async def verify(self, work: Work) -> Verdict:
        """Whether the graph supports the claim ``work.question`` or refutes it, and by which facts.

        The steps are those of a question; what is explored is not where relations lead to but
        what lies between and around the things that the claim names.
        """
        options = self._options
        links, subqueries = await self._decouple(work, options.named)
        links = Claim.of(work.question, links).links
        with work.stage("explore") as stage:
            rule = Rule(closed_world=options.closed_world)
            evidence = await gather(work, links, max_hops=min(options.max_hops, 2))
            checks = await check(work, links, evidence, rule)
            facts = await relevant(work, links, evidence, checks, options.width)
            stage.say(checks=shown(checks), facts=len(facts))
        triples = await self._worthy(work, subqueries, triples_of(facts))
        with work.stage("infer") as stage:
            if options.judge == "rule" or work.tools.llm is None or not checks:
                verdict = by_rule(work, METHOD, checks, facts)
            else:
                form = options.evidence
                # Two more prompts: what it thinks of the claim with the evidence, and without.
                if form == "text" and work.calls + 3 > options.calls:
                    form = "template"
                told = await reconstruct(work, triples, form)
                verdict = await by_model(
                    work, METHOD, checks, facts, told, closed_world=options.closed_world
                )
            stage.say(label=verdict.label, confidence=verdict.confidence)
            return verdict

    async def _worthy(
        self, work: Work, subqueries: Sequence[SubQuery], triples: Sequence[Triple]
    ) -> list[Triple]:
        """The facts that the expert finds worth reading, best first (equation 4)."""
        if not self._options.refine or not triples:
            return list(triples)
        with work.stage("refine") as stage:
            scores = await self._judged(work, subqueries, triples)
            expert, alpha = self._judge_of(work)
            kept = [triple for triple in triples if scores[triple] >= alpha]
            kept.sort(key=lambda triple: -scores[triple])
            stage.say(expert=expert.name, alpha=alpha, judged=len(triples), kept=len(kept))
            return kept

    def _judge_of(self, work: Work) -> tuple[Expert, float]:
        """The expert and the threshold α for it."""
        expert = self._expert or EncoderExpert(work.tools.encoder)
        return expert, expert.threshold if self._options.alpha is None else self._options.alpha

    async def _judged(
        self, work: Work, subqueries: Sequence[SubQuery], triples: Sequence[Triple]
    ) -> dict[Triple, float]:
        """For each fact the expert's score with the sub-query that it supports best."""
        expert, _ = self._judge_of(work)
        queries = [subquery.text for subquery in subqueries] or [_plain(work.question)]
        pairs = [(query, line(work, triple)) for triple in triples for query in queries]
        scores = await work.judged(expert, pairs)
        width = len(queries)
        return {
            triple: max(scores[n * width : (n + 1) * width]) for n, triple in enumerate(triples)
        }

    def _can_ask(self, work: Work, calls: int = 1) -> bool:
        """Whether the language model may be given so many prompts, and still infer the answer."""
        if work.tools.llm is None:
            return False
        kept = 1 if self._options.inference == "read" else 0
        return work.calls + calls + kept <= self._options.calls

    async def _decouple(
        self, work: Work, most: int
    ) -> tuple[tuple[Link, ...], tuple[SubQuery, ...]]:
        """The entities the question is about, and its sub-queries (equation 1)."""
        with work.stage("decouple") as stage:
            links = (await work.mentions(work.question))[:most]
            stage.say(
                links=[
                    {"mention": found.mention, "entities": [e.id for e in found.entities]}
                    for found in links
                ]
            )
            if not links or self._options.decouple != "llm" or not self._can_ask(work):
                return links, ()
            subqueries = await write_subqueries(work, links)
            stage.say(
                subqueries=[
                    {"query": one.text, "entities": [link.mention for link in one.links]}
                    for one in subqueries
                ]
            )
            return links, subqueries

    async def _choose(
        self, work: Work, subjects: Sequence[Subject], readings: Sequence[Reading]
    ) -> list[Reading]:
        """The readings with their scores, best first (equation 3)."""
        options = self._options
        with work.stage("choose") as stage:
            # Two prompts: what it thinks of the phrases, and what it thought of them before.
            if readings and self._can_ask(work, 2):
                readings = await self._weighing.weigh(work, _all_masked(work, subjects), readings)
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

    async def _retrieve(self, work: Work, readings: Sequence[Reading]) -> list[_Evidence]:
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
                _Evidence(reading, ends, 1.0, reading.score)
                for reading, ends in zip(tried, found, strict=True)
                if ends
            ]

    async def _refine(
        self, work: Work, subqueries: Sequence[SubQuery], evidence: Sequence[_Evidence]
    ) -> list[_Evidence]:
        """Chains whose facts the expert finds worth reading, best first (equation 4)."""
        if not self._options.refine or not evidence:
            return list(evidence)
        with work.stage("refine") as stage:
            samples = [
                [end.paths[0] for end in one.ends[: self._options.judged]] for one in evidence
            ]
            facts = triples_of([path for paths in samples for path in paths])
            best = await self._judged(work, subqueries, facts)
            expert, alpha = self._judge_of(work)
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
        readings: Sequence[Reading],
        evidence: Sequence[_Evidence],
        refined: Sequence[_Evidence],
    ) -> Answer:
        """What the evidence answers (equations 6–7)."""
        with work.stage("infer") as stage:
            if not refined:
                return Answer(
                    work.question,
                    work.graph.name,
                    METHOD,
                    reason=self._why_none(work, links, readings, evidence),
                )
            best = _meeting(refined) or refined[:1]
            retrieved = self._retrieved([*best, *refined])
            if self._options.inference == "read" and work.tools.llm is not None:
                return await self._read(work, links, retrieved)
            if self._options.allow_unsupported and work.tools.llm is not None:
                work.note(
                    "The language model weighed relations and wrote no answer, so that there is "
                    "none without evidence: it writes them with inference=read."
                )
            answers = _answers(best, self._options.paths)
            stage.say(followed=[one.reading.shown(work) for one in best], ends=len(answers))
            return Answer(
                work.question,
                work.graph.name,
                METHOD,
                entities=answers,
                reading=" and ".join(one.reading.words(work) for one in best),
                retrieved=retrieved,
                truncated=any(one.ends.truncated for one in best),
            )

    async def _read(self, work: Work, links: Sequence[Link], retrieved: Sequence[Path]) -> Answer:
        """The answers that the language model reads out of the evidence in words."""
        form = self._options.evidence
        if form == "text" and not self._can_ask(work):
            form = "template"
        told = await reconstruct(work, triples_of(retrieved), form)
        asked = {entity.id for link in links for entity in link.entities}
        return await read_answers(
            work,
            METHOD,
            retrieved,
            asked,
            paths=self._options.paths,
            allow_unsupported=self._options.allow_unsupported,
            told=told,
        )

    def _retrieved(self, evidence: Sequence[_Evidence]) -> tuple[Path, ...]:
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
        evidence: Sequence[_Evidence],
    ) -> str:
        meant = [r for r in readings if r.similarity >= self._options.min_similarity]
        mentions = ", ".join(repr(found.mention) for found in links)
        if not links:
            return unnamed(work)
        if not meant:
            return f"no relation around {mentions} means what the question asks."
        if not evidence:
            return (
                "the graph holds no fact for any of the readings of the question that were tried, "
                f"such as {meant[0].words(work)!r}."
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


def _all_masked(work: Work, subjects: Sequence[Subject]) -> str:
    """The question with a placeholder for every mention, so that a phrase is judged once."""
    if len(subjects) == 1:
        return subjects[0].masked
    text = _plain(work.question)
    for subject in subjects:
        text = masked(text, subject.link)
    return text


def _meeting(evidence: Sequence[_Evidence]) -> list[_Evidence]:
    """The best two chains from different mentions that end in the same entities, if any do.

    *Films that A directed and B acted in*: only together the two explain the question.
    """
    pairs = [
        (one, other)
        for n, one in enumerate(evidence)
        for other in evidence[n + 1 :]
        if one.reading.link != other.reading.link
        and {end.entity for end in one.ends} & {end.entity for end in other.ends}
    ]
    if not pairs:
        return []
    one, other = max(pairs, key=lambda pair: pair[0].score + pair[1].score)
    return [one, other]


def _answers(best: Sequence[_Evidence], paths: int) -> tuple[AnsweredEntity, ...]:
    """The ends of the best chain; of several, those that all of them share."""
    first, *others = best
    beside: list[dict[Entity, FollowedEntity]] = [
        {end.entity: end for end in other.ends} for other in others
    ]
    answers = []
    for end in first.ends:
        if all(end.entity in ends for ends in beside):
            proofs = [end, *(ends[end.entity] for ends in beside)]
            shown = tuple(path for proof in proofs for path in proof.paths)
            kept = shown if len(proofs) > 1 else shown[:paths]
            answers.append(AnsweredEntity(end.entity, kept, sum(p.count for p in proofs)))
    return tuple(answers)


def _plain(question: str) -> str:
    """The question without brackets, on one line."""
    return " ".join(_BRACKETS.sub(r"\1", question).split())
