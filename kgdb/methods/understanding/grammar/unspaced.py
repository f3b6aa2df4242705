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
    """The words of a run of characters, each with its place; what is not known is one word."""
    longest = max(map(len, known), default=1)
    rest = at = 0
    while at < len(run):
        lengths = range(min(longest, len(run) - at), 0, -1)
        length = next((n for n in lengths if run[at : at + n] in known), 0)
        if not length:
            at += 1
            continue
        if rest < at:
            yield run[rest:at], rest
        yield run[at : at + length], at
        rest = at = at + length
    if rest < len(run):
        yield run[rest:], rest
