"""What the terminal and the page show alike: amounts, comparisons, reasons, thoughts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.plain_text import without_answer
from kgdb.values import Answer, Stage, Usage
from kgdb.wording import one_line, value_text


def amount(cost: float) -> str:
    """Four decimals, or as many as show two digits: what a question costs is often very little."""
    decimals = 4 if cost <= 0 else max(4, 1 - math.floor(math.log10(cost)))
    return f"{cost:.{decimals}f}"


def last_thought(trace: Sequence[Stage]) -> Mapping[str, Any] | None:
    """The output of the last stage that keeps a thought: it has the facts found for it, too."""
    for stage in reversed(trace):
        thought = stage.output.get("thought")
        # RoK's thought is a text.
        if isinstance(thought, Mapping) and thought.get("edges"):
            return stage.output
    return None


NAMED = 3
"""Answers that a row names."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one method found and spent. ``agreement``: with the other methods, if they can agree."""

    method: str
    answers: str
    evidence: int
    agreement: float | None
    usage: Usage


@dataclass(frozen=True, slots=True)
class Comparison:
    """The methods side by side, and each answer with the methods that gave it."""

    rows: tuple[Row, ...]
    votes: tuple[tuple[str, tuple[str, ...]], ...]

    @classmethod
    def of(cls, answers: Sequence[Answer]) -> Comparison:
        """Compare the answers of several methods to one question."""
        rows = tuple(
            Row(answer.method, _summary(answer), len(answer.evidence), agreement, answer.usage)
            for answer, agreement in zip(answers, _agreements(answers), strict=True)
        )
        return cls(rows, _votes(answers))

    @property
    def priced(self) -> bool:
        """Whether the cost of any method is known."""
        return any(row.usage.cost for row in self.rows)


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "-" if share is None else f"{share:.0%}"


def _summary(answer: Answer) -> str:
    """The answers, or why there are none, on one line."""
    if answer.error:
        return f"failed: {one_line(answer.error.message)}"
    names = [one_line(answered.entity.name) for answered in answer.entities]
    if isinstance(answer.value, tuple):
        names = [f"{one_line(v.entity.name)}: {value_text(v.value)}" for v in answer.value]
    elif answer.value is not None:
        return one_line(value_text(answer.value))
    if names:
        more = len(names) - NAMED
        return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
    if answer.unsupported:
        return f"without evidence: {', '.join(map(one_line, answer.unsupported[:NAMED]))}"
    return without_answer(answer)


def _agreements(answers: Sequence[Answer]) -> list[float | None]:
    """For each, the mean share of common answers with each other that has answers."""
    found = [frozenset(answered.entity for answered in answer.entities) for answer in answers]
    agreements: list[float | None] = []
    for index, own in enumerate(found):
        others = [other for i, other in enumerate(found) if i != index and other]
        if own and others:
            agreements.append(sum(len(own & o) / len(own | o) for o in others) / len(others))
        else:
            agreements.append(None)
    return agreements


def _votes(answers: Sequence[Answer]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each answer with the methods that gave it, the most frequent first."""
    votes: dict[tuple[str, str], list[str]] = {}
    for answer in answers:
        for answered in answer.entities:
            votes.setdefault((answered.entity.id, answered.entity.name), []).append(answer.method)
    ranked = sorted(votes.items(), key=lambda item: -len(item[1]))
    return tuple((name, tuple(methods)) for (_, name), methods in ranked)
