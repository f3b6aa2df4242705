"""Exploration (RefKG §3.2, equations 2–3): relation chains that read the question, hop by hop.

At each hop the database tells the relations that there are around what was reached: the menu. The
top-k extensions of the chains so far are kept, by how much of the question they explain; or the
language model navigates and names the relations to go on with. Nothing outside the menu can be
chosen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.graph import Link
from kgdb.graph.linking.mentions import unbracketed
from kgdb.language import CompletionRequest, verbalize, verbalize_question
from kgdb.language.text.json_replies import value_in
from kgdb.language.text.prompts import language_of, prompt
from kgdb.methods.chains.decoupling import PLACEHOLDER, Decoupling, Floats, Hop, extend, masked
from kgdb.methods.context.question import QuestionContext
from kgdb.values import Step, chain_text

MENU = 40
"""Phrases of a menu that the language model is shown, the most similar to the question."""

_PHRASE_TOKENS = 24


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A mention whose surroundings are explored, and the question taken apart around it.

    ``masked`` is the question with a placeholder for the mention.
    """

    link: Link
    masked: str
    decouplings: tuple[Decoupling, ...]

    @property
    def starts(self) -> list[str]:
        """The ids of the entities that the mention may stand for."""
        return [entity.id for entity in self.link.entities]


@dataclass(frozen=True, slots=True)
class CandidateChain:
    """One way to read the question: a relation chain from the entities of a mention.

    ``parts`` and ``whole`` are the similarities of its hops to the sub-queries and of the whole
    chain to the whole question, ``preference`` is the language model's. ``fits`` are the chain's
    fits to the decouplings of the question, for its extension by another hop.
    """

    subject: Subject = field(repr=False, compare=False)
    chain: tuple[Step, ...]
    parts: float
    whole: float
    preference: float = 0.0
    similarity: float = 0.0
    score: float = 0.0
    fits: tuple[Floats, ...] = field(default=(), repr=False, compare=False)

    @property
    def link(self) -> Link:
        """The mention it starts from."""
        return self.subject.link

    def phrase(self, ctx: QuestionContext) -> str:
        """What the chain leads to, around the placeholder."""
        return verbalize(self.chain, PLACEHOLDER, ctx.graph.relations)

    def words(self, ctx: QuestionContext) -> str:
        """The question that the chain answers."""
        return verbalize_question(self.chain, self.link.mention, ctx.graph.relations)

    def to_trace(self, ctx: QuestionContext) -> dict[str, object]:
        """As the trace keeps it."""
        return {
            "mention": self.link.mention,
            "chain": chain_text(self.chain),
            "interpretation": self.words(ctx),
            "parts": round(self.parts, 4),
            "whole": round(self.whole, 4),
            "preference": round(self.preference, 4),
            "score": round(self.score, 4),
        }


@dataclass(frozen=True, slots=True)
class _Extension:
    """A chain of the beam (``None``: nothing yet) and a step of the menu at its ends."""

    subject: Subject
    before: CandidateChain | None
    step: Step

    @property
    def chain(self) -> tuple[Step, ...]:
        return (*self.before.chain, self.step) if self.before else (self.step,)


@dataclass(frozen=True, slots=True)
class Navigation:
    """How far the language model chooses; from there on, the encoder does.

    It chooses over the first ``hops``, while the question has taken fewer than ``until`` calls
    (``None``: any number).
    """

    hops: int = 0
    until: int | None = None

    def leads(self, ctx: QuestionContext, hop: int) -> bool:
        """Whether the language model chooses at a hop."""
        return hop <= self.hops and (self.until is None or ctx.calls < self.until)


async def explore(
    ctx: QuestionContext,
    subjects: Sequence[Subject],
    *,
    max_hops: int,
    width: int,
    navigation: Navigation,
) -> list[CandidateChain]:
    """The chains that were kept on the way, of every length, in no order.

    A chain that ends at mediators reads no question: it is only gone on with.
    One round trip per hop for all subjects, and where the language model navigates, one call.
    """
    candidates: list[CandidateChain] = []
    beam: list[tuple[Subject, CandidateChain | None]] = [(subject, None) for subject in subjects]
    for hop in range(1, max_hops + 1):
        if not beam:
            break
        with ctx.stage(f"explore hop {hop}") as stage:
            candidate_relations = await ctx.candidate_relations_each(
                [(subject.starts, before.chain if before else ()) for subject, before in beam]
            )
            # A chain with a menu at its end leads somewhere; one without does not.
            candidates += [
                r for (_, r), menu in zip(beam, candidate_relations, strict=True) if r and menu
            ]
            extensions = [
                _Extension(subject, before, around.step)
                for (subject, before), menu in zip(beam, candidate_relations, strict=True)
                for around in menu
            ]
            kept: list[CandidateChain] = []
            fits = await _fits(ctx, extensions)
            if navigation.leads(ctx, hop):
                fits = await _navigated(ctx, fits, width)
            for subject in subjects:
                of_subject = {e: fit for e, fit in fits.items() if e.subject is subject}
                kept += await _select(ctx, of_subject, width)
            stage.record(menu=len(extensions), kept=[candidate.to_trace(ctx) for candidate in kept])
            beam = [(candidate.subject, candidate) for candidate in kept]
    candidates += [candidate for _, candidate in beam if candidate]
    return [
        candidate for candidate in candidates if not ctx.leads_to_mediators(candidate.chain[-1])
    ]


