"""The words that refer to an earlier answer, from the data files of a language."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

Kind = Literal["person", "thing", "plural"]


_LISTS = ("sets", "subjects", "possessives", "demonstratives", "auxiliary", "own")
_PATTERNS = (
    *(
        "pointing",
        "joining",
        "others",
        "partitive",
        "openers",
        "narrowing",
        "taken",
        "swapping",
    ),
    "anaphoric",
)


@dataclass(frozen=True, slots=True)
class ReferringWords:
    """What tells that a question goes on from an earlier one, as patterns over lower case."""

    kinds: tuple[tuple[Kind, re.Pattern[str]], ...]
    pointing: re.Pattern[str]
    sets: frozenset[str]
    subjects: frozenset[str]
    possessives: frozenset[str]
    demonstratives: frozenset[str]
    auxiliary: frozenset[str]
    own: frozenset[str]
    joining: re.Pattern[str]
    others: re.Pattern[str]
    partitive: re.Pattern[str]
    openers: re.Pattern[str]
    narrowing: re.Pattern[str]
    taken: re.Pattern[str]
    swapping: re.Pattern[str]
    anaphoric: re.Pattern[str]
    asking: re.Pattern[str]


@cache
def referring_words() -> ReferringWords:
    """Those of English; of other languages the lexicon has them."""
    path = resources.files("kgdb.language.text").joinpath("cues/en.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    words = data["references"]
    kinds: tuple[Kind, ...] = ("person", "thing", "plural")
    asking = [*words["asking"], *(one for each in data["kind"].values() for one in each)]
    patterns: dict[str, Any] = {name: _any_of(words[name]) for name in _PATTERNS}
    listed: dict[str, Any] = {name: frozenset(words[name]) for name in _LISTS}
    return ReferringWords(
        kinds=tuple((kind, _any_of(words[kind])) for kind in kinds),
        asking=_any_of(asking),
        **patterns,
        **listed,
    )


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    longest = sorted(patterns, key=len, reverse=True)
    return re.compile(rf"(?<![\w'])(?:{'|'.join(longest)})(?![\w'])")
