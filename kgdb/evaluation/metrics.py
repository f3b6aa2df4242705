"""Strict measures: a name counts only when it equals a gold name."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def hits_at_1(answers: Sequence[str], gold: Collection[str]) -> bool:
    """Whether the first answer is right. No answer is wrong."""
    return bool(answers) and answers[0] in gold


def hit(answers: Sequence[str], gold: Collection[str], shown: int) -> bool:
    """Whether a gold answer is among the first ``shown`` ones."""
    return any(answer in gold for answer in answers[:shown])


def exact(answers: Collection[str], gold: Collection[str]) -> bool:
    """Whether the answers are the gold ones, all of them and no other."""
    return bool(gold) and set(answers) == set(gold)


def f1(answers: Collection[str], gold: Collection[str]) -> float:
    """Harmonic mean of precision and recall over the two sets, from 0 to 1."""
    given, expected = set(answers), set(gold)
    common = len(given & expected)
    return 2 * common / (len(given) + len(expected)) if common else 0.0


def recall(found: Collection[str], gold: Collection[str]) -> float:
    """The share of the gold answers that are among what was found."""
    expected = set(gold)
    return len(expected & set(found)) / len(expected) if expected else 0.0