async def _fits(
    ctx: QuestionContext, extensions: Sequence[_Extension]
) -> dict[_Extension, tuple[Floats, ...]]:
    """How well each extension fits each decoupling of its question."""
    steps = sorted({extension.step for extension in extensions})
    subjects = list(dict.fromkeys(extension.subject for extension in extensions))
    if not steps:
        return {}
    texts = ctx.graph.relations
    wordings = [
        verb((step,), PLACEHOLDER, texts)
        for step in steps
        for verb in (verbalize, verbalize_question)
    ]
    decouplings = [d for subject in subjects for d in subject.decouplings]
    parts = [text for decoupling in decouplings for text in decoupling.texts]
    vectors = await ctx.encode([*wordings, *parts])
    phrasings = list(vectors[: len(wordings)].reshape(len(steps), 2, -1))
    hops: dict[Subject, list[Mapping[Step, Hop]]] = {subject: [] for subject in subjects}
    place = len(wordings)
    for subject in subjects:
        for decoupling in subject.decouplings:
            own = vectors[place : place + len(decoupling.texts)]
            place += len(decoupling.texts)
            similar = decoupling.similarity(own, phrasings)
            hops[subject].append(dict(zip(steps, similar, strict=True)))
    return {
        extension: tuple(
            extend(extension.before.fits[n] if extension.before else None, of_step[extension.step])
            for n, of_step in enumerate(hops[extension.subject])
        )
        for extension in extensions
    }


def plain(question: str) -> str:
    """The question without brackets, on one line."""
    return " ".join(unbracketed(question).split())


def all_masked(ctx: QuestionContext, subjects: Sequence[Subject]) -> str:
    """The question with a placeholder for every mention, so that a phrase is judged once."""
    if len(subjects) == 1:
        return subjects[0].masked
    return masked(plain(ctx.question), [subject.link.mention for subject in subjects])


def _promise(fits: Sequence[Floats], hops: int) -> float:
    """What a chain explains of the question so far, be it a part only: more hops may follow."""
    return max(float(fit.max()) for fit in fits) / hops


async def _select(
    ctx: QuestionContext, fits: Mapping[_Extension, tuple[Floats, ...]], width: int
) -> list[CandidateChain]:
    """The top-k extensions of one subject, by their promise."""
    partial_score = {e: _promise(fit, len(e.chain)) for e, fit in fits.items()}
    # One with more hops than the question has parts fits nowhere and explains nothing.
    fitting = [e for e in fits if math.isfinite(partial_score[e])]
    best = sorted(fitting, key=lambda e: (-partial_score[e], e.chain))[:width]
    if not best:
        return []
    texts = ctx.graph.relations
    nouns = [verbalize(e.chain, PLACEHOLDER, texts) for e in best]
    questions = [verbalize_question(e.chain, PLACEHOLDER, texts) for e in best]
    vectors = await ctx.encode([best[0].subject.masked, *nouns, *questions])
    cosine = (vectors[1:] @ vectors[0]).reshape(2, -1).mean(axis=0)
    return [
        CandidateChain(
            extension.subject,
            extension.chain,
            # The last part is the whole question: a reading has to explain all of it.
            max(float(fit[-1]) for fit in fits[extension]) / len(extension.chain),
            float(whole),
            fits=fits[extension],
        )
        for extension, whole in zip(best, cosine, strict=True)
    ]


async def _navigated(
    ctx: QuestionContext, fits: Mapping[_Extension, tuple[Floats, ...]], width: int
) -> dict[_Extension, tuple[Floats, ...]]:
    """The extensions by the relations that the language model chooses from the menu.

    All of them where it chooses none: a reply that is cut off or empty must not end the search.
    """
    texts = ctx.graph.relations
    ranked = sorted(fits, key=lambda e: (-_promise(fits[e], len(e.chain)), e.chain))
    phrases = list(dict.fromkeys(verbalize((e.step,), PLACEHOLDER, texts) for e in ranked))[:MENU]
    if len(phrases) <= width:
        return dict(fits)
    so_far = dict.fromkeys(e.before.phrase(ctx) for e in ranked if e.before)
    subjects = list({e.subject.link: e.subject for e in fits}.values())
    question = all_masked(ctx, subjects)
    chosen = await choose(ctx, question, list(so_far), phrases, width)
    if not chosen:
        return dict(fits)
    return {e: fits[e] for e in fits if verbalize((e.step,), PLACEHOLDER, texts) in chosen}


async def choose(
    ctx: QuestionContext, question: str, reached: Sequence[str], menu: Sequence[str], most: int
) -> list[str]:
    """The phrases of a menu that the language model would go on with, best first: one call."""
    asked = prompt(
        "refkg_relations",
        language_of(ctx.question),
        question=" ".join(question.split()),
        reached=listed(reached) or f"- {PLACEHOLDER}",
        menu=listed(menu),
        number=str(most),
    )
    return await chosen_from(ctx, asked, menu, most)


async def chosen_from(
    ctx: QuestionContext, asked: str, menu: Sequence[str], most: int
) -> list[str]:
    """What the language model replies to a prompt that lists a menu: one call."""
    schema = _choices("relations", menu, most)
    reply = await ctx.complete(
        CompletionRequest(asked, max_tokens=_PHRASE_TOKENS * most, schema=schema)
    )
    chosen = _chosen("relations", reply.text, menu)
    if not chosen:
        ctx.note("The language model chose no relation from a menu; the encoder did.")
    return chosen


def listed(phrases: Iterable[str]) -> str:
    """Phrases as a prompt lists them."""
    return "\n".join(f"- {phrase}" for phrase in phrases)


def _choices(key: str, among: Sequence[str], most: int) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            key: {
                "type": "array",
                "items": {"type": "string", "enum": list(among)},
                "minItems": 1,
                "maxItems": most,
            }
        },
        "required": [key],
        "additionalProperties": False,
    }


def _chosen(key: str, reply: str, among: Sequence[str]) -> list[str]:
    given = value_in(reply, key)
    return [text for text in given if text in among] if isinstance(given, list) else []
