"""Candidate chains: relation chains from a key entity that may be what a question asks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kgdb.graph.linking.mention_linking import unbracketed
from kgdb.language import verbalize, verbalize_question
from kgdb.methods.chains.key_entities import KeyEntity
from kgdb.methods.context import QuestionContext
from kgdb.values import Step, chain_text

PLACEHOLDER = "this"
"""Stands for the entity that a chain starts from, in a question and in the words of a chain."""

_APPOSITION = re.compile(r"\b(?:the|a|an)\s+\w+\s+$", re.IGNORECASE)
_PLURAL = re.compile(r"[^su\W]s\s+$")
_AND = re.compile(r"\W*(?:,|and\b|or\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A key entity that chains start from; ``masked`` is the question with it as a placeholder."""

    key: KeyEntity
    masked: str

    @classmethod
    def of(cls, question: str, key: KeyEntity) -> Subject:
        """The question around the mention of a key entity.

        The brackets of the mention are dropped. So is a noun in apposition (*the film Heat*), which
        looks like a hop. A key entity that the question does not mention leaves it as it is.
        """
        start, end = key.span or (0, 0)
        before, after = question[:start].removesuffix("["), question[end:].removeprefix("]")
        # "The films X wrote" are no name of X; "the films X and Y" are of both.
        if not _PLURAL.search(before) or _AND.match(after):
            before = _APPOSITION.sub("", before)
        return cls(key, before + PLACEHOLDER * (end > start) + after)


@dataclass(frozen=True, slots=True)
class CandidateChain:
    """A chain that may be the whole question.

    ``similarity`` is that of the question to the chain in words, ``preference`` what a language
    model thinks of it; ``score`` weighs the two.
    """

    subject: Subject = field(repr=False, compare=False)
    steps: tuple[Step, ...]
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
            "similarity": round(self.similarity, 4),
            "preference": round(self.preference, 4),
            "score": round(self.score, 4),
        }


def masked(text: str, mentions: Sequence[str]) -> str:
    """A question or sub-query with the placeholder for each mention, whatever its case there."""
    for mention in mentions:
        at = text.casefold().find(mention.casefold())
        if at >= 0:
            text = text[:at] + PLACEHOLDER + text[at + len(mention) :]
    return text


def plain(question: str) -> str:
    """The question without brackets, on one line."""
    return " ".join(unbracketed(question).split())


def all_masked(ctx: QuestionContext, subjects: Sequence[Subject]) -> str:
    """The question with a placeholder for every mention."""
    if len(subjects) == 1:
        return subjects[0].masked
    return masked(plain(ctx.question), [subject.key.mention for subject in subjects])
