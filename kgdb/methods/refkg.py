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
from kgdb.graph import FollowedEntity, Graph, Link, link
from kgdb.language import Encoder, LanguageModel, ask, verbalize
from kgdb.language.prompts import prompt
from kgdb.methods.decoupling import PLACEHOLDER, Decoupling, Floats
from kgdb.methods.tracing import StageRecord, Trace
from kgdb.model import Answer, AnsweredEntity, Step, chain_text

METHOD = "refkg"

_LONGEST = 2000
"""Characters of a question: every run of its words is looked up."""

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


def check_question(question: str) -> None:
    """Raises :class:`UsageError` for a question that is empty, too long or not text."""
    if not question.strip():
        raise UsageError("The question is empty.", hint='Ask something: kgdb answer "Who …?"')
    if len(question) > _LONGEST:
        raise UsageError(
            f"The question has {len(question):,} characters; at most {_LONGEST:,} are read.",
            hint="Ask about a text one question at a time.",
        )
    try:
        question.encode()
    except UnicodeEncodeError as error:
        raise UsageError(
            f"The question {question[:60]!r} is not valid UTF-8.",
            hint="Set the terminal to UTF-8 (for example LC_ALL=C.UTF-8).",
        ) from error


class RefKG:
    """Answers questions over one graph; see the module for what it does."""

    def __init__(
        self,
        graph: Graph,
        encoder: Encoder,
        llm: LanguageModel | None,
        options: Options | None = None,
    ) -> None:
        self._graph = graph
        self._encoder = encoder
        self._llm = llm
        self._options = options or Options()
        self._priors: dict[str, float] = {}

    def answer(self, question: str) -> Answer:
        """The entities that answer ``question``, with the paths that prove each.

        A question that cannot be answered gives an :class:`Answer` without entities whose
        ``reason`` says why. Raises :class:`UsageError` for a question that is empty or too long.
        """
        check_question(question)
        trace = Trace()
        links = self._decouple(question, trace)
        readings = self._explore(question, links, trace)
        answer = self._infer(question, links, readings, trace)
        return replace(answer, trace=trace.stages)

    def _decouple(self, question: str, trace: Trace) -> tuple[Link, ...]:
        """The entities the question is about (equation 1)."""
        with trace.stage("decouple") as stage:
            links = link(self._graph, question)[: self._options.starts]
            stage.say(
                links=[
                    {"mention": found.mention, "entities": [e.id for e in found.entities]}
                    for found in links
                ]
            )
            return links

    def _explore(self, question: str, links: Sequence[Link], trace: Trace) -> list[_Reading]:
        """Relation chains from the entities, best reading of the question first (equation 3)."""
        readings: list[_Reading] = []
        for found in links:
            subject = self._subject(question, found)
            starts = [entity.id for entity in found.entities]
            beam: list[_Reading] = []
            for hop in range(1, self._options.max_hops + 1):
                with trace.stage(f"explore hop {hop}") as stage:
                    menus = self._graph.menus(starts, [r.chain for r in beam] or [()])
                    # A chain with a menu at its end leads somewhere; one without does not.
                    readings += [r for r, menu in zip(beam, menus, strict=False) if menu]
                    befores: Sequence[_Reading | None] = beam or [None]
                    extensions = [
                        (before, around.step)
                        for before, menu in zip(befores, menus, strict=True)
                        for around in menu
                    ]
                    beam = self._select(subject, extensions, stage)
                    stage.say(menu=len(extensions), kept=[self._shown(r) for r in beam])
                if not beam:
                    break
            readings += beam
        readings.sort(key=lambda r: (-r.score, r.link.start, r.chain))
        return readings

    def _subject(self, question: str, found: Link) -> _Subject:
        """The question without the brackets of the mention, and with a placeholder for it.

        A noun in apposition (*the film Heat*) goes with its mention: taken for a part of its own
        it would look like a hop.
        """
        before = question[: found.start].removesuffix("[")
        after = question[found.end :].removeprefix("]")
        before = _APPOSITION.sub("", before)
        plain = before + found.mention + after
        start = len(before)
        return _Subject(
            found,
            Decoupling(plain, start, start + len(found.mention), self._encoder),
            before + PLACEHOLDER + after,
        )

    def _select(
        self,
        subject: _Subject,
        extensions: Sequence[tuple[_Reading | None, Step]],
        stage: StageRecord,
    ) -> list[_Reading]:
        """The top-k extensions: the encoder shortlists them, the language model weighs in."""
        if not extensions:
            return []
        fits = self._fits(subject, extensions)
        chains = [((*before.chain, step) if before else (step,)) for before, step in extensions]
        hops = len(chains[0])
        # What a chain explains of the question so far, be it a part only: more hops may follow.
        promise = [float(fit.max()) / hops for fit in fits]
        # One with more hops than the question has parts fits nowhere and explains nothing.
        fitting = [i for i in range(len(chains)) if math.isfinite(promise[i])]
        best = sorted(fitting, key=lambda i: (-promise[i], chains[i]))[: self._options.width]
        if not best:
            return []
        texts = self._graph.relations
        nouns = [verbalize(chains[i], PLACEHOLDER, texts) for i in best]
        questions = [ask(chains[i], PLACEHOLDER, texts) for i in best]
        vectors = self._encoder.encode([subject.masked, *nouns, *questions])
        cosine = (vectors[1:] @ vectors[0]).reshape(2, -1).mean(axis=0)
        preferences = self._prefer(subject.masked, nouns, stage)
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

    def _fits(
        self, subject: _Subject, extensions: Sequence[tuple[_Reading | None, Step]]
    ) -> list[Floats]:
        """How well each extension fits the cuts of the question."""
        steps = sorted({step for _, step in extensions})
        texts = self._graph.relations
        wordings = [
            self._encoder.encode([verb((step,), PLACEHOLDER, texts) for verb in (verbalize, ask)])
            for step in steps
        ]
        hops = dict(zip(steps, subject.decoupling.similarity(wordings), strict=True))
        return [
            subject.decoupling.extend(before.fit if before else None, hops[step])
            for before, step in extensions
        ]

    def _prefer(self, question: str, phrases: Sequence[str], stage: StageRecord) -> list[float]:
        """How much more likely the language model finds each phrase once it knows the question.

        The pointwise mutual information of phrase and question, in nats over the square root of
        the phrase's words: the plain log-probability would prefer whatever is short and common. A
        model that tells no probabilities prefers its choice alone.
        """
        if self._llm is None:
            return [0.0] * len(phrases)
        asked = self._llm.choose([prompt("refkg_reading", question=question)], [phrases])
        stage.spent(asked)
        scores = asked[0].scores
        if scores is None:
            return [_CHOSEN * (phrase == asked[0].text) for phrase in phrases]
        unknown = [phrase for phrase in phrases if phrase not in self._priors]
        if unknown:
            priors = self._llm.choose([prompt("refkg_reading_prior")], [unknown])
            stage.spent(priors)
            self._priors.update(zip(unknown, priors[0].scores or (), strict=True))
        return [
            (score - self._priors[phrase]) / math.sqrt(len(phrase.split()))
            for phrase, score in zip(phrases, scores, strict=True)
        ]

    def _infer(
        self,
        question: str,
        links: Sequence[Link],
        readings: Sequence[_Reading],
        trace: Trace,
    ) -> Answer:
        """Follow the best reading that leads anywhere, and answer with its ends."""
        with trace.stage("infer") as stage:
            blank = Answer(question, self._graph.name, METHOD)
            if not links:
                return replace(
                    blank,
                    reason=f"nothing in the graph {self._graph.name!r} has a name that the "
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
                ends = self._graph.follow(
                    [entity.id for entity in reading.link.entities],
                    reading.chain,
                    limit=self._options.answers,
                    paths=self._options.paths,
                )
                stage.say(followed=self._shown(reading), ends=len(ends))
                if ends:
                    return replace(
                        blank,
                        entities=tuple(map(_answered, ends)),
                        reading=ask(reading.chain, reading.link.mention, self._graph.relations),
                        truncated=ends.truncated,
                    )
            return replace(
                blank,
                reason="the graph holds no fact for any of the readings of the question that were "
                f"tried, such as {self._words(meant[0])!r}.",
            )

    def _words(self, reading: _Reading) -> str:
        return ask(reading.chain, reading.link.mention, self._graph.relations)

    def _shown(self, reading: _Reading) -> dict[str, object]:
        """A reading as the trace keeps it."""
        return {
            "mention": reading.link.mention,
            "chain": chain_text(reading.chain),
            "reading": self._words(reading),
            "parts": round(reading.parts, 4),
            "whole": round(reading.whole, 4),
            "preference": round(reading.preference, 4),
            "score": round(reading.score, 4),
        }


def _answered(end: FollowedEntity) -> AnsweredEntity:
    return AnsweredEntity(end.entity, end.paths, end.count)
