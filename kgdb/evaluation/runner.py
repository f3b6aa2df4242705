"""Runs a method over a question set: one row per question, kept as it goes, resumable."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from kgdb.errors import UsageError
from kgdb.evaluation.datasets import Question
from kgdb.evaluation.metrics import f1, hit, hits_at_1
from kgdb.methods import Reasoner
from kgdb.progress import Progress, Report, silent

SHOWN = 20
"""Answers that ``kgdb answer`` prints by default: a gold answer beyond them was not shown."""

_ROW_START = b'{"id": "'
_NUMBERS = (
    "hits_at_1", "hit", "f1", "answered", "calls", "tokens_in", "tokens_out", "seconds",
    "round_trips",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One question as it was answered; costs as in :class:`kgdb.model.Usage`.

    ``run`` tells what answered it: rows of different runs are never summarised together.
    """

    id: str
    run: str
    question: str
    hits_at_1: bool
    hit: bool
    f1: float
    answered: int
    first: str | None
    reading: str | None
    reason: str | None
    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float
    round_trips: int


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over the questions of a set; ``hit`` counts the first :data:`SHOWN` answers."""

    questions: int
    hits_at_1: float
    hit: float
    f1: float
    unanswered: float
    calls: float
    tokens_in: float
    seconds: float
    round_trips: float


def evaluate(
    method: Reasoner,
    questions: Sequence[Question],
    rows: Path | None = None,
    report: Report = silent,
    run: str = "",
) -> Summary:
    """Answer every question and summarise; ``run`` names the method and its settings.

    ``rows`` is a JSONL file that gets a row as soon as a question is answered; questions that it
    already holds are not asked again. Raises :class:`UsageError` when it is not such a file, or
    holds rows of another run.
    """
    done = _read_rows(rows) if rows and rows.exists() else {}
    if other := next((row.run for row in done.values() if row.run != run), None):
        raise UsageError(
            f"{rows} holds rows of another run: {other!r}, not {run!r}.",
            hint="Name another file for the rows.",
        )
    answered = [done[question.id] for question in questions if question.id in done]
    remaining = [question for question in questions if question.id not in done]
    for row in _keep(_ask(method, remaining, run), rows):
        answered.append(row)
        report(Progress("answering", len(answered), len(questions), "questions"))
    return summarize(answered)


def summarize(rows: Sequence[Row]) -> Summary:
    """The means over ``rows``; all zero for none."""

    def mean(values: Iterable[float]) -> float:
        return round(fmean(values), 4) if rows else 0.0

    return Summary(
        questions=len(rows),
        hits_at_1=mean(row.hits_at_1 for row in rows),
        hit=mean(row.hit for row in rows),
        f1=mean(row.f1 for row in rows),
        unanswered=mean(not row.answered for row in rows),
        calls=mean(row.calls for row in rows),
        tokens_in=mean(row.tokens_in for row in rows),
        seconds=mean(row.seconds for row in rows),
        round_trips=mean(row.round_trips for row in rows),
    )


def _ask(method: Reasoner, questions: Iterable[Question], run: str) -> Iterator[Row]:
    for question in questions:
        answer = method.answer(question.text)
        names = [answered.entity.name for answered in answer.entities]
        usage = answer.usage
        yield Row(
            id=question.id,
            run=run,
            question=question.text,
            hits_at_1=hits_at_1(names, question.gold),
            hit=hit(names, question.gold, SHOWN),
            f1=round(f1(names, question.gold), 4),
            answered=len(names),
            first=names[0] if names else None,
            reading=answer.reading,
            reason=answer.reason,
            calls=usage.calls,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            seconds=round(usage.seconds, 4),
            round_trips=usage.round_trips,
        )


def _keep(rows: Iterator[Row], path: Path | None) -> Iterator[Row]:
    if path is None:
        yield from rows
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Rows cannot be written to {path}: {error.strerror}.") from error
    with file:
        for row in rows:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            file.flush()
            yield row


def _read_rows(path: Path) -> dict[str, Row]:
    """The rows that the file holds; one that a stopped run left half-written is taken off it."""
    rows: dict[str, Row] = {}
    *lines, unfinished = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        row = _row(line)
        if row is None:
            raise _not_a_row(path, number)
        rows[row.id] = row
    if unfinished:
        # Only what can be the beginning of a row is taken off: the file may be somebody's data.
        begins = unfinished.startswith(_ROW_START[: len(unfinished)])
        if not begins or (_is_json(unfinished) and _row(unfinished) is None):
            raise _not_a_row(path, len(lines) + 1)
        os.truncate(path, path.stat().st_size - len(unfinished))
    return rows


def _row(line: bytes) -> Row | None:
    try:
        fields: dict[str, Any] = json.loads(line)
        if all(isinstance(fields[name], int | float) for name in _NUMBERS):
            return Row(**fields)
    except (ValueError, TypeError, KeyError):
        pass
    return None


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _not_a_row(path: Path, number: int) -> UsageError:
    return UsageError(
        f"{path}, line {number}, is not a row of an evaluation.",
        hint="Name another file for the rows.",
    )
