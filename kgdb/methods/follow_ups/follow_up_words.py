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
        "all",
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
    all: re.Pattern[str]
    openers: re.Pattern[str]
    narrowing: re.Pattern[str]
    taken: re.Pattern[str]
    swapping: re.Pattern[str]
    anaphoric: re.Pattern[str]
    asking: re.Pattern[str]


@cache
def referring_words(language: str = "en") -> ReferringWords:
    """The words of that language."""
    path = resources.files("kgdb.language.text").joinpath(f"cues/{language}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    words, spaced = data["references"], language != "zh"
    kinds: tuple[Kind, ...] = ("person", "thing", "plural")
    asking = [*words["asking"], *(one for each in data["kind"].values() for one in each)]
    patterns: dict[str, Any] = {name: _any_of(words[name], spaced=spaced) for name in _PATTERNS}
    listed: dict[str, Any] = {name: frozenset(words[name]) for name in _LISTS}
    return ReferringWords(
        kinds=tuple((kind, _any_of(words[kind], spaced=spaced)) for kind in kinds),
        asking=_any_of(asking, spaced=spaced),
        **patterns,
        **listed,
    )


def _any_of(patterns: list[str], *, spaced: bool) -> re.Pattern[str]:
    if not patterns:
        return re.compile(r"(?!)")
    longest = sorted(patterns, key=len, reverse=True)
    if not spaced:
        return re.compile(f"(?:{'|'.join(longest)})")
    return re.compile(rf"(?<![\w'])(?:{'|'.join(longest)})(?![\w'])")
