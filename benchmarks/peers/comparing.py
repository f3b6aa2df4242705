"""Whether two sides have found the same: rows of a procedure beside those of its peer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from benchmarks.peers.peer_questions import Question
from benchmarks.peers.peer_sides import Rows

Comparison = Callable[[Question, Rows, Rows], str | None]
"""What differs between the procedure's rows and the peer's, or ``None``."""


def same_paths(_: Question, ours: Rows, theirs: Rows) -> str | None:
    """The same paths: ours as ids, relations and their number, theirs as ids and types."""
    expected = Counter(_path(ids, types) for ids, types in theirs)
    found: Counter[Any] = Counter()
    for ids, relations, count in ours:
        found[_path(ids, (each.removeprefix("^") for each in relations))] += count
    return None if found == expected else _difference(found, expected)


def as_many_paths(limit: int, max_hops: int) -> Comparison:
    """As many paths where both were cut, and the same ones otherwise."""

    def compare(question: Question, ours: Rows, theirs: Rows) -> str | None:
        for ids, *_ in (*ours, *theirs):
            if len(set(ids)) < len(ids) or not 2 <= len(ids) <= max_hops + 1:
                return f"{ids} is no simple path of at most {max_hops} hops"
        if len({(tuple(ids), tuple(relations)) for ids, relations, _ in ours}) < len(ours):
            return "a path comes twice"
        if sum(count for *_, count in ours) >= limit and len(theirs) == limit:
            return None
        return same_paths(question, ours, theirs)

    return compare


def same_rows(_: Question, ours: Rows, theirs: Rows) -> str | None:
    """The same rows in the same order."""
    return None if ours == theirs else _difference(map(repr, ours), map(repr, theirs))


def same_values(_: Question, ours: Rows, theirs: Rows) -> str | None:
    """The same set of values in the first column."""
    found, expected = {row[0] for row in ours}, {row[0] for row in theirs}
    return None if found == expected else _difference(found, expected)


def same_others(question: Question, ours: Rows, theirs: Rows) -> str | None:
    """The same ids but for the start's own: some peers do not follow a self-loop."""
    return same_values(
        question, *([row for row in rows if row[0] != question.start] for rows in (ours, theirs))
    )


def _path(ids: Iterable[str], types: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(ids), tuple(types)


def _difference(found: Iterable[Any], expected: Iterable[Any]) -> str:
    ours, theirs = Counter(found), Counter(expected)
    more, fewer = ours - theirs, theirs - ours
    example = next(iter(more or fewer), None)
    return f"{more.total()} more and {fewer.total()} fewer than the peer, such as {example}"
