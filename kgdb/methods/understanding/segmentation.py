"""Words of a text in Chinese, which are not set apart: the longest that are known, and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgdb.methods.understanding.cues import Cues

CHINESE = re.compile(r"[㐀-䶿一-鿿]+")
_LONGEST = 8
_SHORTEST_PART = 2


def vocabulary(names: list[str], cues: Cues) -> frozenset[str]:
    """The Chinese words that names of a schema are or begin and end with, and those of the cues."""
    known = {
        *cues.stop,
        *cues.joint,
        *cues.light,
        *cues.dates,
        *cues.persons,
        *cues.families,
        *cues.generic,
    }
    for name in names:
        for run in CHINESE.findall(name):
            known.add(run)
            for length in range(_SHORTEST_PART, len(run)):
                known |= {run[:length], run[-length:]}
    return frozenset(known)


def chinese_words(text: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The words of the Chinese parts of a text, each with its place."""
    for run in CHINESE.finditer(text):
        rest = at = run.start()
        while at < run.end():
            length = next(
                (n for n in range(_LONGEST, 0, -1) if text[at : min(at + n, run.end())] in known), 0
            )
            if not length:
                at += 1
                continue
            length = min(length, run.end() - at)
            if rest < at:
                yield text[rest:at], rest
            yield text[at : at + length], at
            rest = at = at + length
        if rest < at:
            yield text[rest:at], rest
