"""RefKG (Reflection on Knowledge Graph for Large Language Models Reasoning), its first form.

The paper's three steps, §3: *decouple* the question around the entities it names (3.1), *explore*
the graph from them hop by hop, at each hop keeping the top-k relations of the database's own menu
(3.2, equations 2–3), and *infer* the answer from the evidence found (3.3).

What differs from the paper so far: the sub-queries of a question are cut out of it by aligning it
with relation chains (:mod:`kgdb.methods.decoupling`) instead of being written beforehand by the
language model; no expert model filters triples; the answer is the set of entities at the end of the
best chain, not text that the language model writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kgdb.errors import UsageError
from kgdb.graph import FollowedEntity, Link
from kgdb.language import Ask, ask, verbalize
from kgdb.language.prompts import language_of, prompt
from kgdb.methods.decoupling import PLACEHOLDER, Decoupling, Floats
from kgdb.methods.work import Work
from kgdb.model import Answer, AnsweredEntity, Step, Verdict, chain_text

METHOD = "refkg"

_CHOSEN = 4.0
"""Preference for the choice of a model that tells no probabilities: about as much as lies between
the best and the worst phrase of a menu where a model tells them."""

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Options:
    """The knobs of the method.

    ``max_hops``: the longest relation chain. ``width``: relations kept per hop, the paper's k (2
    or 5). ``starts``: mentions of the question that are explored. ``answers`` and ``paths``: how
    many answers, and paths per answer, are kept.

    A chain's similarity to the question is ``parts_weight`` × that of its hops to the sub-queries
    plus the rest × that of the whole chain to the whole question (cosines, of the encoder). Its
    score adds ``llm_weight`` × the language model's preference for it and takes off ``hop_cost``
    per hop. Chains less similar than ``min_similarity`` are no reading of the question at all.
    """

    max_hops: int = 3
    width: int = 5
    starts: int = 3
    answers: int = 1000
    paths: int = 3
    parts_weight: float = 0.5
    llm_weight: float = 0.03
    hop_cost: float = 0.03
    min_similarity: float = 0.3

    def __post_init__(self) -> None:
        for name, low, high in (
            ("max_hops", 1, 5),
            ("width", 1, 50),
            ("starts", 1, 10),
            ("answers", 1, 100_000),
            ("paths", 1, 1000),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise UsageError(f"{name} is {value}; expected {low} to {high}.")


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read the question: a relation chain from the entities of a mention.

    ``parts`` and ``whole`` are the two similarities, ``preference`` is the language model's, and
    ``fit`` is the chain's fit to the cuts of the question, for its extension by another hop.
    """

    link: Link
    chain: tuple[Step, ...]
    parts: float
    whole: float
    preference: float
    similarity: float
    score: float
    fit: Floats = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class _Subject:
    """A mention whose surroundings are explored, and the question with its place held."""

    link: Link
    decoupling: Decoupling
    masked: str


