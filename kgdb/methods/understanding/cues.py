"""The words that say what is asked of a question's subject, from the data files of a language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from kgdb.graph.forms.operators import Comparator, Extreme, Function

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
DATE = r"\d{4}(?:-\d{2}(?:-\d{2})?)?"


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue in a question: what it means, and its place in characters."""

    kind: str
    value: Any
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Adjective:
    """What an adjective compares: which end, the type of value, and words of the property."""

    extreme: Extreme
    type: str
    hints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cues:
    """The cues of a language."""

    kinds: Mapping[str, re.Pattern[str]]
    functions: Mapping[Function, re.Pattern[str]]
    each: re.Pattern[str]
    groups: re.Pattern[str]
    exclusions: re.Pattern[str]
    alternatives: re.Pattern[str]
    comparators: tuple[tuple[Comparator, re.Pattern[str]], ...]
    ranges: re.Pattern[str]
    superlatives: Mapping[str, Adjective]
    comparatives: Mapping[str, Adjective]
    extremes: Mapping[Extreme, re.Pattern[str]]
    persons: frozenset[str]
    places: tuple[str, ...]
    symmetric: frozenset[str]
    stop: frozenset[str]
    light: frozenset[str]
    dates: frozenset[str]
    generic: frozenset[str]
    keys: frozenset[str]
    families: Mapping[str, frozenset[int]]

    def adjectives(self, text: str, which: Mapping[str, Adjective]) -> Iterator[Cue]:
        """The superlatives or comparatives of a text, the longest first where they overlap."""
        for found in _alternatives(tuple(which)).finditer(text):
            yield Cue("adjective", which[found[1]], found.start(1), found.end(1), found[1])


def foreign_operators(text: str) -> str | None:
    """The first word of a text in Chinese that asks for more than a chain gives."""
    path = resources.files("kgdb.language.text").joinpath("cues/zh.toml")
    words = tomllib.loads(path.read_text(encoding="utf-8"))["operators"]
    return next((word for word in words if word in text), None)


@cache
def cues(language: str = "en") -> Cues:
    """The cues of that language."""
    path = resources.files("kgdb.language.text").joinpath(f"cues/{language}.toml")
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    words, verbs = data["words"], data["verbs"]["irregular"]
    families: dict[str, set[int]] = {}
    for number, line in enumerate(verbs.strip().splitlines()):
        for word in line.split():
            families.setdefault(word, set()).add(number)
    compared = {op: patterns for op, patterns in data["comparators"].items() if op != "between"}
    return Cues(
        kinds={kind: _alternatives(tuple(each)) for kind, each in data["kind"].items()},
        functions={name: _alternatives(tuple(each)) for name, each in data["functions"].items()},
        each=_alternatives(tuple(data["groups"]["each"])),
        groups=_alternatives(tuple(data["groups"]["strong"])),
        exclusions=_alternatives(tuple(data["sets"]["except"])),
        alternatives=_alternatives(tuple(data["sets"]["or"])),
        comparators=tuple(
            (op, _comparator(pattern))
            for op, patterns in compared.items()
            for pattern in sorted(patterns, key=len, reverse=True)
        ),
        ranges=re.compile(
            "|".join(
                pattern.format(a=f"({DATE}|{NUMBER})", b=f"({DATE}|{NUMBER})")
                for pattern in data["comparators"]["between"]
            )
        ),
        superlatives={k: _adjective(v) for k, v in data["superlatives"].items()},
        comparatives={k: _adjective(v) for k, v in data["comparatives"].items()},
        extremes={name: _alternatives(tuple(each)) for name, each in data["extremes"].items()},
        persons=frozenset(words["person"].split()),
        places=tuple(words["place"].split()),
        symmetric=frozenset(words["symmetric"].split()),
        stop=frozenset(words["stop"].split()),
        light=frozenset(words["light"].split()),
        dates=frozenset(words["dates"].split()),
        generic=frozenset(words["generic"].split()),
        keys=frozenset(words["keys"].split()),
        families={word: frozenset(numbers) for word, numbers in families.items()},
    )


def _adjective(parts: list[str]) -> Adjective:
    extreme, type_name = parts[0].split()
    return Adjective(extreme, type_name, tuple(parts[1].split()))  # type: ignore[arg-type]


@cache
def _alternatives(patterns: tuple[str, ...]) -> re.Pattern[str]:
    longest = sorted(patterns, key=len, reverse=True)
    return re.compile(rf"(?<![\w'])({'|'.join(longest)})(?![\w'])")


def _comparator(pattern: str) -> re.Pattern[str]:
    """The cue with its value: before it (*more than 3*), or inside (*3 or more*)."""
    value = rf"(?P<value>[$€£]?\s?(?:{DATE}|{NUMBER}))(?:\s?%)?"
    if "{" in pattern:
        text = pattern.replace("{n}", value).replace("{d}", rf"(?P<value>{DATE})")
    else:
        text = rf"{pattern}\s+(?:the\s+year\s+|year\s+)?{value}"
    return re.compile(rf"(?<![\w']){text}(?!\w)")
