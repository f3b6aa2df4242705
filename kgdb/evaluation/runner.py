"""Runs a method over a question set, many questions at a time; a stopped run can go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from kgdb.errors import KgdbError, TooManyErrors, UsageError
from kgdb.evaluation.datasets.known_sets import Asked
from kgdb.evaluation.questions import Claim, Question
from kgdb.evaluation.result_rows import AnswerRow, ClaimRow, Row, answer_row, claim_row
from kgdb.evaluation.row_file import open_rows, read_rows
from kgdb.evaluation.row_means import (
    AnswerSummary,
    ClaimSummary,
    summarize_answers,
    summarize_claims,
)
from kgdb.progress import Progress, Report, silent
from kgdb.values import Answer, Verdict
from kgdb.wording import counted

BATCH = 50
"""Questions that are asked together."""

MAX_ERRORS = 10
"""Questions that may end in an error before an evaluation stops."""

_Q = TypeVar("_Q", Question, Claim)
_R = TypeVar("_R", bound=Row)
_A = TypeVar("_A", Answer, Verdict)


class Answering(Protocol):
    """What is measured: a :class:`kgdb.methods.Reasoner`."""

    def answers(
        self, questions: Sequence[str], done: Callable[[int, Answer], None] | None = None
    ) -> list[Answer]:
        """The answers, in the order of the questions; ``done`` is told of each when it is there."""

    def verdicts(
        self, claims: Sequence[str], done: Callable[[int, Verdict], None] | None = None
    ) -> list[Verdict]:
        """The same for claims."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of answers: how they become rows of a kind, and rows a summary."""

    row: type[AnswerRow] = AnswerRow
    as_row: Callable[[Question, Answer, str], AnswerRow] = answer_row
    summarize: Callable[[Sequence[Any]], AnswerSummary] = summarize_answers


ANSWERS = Measures()
"""The answers are compared with the gold ones."""


@dataclass(frozen=True, slots=True)
class Asking:
    """How a set is asked.

    ``run`` names the method and its settings. ``rows`` is a JSONL file that gets a row as soon as
    a question is answered; questions that it already holds are not asked again, except those that
    ended in an error. ``batch`` questions are asked together, and at most ``max_errors`` may end
    in an error.

    ``gold_entities`` points the gold entities of a question out in its text, in brackets; else the
    method gets the text alone, and finds them itself.
    """

    method: Answering
    rows: Path | None = None
    run: str = ""
    batch: int = BATCH
    max_errors: int = MAX_ERRORS
    measures: Measures = ANSWERS
    gold_entities: bool = False


def measure(asking: Asking, asked: Asked, report: Report = silent) -> AnswerSummary | ClaimSummary:
    """:func:`evaluate` or :func:`evaluate_claims`, according to what is asked."""
    claims = [each for each in asked if isinstance(each, Claim)]
    if claims:
        return evaluate_claims(asking, claims, report)
    return evaluate(asking, [each for each in asked if isinstance(each, Question)], report)


def evaluate(
    asking: Asking, questions: Sequence[Question], report: Report = silent
) -> AnswerSummary:
    """Answer every question and summarise; raises as :func:`answer_rows`."""
    return asking.measures.summarize(answer_rows(asking, questions, report))


def answer_rows(
    asking: Asking, questions: Sequence[Question], report: Report = silent
) -> list[AnswerRow]:
    """Answer every question: the rows, in the order of the questions.

    Raises :class:`UsageError` when the file of rows is no such file, or holds rows of another run,
    and :class:`TooManyErrors`.
    """
    measures = asking.measures
    return _run(asking, asking.method.answers, measures.as_row, measures.row, questions, report)


def evaluate_claims(
    asking: Asking, claims: Sequence[Claim], report: Report = silent
) -> ClaimSummary:
    """Judge every claim and summarise; raises as :func:`evaluate`."""
    method = asking.method
    return summarize_claims(_run(asking, method.verdicts, claim_row, ClaimRow, claims, report))


def _run(
    asking: Asking,
    ask: Callable[[Sequence[str], Callable[[int, _A], None]], object],
    as_row: Callable[[_Q, _A, str], _R],
    kind: type[_R],
    questions: Sequence[_Q],
    report: Report,
) -> list[_R]:
    """The rows of all questions, in their order: those that are kept, and those made now."""
    before = read_rows(asking.rows, kind, asking.run) if asking.rows else {}
    rows = {id_: row for id_, row in before.items() if row.error is None}
    remaining = [question for question in questions if question.id not in rows]
    done = len(questions) - len(remaining)
    errors: list[KgdbError] = []
    with open_rows(asking.rows) as write_row:

        def ended(first: int, place: int, answer: _A) -> None:
            nonlocal done
            row = as_row(remaining[first + place], answer, asking.run)
            write_row(row)
            rows[row.id] = row
            if answer.error:
                errors.append(answer.error)
            done += 1
            report(Progress("answering", done, len(questions), "questions"))

        for start in range(0, len(remaining), asking.batch):
            together = remaining[start : start + asking.batch]
            asked = [q.pointed_out() for q in together] if asking.gold_entities else together
            ask([question.text for question in asked], partial(ended, start))
            _check(errors, start + len(together), asking.max_errors)
    return [rows[question.id] for question in questions]


def _check(errors: Sequence[KgdbError], asked: int, max_errors: int) -> None:
    if len(errors) <= max_errors:
        return
    if len(errors) == asked and all(isinstance(error, UsageError) for error in errors):
        # What was asked for cannot be had of any question.
        raise errors[0]
    raise TooManyErrors(
        f"{len(errors):,} of {counted(asked, 'question')} ended in an error; the last one: "
        f"{errors[-1].message}",
        hint="What was answered is in the file of rows, if you named one: the same command goes "
        "on from it. --max-errors allows more.",
    ) from errors[-1]