class RefKG:
    """Answers questions over one graph; see the module for what it does."""

    name = METHOD

    def __init__(self, options: Options | None = None) -> None:
        self._options = options or Options()
        self._priors: dict[str, float] = {}

    async def answer(self, work: Work) -> Answer:
        """The entities that answer the question, with the paths that prove each."""
        links = await self._decouple(work)
        readings = await self._explore(work, links)
        return await self._infer(work, links, readings)

    async def verify(self, work: Work) -> Verdict:
        """Not yet: this form of the method only answers questions."""
        raise UsageError(f"The method refkg does not verify claims yet, as {work.question!r}.")

    async def _decouple(self, work: Work) -> tuple[Link, ...]:
        """The entities the question is about (equation 1)."""
        with work.stage("decouple") as stage:
            links = (await work.mentions(work.question))[: self._options.starts]
            stage.say(
                links=[
                    {"mention": found.mention, "entities": [e.id for e in found.entities]}
                    for found in links
                ]
            )
            return links

    async def _explore(self, work: Work, links: Sequence[Link]) -> list[_Reading]:
        """Relation chains from the entities, best reading of the question first (equation 3)."""
        readings: list[_Reading] = []
        for found in links:
            subject = self._subject(work, found)
            starts = [entity.id for entity in found.entities]
            beam: list[_Reading] = []
            for hop in range(1, self._options.max_hops + 1):
                with work.stage(f"explore hop {hop}") as stage:
                    menus = await work.menus(starts, [r.chain for r in beam] or [()])
                    # A chain with a menu at its end leads somewhere; one without does not.
                    readings += [r for r, menu in zip(beam, menus, strict=False) if menu]
                    befores: Sequence[_Reading | None] = beam or [None]
                    extensions = [
                        (before, around.step)
                        for before, menu in zip(befores, menus, strict=True)
                        for around in menu
                    ]
                    beam = await self._select(work, subject, extensions)
                    stage.say(menu=len(extensions), kept=[self._shown(work, r) for r in beam])
                if not beam:
                    break
            readings += beam
        readings.sort(key=lambda r: (-r.score, r.link.start, r.chain))
        return readings

    def _subject(self, work: Work, found: Link) -> _Subject:
        """The question without the brackets of the mention, and with a placeholder for it.

        A noun in apposition (*the film Heat*) goes with its mention: taken for a part of its own
        it would look like a hop.
        """
        question = work.question
        before = question[: found.start].removesuffix("[")
        after = question[found.end :].removeprefix("]")
        before = _APPOSITION.sub("", before)
        plain = before + found.mention + after
        start = len(before)
        return _Subject(
            found,
            Decoupling(plain, start, start + len(found.mention), work.tools.encoder),
            before + PLACEHOLDER + after,
        )

    async def _select(
        self,
        work: Work,
        subject: _Subject,
        extensions: Sequence[tuple[_Reading | None, Step]],
    ) -> list[_Reading]:
        """The top-k extensions: the encoder shortlists them, the language model weighs in."""
        if not extensions:
            return []
        fits = await self._fits(work, subject, extensions)
        chains = [((*before.chain, step) if before else (step,)) for before, step in extensions]
        hops = len(chains[0])
        # What a chain explains of the question so far, be it a part only: more hops may follow.
        promise = [float(fit.max()) / hops for fit in fits]
        # One with more hops than the question has parts fits nowhere and explains nothing.
        fitting = [i for i in range(len(chains)) if math.isfinite(promise[i])]
        best = sorted(fitting, key=lambda i: (-promise[i], chains[i]))[: self._options.width]
        if not best:
            return []
        texts = work.graph.relations
        nouns = [verbalize(chains[i], PLACEHOLDER, texts) for i in best]
        questions = [ask(chains[i], PLACEHOLDER, texts) for i in best]
        vectors = await work.encode([subject.masked, *nouns, *questions])
        cosine = (vectors[1:] @ vectors[0]).reshape(2, -1).mean(axis=0)
        preferences = await self._prefer(work, subject.masked, nouns)
        return [
            self._reading(subject.link, chains[i], fits[i], float(whole), preference)
            for i, whole, preference in zip(best, cosine, preferences, strict=True)
        ]

    def _reading(
        self, found: Link, chain: tuple[Step, ...], fit: Floats, whole: float, preference: float
    ) -> _Reading:
        """A chain with its scores put together."""
        options = self._options
        # The last cut is the whole question: a reading has to explain all of it.
        parts = float(fit[-1]) / len(chain)
        similarity = options.parts_weight * parts + (1 - options.parts_weight) * whole
        score = similarity + options.llm_weight * preference - options.hop_cost * len(chain)
        return _Reading(found, chain, parts, whole, preference, similarity, score, fit)

    async def _fits(
        self,
        work: Work,
        subject: _Subject,
        extensions: Sequence[tuple[_Reading | None, Step]],
    ) -> list[Floats]:
        """How well each extension fits the cuts of the question."""
        steps = sorted({step for _, step in extensions})
        texts = work.graph.relations
        wordings = [
            await work.encode([verb((step,), PLACEHOLDER, texts) for verb in (verbalize, ask)])
            for step in steps
        ]
        hops = dict(zip(steps, subject.decoupling.similarity(wordings), strict=True))
        return [
            subject.decoupling.extend(before.fit if before else None, hops[step])
            for before, step in extensions
        ]

    async def _prefer(self, work: Work, question: str, phrases: Sequence[str]) -> list[float]:
        """How much more likely the language model finds each phrase once it knows the question.

        The pointwise mutual information of phrase and question, in nats over the square root of
        the phrase's words: the plain log-probability would prefer whatever is short and common. A
        model that tells no probabilities prefers its choice alone.
        """
        if work.tools.llm is None:
            return [0.0] * len(phrases)
        language = language_of(question)
        asked = await work.complete(
            Ask(
                prompt("refkg_reading", language, question=question),
                choices=tuple(phrases),
                continues=True,
            )
        )
        if asked.scores is None:
            return [_CHOSEN * (phrase == asked.text) for phrase in phrases]
        unknown = [phrase for phrase in phrases if phrase not in self._priors]
        if unknown:
            priors = await work.complete(
                Ask(
                    prompt("refkg_reading_prior", language),
                    choices=tuple(unknown),
                    continues=True,
                )
            )
            self._priors.update(zip(unknown, priors.scores or (), strict=True))
        return [
            (score - self._priors[phrase]) / math.sqrt(len(phrase.split()))
            for phrase, score in zip(phrases, asked.scores, strict=True)
        ]

    async def _infer(
        self, work: Work, links: Sequence[Link], readings: Sequence[_Reading]
    ) -> Answer:
        """Follow the best reading that leads anywhere, and answer with its ends."""
        with work.stage("infer") as stage:
            blank = Answer(work.question, work.graph.name, METHOD)
            if not links:
                return replace(
                    blank,
                    reason=f"nothing in the graph {work.graph.name!r} has a name that the "
                    "question mentions. Put a name in [brackets] to point it out.",
                )
            meant = [r for r in readings if r.similarity >= self._options.min_similarity]
            if not meant:
                mentions = ", ".join(repr(found.mention) for found in links)
                return replace(
                    blank,
                    reason=f"no relation around {mentions} means what the question asks.",
                )
            for reading in meant[: self._options.width]:
                ends = await work.follow(
                    [entity.id for entity in reading.link.entities],
                    reading.chain,
                    limit=self._options.answers,
                    paths=self._options.paths,
                )
                stage.say(followed=self._shown(work, reading), ends=len(ends))
                if ends:
                    return replace(
                        blank,
                        entities=tuple(map(_answered, ends)),
                        reading=ask(reading.chain, reading.link.mention, work.graph.relations),
                        truncated=ends.truncated,
                    )
            return replace(
                blank,
                reason="the graph holds no fact for any of the readings of the question that were "
                f"tried, such as {self._words(work, meant[0])!r}.",
            )

    def _words(self, work: Work, reading: _Reading) -> str:
        return ask(reading.chain, reading.link.mention, work.graph.relations)

    def _shown(self, work: Work, reading: _Reading) -> dict[str, object]:
        """A reading as the trace keeps it."""
        return {
            "mention": reading.link.mention,
            "chain": chain_text(reading.chain),
            "reading": self._words(work, reading),
            "parts": round(reading.parts, 4),
            "whole": round(reading.whole, 4),
            "preference": round(reading.preference, 4),
            "score": round(reading.score, 4),
        }


def _answered(end: FollowedEntity) -> AnsweredEntity:
    return AnsweredEntity(end.entity, end.paths, end.count)
