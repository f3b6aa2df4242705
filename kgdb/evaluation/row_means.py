"""Means over the rows of a set, whole and for each kind of reasoning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, TypeVar

from kgdb.evaluation.result_rows import COST_DECIMALS, AnswerRow, ClaimRow, Row

_R = TypeVar("_R", bound=Row)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Means over the questions of a set, each from 0 to 1, or a cost for each question.

    ``unanswered`` counts those without an answer (claims without a verdict) for whatever reason,
    ``errors`` (a number) those that ended in an error, the first of which is ``first_error``.
    ``paths``: pieces of evidence. ``cost``: money, where the prices of tokens are known.
    """

    questions: int
    unanswered: float
    errors: int
    first_error: str | None
    paths: float
    calls: float
    most_calls: int
    cached: float
    tokens_in: float
    tokens_out: float
    seconds: float
    round_trips: float
    most_round_trips: int
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSummary(Summary):
    """``hit`` counts the first :data:`kgdb.evaluation.SHOWN` answers.

    ``evidence_hit`` is the share of questions whose evidence holds a gold answer at all,
    ``evidence`` the mean share of the gold answers that it holds, ``truncated`` the share of
    questions of which a cap left answers out.
    """

    hits_at_1: float
    hit: float
    exact: float
    f1: float
    evidence_hit: float
    evidence: float
    truncated: float
    by_type: Mapping[str, AnswerSummary] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimSummary(Summary):
    """``accuracy`` is over all claims, ``accuracy_of_decided`` over those that got a verdict."""

    accuracy: float
    accuracy_of_decided: float
    by_type: Mapping[str, ClaimSummary] = field(default_factory=dict)


def summarize_answers(rows: Sequence[AnswerRow], *, types: bool = True) -> AnswerSummary:
    """The means over ``rows``; all zero for none."""
    return AnswerSummary(
        hits_at_1=mean(row.hits_at_1 for row in rows),
        hit=mean(row.hit for row in rows),
        exact=mean(row.exact for row in rows),
        f1=mean(row.f1 for row in rows),
        evidence_hit=mean(row.evidence > 0 for row in rows),
        evidence=mean(row.evidence for row in rows),
        truncated=mean(row.truncated for row in rows),
        by_type={
            type_: summarize_answers(of_type, types=False)
            for type_, of_type in (rows_by_type(rows) if types else {}).items()
        },
        **_common(rows, [row for row in rows if not row.answered]),
    )


def summarize_claims(rows: Sequence[ClaimRow], *, types: bool = True) -> ClaimSummary:
    """The means over ``rows``; all zero for none."""
    undecided = [row for row in rows if not _decided(row)]
    return ClaimSummary(
        accuracy=mean(row.correct for row in rows),
        accuracy_of_decided=mean(row.correct for row in rows if _decided(row)),
        by_type={
            type_: summarize_claims(of_type, types=False)
            for type_, of_type in (rows_by_type(rows) if types else {}).items()
        },
        **_common(rows, undecided),
    )


def _decided(row: ClaimRow) -> bool:
    return row.error is None and row.verdict != "NOT ENOUGH EVIDENCE"


def rows_by_type(rows: Sequence[_R]) -> dict[str, list[_R]]:
    """The rows of each kind of question, by its name; those without a kind are left out."""
    types: dict[str, list[_R]] = {}
    for row in rows:
        if row.type:
            types.setdefault(row.type, []).append(row)
    return dict(sorted(types.items()))


def _common(rows: Sequence[Row], unanswered: Sequence[Row]) -> dict[str, Any]:
    return {
        "questions": len(rows),
        "unanswered": round(len(unanswered) / len(rows), 4) if rows else 0.0,
        "errors": sum(row.error is not None for row in rows),
        "first_error": next((row.error for row in rows if row.error), None),
        "paths": mean(row.paths for row in rows),
        "calls": mean(row.calls for row in rows),
        "most_calls": max((row.calls for row in rows), default=0),
        "cached": mean(row.cached for row in rows),
        "tokens_in": mean(row.tokens_in for row in rows),
        "tokens_out": mean(row.tokens_out for row in rows),
        "seconds": mean(row.seconds for row in rows),
        "round_trips": mean(row.round_trips for row in rows),
        "most_round_trips": max((row.round_trips for row in rows), default=0),
        "cost": round(fmean(row.cost for row in rows), COST_DECIMALS) if rows else 0.0,
    }


def mean(values: Iterable[float]) -> float:
    """The mean as summaries have it; 0 for nothing."""
    listed = list(values)
    return round(fmean(listed), 4) if listed else 0.0
