"""The ranks of a table: a judge ranks the texts of its rows, question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

from kgdb.lab.ranking import Answered, Judge, Ranking, mean_ranks, rank_answers, summarize_ranks
from kgdb.lab.reproduction.spec import QuestionSet
from kgdb.lab.reproduction.table_measures import Row
from kgdb.lab.texts import DialogueQuestion, DialogueRow
from kgdb.progress import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow(DialogueRow):
    """A row with its ``rank`` among the rows that answer the same question, 1 for the best."""

    rank: float

    @classmethod
    def of(cls, row: DialogueRow, rank: float) -> Self:
        """The row with that rank."""
        given = {each.name: getattr(row, each.name) for each in fields(row)}
        return cls(**{**given, "rank": rank})


@dataclass(frozen=True, slots=True)
class SetRanking:
    """How a set was ranked among the rows by ``models``; without a ranking, what ``stopped`` it."""

    questions: QuestionSet
    models: str
    ranking: Ranking | None = None
    stopped: str = ""


def ranked_rows(
    judge: Judge,
    asked: Sequence[DialogueQuestion],
    rows: Mapping[str, Sequence[Row]],
    file: Path,
    report: Report,
) -> tuple[dict[str, list[Row]], Ranking]:
    """The rows by their names with the ranks that the judge gives them, and what these come to.

    A row stays as it is where its question has no ranks. Raises :class:`TooManyErrors`.
    """
    by_id = {name: {row.id: row for row in of_name} for name, of_name in rows.items()}
    answered = [
        Answered(each, {name: _text(of_name[each.id]) for name, of_name in by_id.items()})
        for each in asked
    ]
    judged = rank_answers(judge, answered, judge.rows_beside(file, list(rows)), report)
    ranks = {row.id: mean_ranks(row) for row in judged}
    with_ranks = {
        name: [_with_rank(row, ranks[row.id].get(name)) for row in of_name]
        for name, of_name in rows.items()
    }
    return with_ranks, summarize_ranks(judge.name, judged)


def _text(row: Row) -> str | None:
    return row.text if isinstance(row, DialogueRow) else None


def _with_rank(row: Row, rank: float | None) -> Row:
    if rank is None or not isinstance(row, DialogueRow):
        return row
    return RankedRow.of(row, rank)
