"""One row for each question or claim, as it was answered and what that cost."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from kgdb.errors import KgdbError
from kgdb.evaluation.metrics import exact, f1, hit, hits_at_1, recall
from kgdb.evaluation.noise import NoiseFields, noise_of_answer, noise_of_verdict
from kgdb.evaluation.questions import Claim, Question
from kgdb.values import Answer, Label, Usage, Verdict
from kgdb.wording import value_text

SHOWN = 20
"""Answers that ``kgdb answer`` prints by default: a gold answer beyond them was not shown."""

COST_DECIMALS = 10
"""Decimals of a cost that are kept: a token may cost less than a millionth."""


STAGES = ("mention", "retrieval", "refinement", "reading")
"""What may lose a right answer, in the order of a method (RefKG, A.8).

``mention``: nothing was retrieved, so no name led into the graph. ``retrieval``: what was retrieved
has no gold answer; of a claim, it decides nothing. ``refinement``: what remained has none.
``reading``: it has one, and another answer came first; of a claim, the label is the wrong one.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """What every row of a row file has: ``run`` tells how it was made.

    Rows of different runs are never summarised together.
    """

    id: str
    run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(FileRow):
    """What the rows of questions and of claims have in common; costs are as in ``Usage``.

    ``run`` tells what answered, and whether gold entities were given. ``question`` is the text as
    it was asked. ``error`` is what ended the question before its answer, ``paths`` how many paths
    of evidence there were. ``cost`` is by the prices of when the question was asked.
    """

    question: str
    type: str | None
    paths: int
    reason: str | None
    error: str | None
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int
    seconds: float
    round_trips: int
    cost: float = 0.0
    hops: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow(NoiseFields, Row):
    """A question: its measures, and how much of the gold the evidence holds (``evidence``).

    ``truncated``: a cap left answers out. ``lost`` is the first stage that lost a right answer:
    see :data:`STAGES`.
    """

    hits_at_1: bool
    hit: bool
    exact: bool
    f1: float
    evidence: float
    answered: int
    truncated: bool = False
    first: str | None
    interpretation: str | None
    lost: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRow(NoiseFields, Row):
    """A claim: its label, and what the method says."""

    label: Label
    verdict: Label
    correct: bool
    confidence: float | None
    lost: str | None = None


def listed_answers(question: Question, answer: Answer) -> list[str]:
    """The answers as the set calls them; those that no evidence proves come last."""
    answers = [question.called(answered.entity) for answered in answer.entities]
    if isinstance(answer.value, tuple):
        answers += dict.fromkeys(value_text(each.value) for each in answer.value)
    elif answer.value is not None:
        answers.append(value_text(answer.value))
    return [*answers, *answer.unsupported]


def answer_row(question: Question, answer: Answer, run: str) -> AnswerRow:
    """The row of a question."""
    answers = listed_answers(question, answer)
    evidence = dict.fromkeys((*answer.retrieved, *answer.evidence))
    found = {question.called(entity) for path in evidence for entity in path.entities}
    gold = question.gold
    refused = question.unanswerable and not answers  # which is right
    shown = {question.called(entity) for path in answer.evidence for entity in path.entities}
    right = refused or hits_at_1(answers, gold)
    explored = answer.staged.explored if answer.staged else ()
    met = found.union(question.called(entity) for path in explored for entity in path.entities)
    return AnswerRow(
        id=question.id,
        run=run,
        question=answer.question,
        type=question.type,
        hops=question.hops,
        hits_at_1=right,
        hit=refused or hit(answers, gold, SHOWN),
        exact=refused or exact(answers, gold),
        f1=1.0 if refused else round(f1(answers, gold), 4),
        evidence=round(recall(found, gold), 4),
        paths=len(evidence),
        answered=len(answers),
        truncated=answer.truncated,
        first=answers[0] if answers else None,
        interpretation=answer.interpretation,
        lost=None if right else _lost(met, shown.union(answers), gold),
        reason=answer.reason,
        error=_told(answer.error),
        **noise_of_answer(question, answer).noise_to_fields(),
        **_costs(answer.usage),
    )


def claim_row(claim: Claim, verdict: Verdict, run: str) -> ClaimRow:
    """The row of a claim. What ended in an error is not correct, whatever the label."""
    evidence = {*verdict.retrieved, *verdict.evidence}
    correct = verdict.label == claim.label and verdict.error is None
    undecided = verdict.label == "NOT ENOUGH EVIDENCE"
    lost = "mention" if not evidence else "retrieval" if undecided else "reading"
    return ClaimRow(
        id=claim.id,
        run=run,
        question=verdict.claim,
        type=claim.type,
        label=claim.label,
        verdict=verdict.label,
        correct=correct,
        lost=None if correct else lost,
        confidence=verdict.confidence,
        paths=len(evidence),
        reason=verdict.reason,
        error=_told(verdict.error),
        **noise_of_verdict(claim, verdict).noise_to_fields(),
        **_costs(verdict.usage),
    )


def _lost(found: Collection[str], kept: Collection[str], gold: Collection[str]) -> str:
    """The first stage after which no gold answer was left."""
    if not found:
        return "mention"
    if not recall(found, gold):
        return "retrieval"
    return "reading" if recall(kept, gold) else "refinement"


def _told(error: KgdbError | None) -> str | None:
    return f"{type(error).__name__}: {error.message}" if error else None


def _costs(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "cached": usage.cached,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "seconds": round(usage.seconds, 4),
        "round_trips": usage.round_trips,
        "cost": round(usage.cost, COST_DECIMALS),
    }
