"""Candidate chains: relation chains from a key entity that may be what a question asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kgdb.graph.linking.mentions import unbracketed
from kgdb.language import verbalize, verbalize_question
from kgdb.methods.chains.decoupling import (
    PLACEHOLDER,
    Decoupling,
    Floats,
    GivenSubqueries,
    SpanSegmentation,
    masked,
)
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.values import Step, chain_text

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)
_PLURAL = re.compile(r"[^su\W]s\s+$")
_AND = re.compile(r"\W*(?:,|and\b|or\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A key entity that chains start from, and the question taken apart around it.

    ``masked`` is the question with a placeholder for the mention. Of several ``decouplings`` of the
    question, the one that explains a chain best counts.
    """

    key: KeyEntity
    masked: str
    decouplings: tuple[Decoupling, ...]

    @classmethod
    def of(
        cls, question: str, key: KeyEntity, subqueries: Sequence[str] = (), entities: int = 1
    ) -> Subject:
        """The question segmented around the mention, and by ``subqueries`` that are written.

        ``entities`` are those around which it is segmented, each by itself.
        The brackets of the mention are dropped. So is a noun in apposition (*the film Heat*): as a
        part of its own it would look like a hop. A key entity that the question does not mention
        stands before it.
        """
        start, end = key.span or (0, 0)
        before, after = question[:start].removesuffix("["), question[end:].removeprefix("]")
        mention = question[start:end]
        # "The films X wrote" are no name of X; "the films X and Y" are of both.
        if not _PLURAL.search(before) or _AND.match(after):
            before = _APPOSITION.sub("", before)
        span = len(before), len(before) + len(mention)
        decouplings: list[Decoupling] = [
            SpanSegmentation(before + mention + after, *span, entities)
        ]
        if subqueries:
            decouplings.append(GivenSubqueries(subqueries))
        return cls(key, before + PLACEHOLDER * bool(mention) + after, tuple(decouplings))


@dataclass(frozen=True, slots=True, eq=False)
class PartialChain:
    """A chain that is still growing; ``fits`` are its fits to each decoupling of the question."""

    subject: Subject
    steps: tuple[Step, ...]
    fits: tuple[Floats, ...] = field(repr=False)

    @property
    def partial_score(self) -> float:
        """How much of the question the chain explains so far, per hop: more hops may follow."""
        return max(float(fit.max()) for fit in self.fits) / len(self.steps)

    def to_trace(self) -> dict[str, object]:
        """The chain as the trace keeps it."""
        return {
            "mention": self.subject.key.mention,
            "chain": chain_text(self.steps),
            "partial_score": round(self.partial_score, 4),
        }


@dataclass(frozen=True, slots=True)
class CandidateChain:
    """A chain that may be the whole question.

    ``by_subqueries`` is the mean similarity of its hops to the sub-queries, ``by_question`` that of
    the whole chain to the whole question; ``similarity`` weighs the two. ``score`` takes the length
    and the kind of answer into account, and the language model's ``preference``.
    """

    subject: Subject = field(repr=False, compare=False)
    steps: tuple[Step, ...]
    by_subqueries: float
    by_question: float
    similarity: float
    score: float
    preference: float = 0.0

    @property
    def key(self) -> KeyEntity:
        """The key entity that it starts from."""
        return self.subject.key

    def phrase(self, ctx: QuestionContext) -> str:
        """What the chain leads to, as a noun phrase around the placeholder."""
        return verbalize(self.steps, PLACEHOLDER, ctx.graph.relations)

    def interpretation(self, ctx: QuestionContext) -> str:
        """The question that the chain answers."""
        return verbalize_question(self.steps, self.key.mention, ctx.graph.relations)

    def to_trace(self, ctx: QuestionContext) -> dict[str, object]:
        """The chain as the trace keeps it."""
        return {
            "mention": self.key.mention,
            "chain": chain_text(self.steps),
            "interpretation": self.interpretation(ctx),
            "by_subqueries": round(self.by_subqueries, 4),
            "by_question": round(self.by_question, 4),
            "preference": round(self.preference, 4),
            "score": round(self.score, 4),
        }


def plain(question: str) -> str:
    """The question without brackets, on one line."""
    return " ".join(unbracketed(question).split())


def all_masked(ctx: QuestionContext, subjects: Sequence[Subject]) -> str:
    """The question with a placeholder for every mention."""
    if len(subjects) == 1:
        return subjects[0].masked
    return masked(plain(ctx.question), [subject.key.mention for subject in subjects])
