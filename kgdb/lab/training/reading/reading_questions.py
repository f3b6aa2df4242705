"""Questions with the right Cypher or answers, and the values that answer them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgdb.errors import DatabaseError, UsageError
from kgdb.graph import Graph
from kgdb.graph.connection.statements import Statement
from kgdb.graph.forms import FormResult
from kgdb.graph.forms.operators import GroupBy
from kgdb.lab.training.corpus.json_lines import RowKind, read_lines, text, texts
from kgdb.wording import short

_KIND = RowKind(
    "question",
    '{"question": …, "cypher": …} or {"question": …, "answers": […]}',
    "Your own questions",
    "docs/how-to/training.md",
)


@dataclass(frozen=True, slots=True)
class ReadingQuestion:
    """A question with the Cypher or the values that answer it; refusing is right without both."""

    text: str
    cypher: str | None = None
    answers: frozenset[str] | None = None


def read_questions(file: Path) -> list[ReadingQuestion]:
    """The questions of a JSON Lines file.

    Raises :class:`kgdb.errors.UsageError` for an empty file and for a line that is no question.
    """
    return list(read_lines(file, _parsed, _KIND))


def _parsed(given: Mapping[str, Any]) -> ReadingQuestion:
    cypher = None if given.get("cypher") is None else text(given, "cypher")
    answers = None if given.get("answers") is None else texts(given, "answers")
    if cypher is not None and answers is not None:
        raise ValueError("it has cypher and answers, where one of them is expected")
    return ReadingQuestion(
        text(given, "question"), cypher, frozenset(map(_plain, answers or ())) or None
    )


def right_values(graph: Graph, question: ReadingQuestion) -> frozenset[str] | None:
    """The values that answer the question; ``None`` where refusing is right.

    Cypher runs read-only; its columns are the values, or groups with the value of each. Raises
    :class:`kgdb.errors.UsageError` for Cypher that fails.
    """
    if question.cypher is None:
        return question.answers
    try:
        rows = graph.database.query(Statement(question.cypher))
    except DatabaseError as error:
        raise UsageError(
            f"The Cypher of the question {short(question.text)} fails: {error.message}",
            hint="Correct it in the file. It may only read.",
        ) from error
    return frozenset(": ".join(map(_plain, row.values())) for row in rows) or None


def form_values(result: FormResult) -> frozenset[str]:
    """The values that a form comes to, or the names of its entities."""
    if not isinstance(result.value, tuple):
        names = [each.entity.name for each in result.entities]
        return frozenset(map(_plain, names if result.value is None else [result.value]))
    if isinstance(result.form, GroupBy):
        return frozenset(f"{_plain(e.entity.name)}: {_plain(e.value)}" for e in result.value)
    values = [each.value for each in result.value]
    lists = [each if isinstance(each, list | tuple) else [each] for each in values]
    return frozenset(_plain(value) for each in lists for value in each)


def _plain(value: Any) -> str:
    """Numbers have three decimals, also those that the graph holds as texts."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    try:
        return f"{float(value):.3f}"
    except (TypeError, ValueError):
        return str(value)
