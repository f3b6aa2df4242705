"""Means over the rows of a set, whole and for each kind of reasoning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, TypeVar

from kgdb.evaluation.result_rows import COST_DECIMALS, AnswerRow, ClaimRow, Row
from kgdb.evaluation.texts.fields import TEXT_COUNTS, TEXT_SHARES, TextFields

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
class AnswerSummary(TextFields, Summary):
    """``hit`` counts the first :data:`kgdb.evaluation.SHOWN` answers.

    ``evidence_hit`` is the share of questions whose evidence holds a gold answer at all,
    ``evidence`` the mean share of the gold answers that it holds, ``truncated`` the share of
    questions of which a cap left answers out.

    ``texts`` questions have a text to compare with a reference. The measures of
    :class:`TextFields` are means over the questions that have them, and its numbers are sums.
    ``key_entities`` is the mean of ``disease``, ``medication`` and ``test``, as RoK has it, over
    what the graph covers (``with_key_entities`` questions have such an entity).
    """

    hits_at_1: float
    hit: float
    exact: float
    f1: float
    evidence_hit: float
    evidence: float
    truncated: float
    texts: int = 0
    with_key_entities: int = 0
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
        hits_at_1=_mean(row.hits_at_1 for row in rows),
        hit=_mean(row.hit for row in rows),
        exact=_mean(row.exact for row in rows),
        f1=_mean(row.f1 for row in rows),
        evidence_hit=_mean(row.evidence > 0 for row in rows),
        evidence=_mean(row.evidence for row in rows),
        truncated=_mean(row.truncated for row in rows),
        **_of_texts(rows),
        by_type={
            type_: summarize_answers(of_type, types=False)
            for type_, of_type in (_by_type(rows) if types else {}).items()
        },
        **_common(rows, [row for row in rows if not row.answered]),
    )


_KINDS = ("disease", "medication", "test")


def _of_texts(rows: Sequence[AnswerRow]) -> dict[str, Any]:
    means = {name: _mean_of_given(getattr(row, name) for row in rows) for name in TEXT_SHARES}
    sums = {name: sum(getattr(row, name) for row in rows) for name in TEXT_COUNTS}
    return {
        **means,
        **sums,
        "key_entities": _mean_of_given(means[kind] for kind in _KINDS),
        "texts": sum(row.text is not None for row in rows),
        "with_key_entities": sum(row.key_entities is not None for row in rows),
    }


def summarize_claims(rows: Sequence[ClaimRow], *, types: bool = True) -> ClaimSummary:
    """The means over ``rows``; all zero for none."""
    undecided = [row for row in rows if not _decided(row)]
    return ClaimSummary(
        accuracy=_mean(row.correct for row in rows),
        accuracy_of_decided=_mean(row.correct for row in rows if _decided(row)),
        by_type={
            type_: summarize_claims(of_type, types=False)
            for type_, of_type in (_by_type(rows) if types else {}).items()
        },
        **_common(rows, undecided),
    )


def _decided(row: ClaimRow) -> bool:
    return row.error is None and row.verdict != "NOT ENOUGH EVIDENCE"


def _by_type(rows: Sequence[_R]) -> dict[str, list[_R]]:
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
        "paths": _mean(row.paths for row in rows),
        "calls": _mean(row.calls for row in rows),
        "most_calls": max((row.calls for row in rows), default=0),
        "cached": _mean(row.cached for row in rows),
        "tokens_in": _mean(row.tokens_in for row in rows),
        "tokens_out": _mean(row.tokens_out for row in rows),
        "seconds": _mean(row.seconds for row in rows),
        "round_trips": _mean(row.round_trips for row in rows),
        "most_round_trips": max((row.round_trips for row in rows), default=0),
        "cost": round(fmean(row.cost for row in rows), COST_DECIMALS) if rows else 0.0,
    }


def _mean_of_given(values: Iterable[float | None]) -> float | None:
    given = [value for value in values if value is not None]
    return _mean(given) if given else None


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(fmean(listed), 4) if listed else 0.0
