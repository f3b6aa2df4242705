"""The questions, and whether an answer to one is right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from benchmarks.forms.graphs import FOLDER
from kgdb.connection import Connection
from kgdb.values import Answer

Values = frozenset[str] | dict[str, str]
"""What an answer says: names and values, or those of each group."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: ``cypher`` gives the right answer; without it the graph has none.

    A query with two columns gives groups. ``half`` is ``dev`` or ``test``: rules and settings may
    be chosen by the failures in the first only.
    """

    graph: str
    question: str
    operator: str
    half: str
    cypher: str | None


def questions(graph: str) -> list[Asked]:
    """The questions over a graph."""
    text = (FOLDER / f"{graph}.jsonl").read_text(encoding="utf-8")
    return [Asked(graph, **json.loads(line)) for line in text.splitlines()]


def right_values(connection: Connection, asked: Asked) -> Values | None:
    """What the query of the question gives, or None where the graph has no answer."""
    if asked.cypher is None:
        return None
    records = connection.driver.execute_query(asked.cypher).records
    if records and len(records[0]) == 2:
        return {str(name): _text(value) for name, value in records}
    return frozenset(_text(record[0]) for record in records)


def given_values(answer: Answer) -> Values:
    """What the answer says."""
    is_grouped = answer.form is not None and answer.form["op"] == "GroupBy"
    if is_grouped and isinstance(answer.value, tuple):
        return {each.entity.name: _text(each.value) for each in answer.value}
    if isinstance(answer.value, tuple):
        return frozenset(_text(each) for each in answer.value for each in _each(each.value))
    if answer.value is not None:
        return frozenset(_text(each) for each in _each(answer.value))
    return frozenset(answered.entity.name for answered in answer.entities)


def outcome(answer: Answer, right: Values | None) -> str:
    """``right``, ``wrong`` (with confidence) or ``abstained`` (though there is an answer)."""
    if answer.is_empty:
        return "abstained" if right else "right"
    return "right" if right is not None and given_values(answer) == right else "wrong"


def _each(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _text(value: Any) -> str:
    """Numbers are compared to three decimals, whether they are whole or not."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.3f}"
    return str(value)
