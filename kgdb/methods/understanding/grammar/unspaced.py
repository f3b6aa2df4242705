"""Words of a text that no spaces set apart: the longest that are known, and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

CHINESE = re.compile(r"[㐀-䶿一-鿿]+")
_SHORTEST_PART = 2


def known_words(small: Iterable[str], names: Iterable[str]) -> frozenset[str]:
    """The words of a lexicon, and those that names of a schema are, begin and end with."""
    known = set(small)
    for run in (run for name in names for run in CHINESE.findall(name)):
        known.add(run)
        for length in range(_SHORTEST_PART, len(run)):
            known |= {run[:length], run[-length:]}
    return frozenset(known)


def words_in(run: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The words of a run of characters, each with its place; what is not known is one word.

    Of all ways to cut it that with the fewest unknown characters, then with the fewest words.
    """
    longest = max(map(len, known), default=1)
    best: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())]
    for end in range(1, len(run) + 1):
        unknown, words, cuts = best[end - 1]
        ways = [(unknown + 1, words + 1, (*cuts, end))]
        for start in range(max(0, end - longest), end):
            if run[start:end] in known:
                unknown, words, cuts = best[start]
                ways.append((unknown, words + 1, (*cuts, end)))
        best.append(min(ways))
    rest = at = 0
    for cut in best[-1][2]:
        if run[at:cut] in known:
            if rest < at:
                yield run[rest:at], rest
            yield run[at:cut], at
            rest = cut
        at = cut
    if rest < len(run):
        yield run[rest:], rest
