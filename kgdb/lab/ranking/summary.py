"""What the ranks of a judge come to: mean ranks, wins, and how far its two runs agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from kgdb.lab.intervals import Mean, mean_of
from kgdb.lab.ranking.judging import RankRow


@dataclass(frozen=True, slots=True)
class MethodRank:
    """Of a method, the mean ``rank`` (1 is the best) and the share of ``wins``.

    A question is won against another method if both runs rank it better, and lost if both rank it
    worse; all else is a tie, which counts half (Zheng et al., 2023, §3.4). ``wins`` is the mean
    over the other methods. In ``silent`` of the ranked questions the method says nothing: there it
    is last by rule, and not by the judge.
    """

    rank: Mean
    wins: Mean
    silent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A set of questions as a ``judge`` ranks the methods.

    ``questions`` are ranked by two replies that could be read; the judge was asked about ``judged``
    of them, as the others have no two different texts. ``unreadable`` are the ids of those with a
    reply that could not be read (``first_unreadable``), and ``errors`` counts those on which the
    judge failed: neither has ranks. ``agreement`` is the mean of Kendall's tau-b between both runs,
    from -1 to 1; near -1 the judge goes by the order alone. It is over the judged questions that
    have one: of ``undecided`` ones, a run ranks all texts as equal. Calls and tokens are sums.
    """

    judge: str
    questions: int
    judged: int
    undecided: int
    agreement: Mean | None
    methods: Mapping[str, MethodRank]
    unreadable: tuple[str, ...]
    first_unreadable: str | None
    errors: int
    first_error: str | None
    calls: int
    cached: int
    tokens_in: int
    tokens_out: int


def summarize_ranks(judge: str, rows: Sequence[RankRow]) -> Ranking:
    """The means over the rows of one set; without a row that has ranks, no method has a mean."""
    ranked = [row for row in rows if row.first and row.second]
    judged = [row for row in ranked if row.shown > 1]
    runs = [(row.first, row.second) for row in rows if row.first and row.second]
    agreements = [row.agreement for row in rows if row.agreement is not None]
    unreadable = [row for row in rows if row.unreadable is not None]
    errors = [row.error for row in rows if row.error]
    return Ranking(
        judge=judge,
        questions=len(runs),
        judged=len(judged),
        undecided=sum(row.agreement is None for row in judged),
        agreement=mean_of(agreements) if agreements else None,
        methods={
            method: MethodRank(
                mean_of([fmean((first[method], second[method])) for first, second in runs]),
                mean_of([_wins(method, first, second) for first, second in runs]),
                sum(method in row.silent for row in ranked),
            )
            for method in (runs[0][0] if runs else ())
        },
        unreadable=tuple(row.id for row in unreadable),
        first_unreadable=unreadable[0].unreadable if unreadable else None,
        errors=len(errors),
        first_error=errors[0] if errors else None,
        calls=sum(row.calls for row in rows),
        cached=sum(row.cached for row in rows),
        tokens_in=sum(row.tokens_in for row in rows),
        tokens_out=sum(row.tokens_out for row in rows),
    )


def mean_ranks(row: RankRow) -> dict[str, float]:
    """The mean rank of each method over both runs; empty where the row has none."""
    if not row.first or not row.second:
        return {}
    return {method: fmean((rank, row.second[method])) for method, rank in row.first.items()}


def _wins(method: str, first: Mapping[str, float], second: Mapping[str, float]) -> float:
    """The share of the other methods that it beats in a question."""
    return fmean(
        _win(
            (first[method] < first[other], second[method] < second[other]),
            (first[method] > first[other], second[method] > second[other]),
        )
        for other in first
        if other != method
    )


def _win(better: Sequence[bool], worse: Sequence[bool]) -> float:
    return 1.0 if all(better) else 0.0 if all(worse) else 0.5
