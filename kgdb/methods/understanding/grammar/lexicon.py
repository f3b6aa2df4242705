"""The lexicon of a language: its small words, and the productions that join words and meanings.

Both are data. A word has a class, which productions name, and a meaning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.grammar.chart import Production
from kgdb.methods.understanding.grammar.units import NUMBER, Unit


@dataclass(frozen=True, slots=True)
class Entry:
    """A word, or several, of a class, with what it means."""

    category: str
    meaning: Any


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``entries`` by their words in lower case, ``numbers`` that are spelt, words that say nothing.

    ``opening`` are the words that requests begin with.
    """

    entries: Mapping[str, tuple[Entry, ...]]
    numbers: Mapping[str, int]
    silent: frozenset[str]
    silent_phrases: re.Pattern[str]
    opening: re.Pattern[str]
    productions: tuple[Production, ...]
    contractions: Mapping[str, str]
    units: Mapping[str, tuple[Unit, ...]]

    def words_of(self, *categories: str) -> list[str]:
        """The words of some classes."""
        return [
            w for w, each in self.entries.items() if any(e.category in categories for e in each)
        ]

    @property
    def longest(self) -> int:
        """The most words of an entry."""
        return max(len(words.split()) for words in self.entries)


@cache
def lexicon(language: str = "en") -> Lexicon:
    """The lexicon of a language."""
    text = files(__package__).joinpath("lexicons", f"{language}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    entries: dict[str, list[Entry]] = {}
    for category, words in data["marks"].items():
        for word in _listed(words):
            entries.setdefault(word, []).append(Entry(category, None))
    for word in _listed(data["prepositions"]):
        entries.setdefault(word, []).extend([Entry("prep", word), Entry("at", None)])
    units = _units(data["units"])
    for word, of_word in units.items():
        if any(unit.dimension != NUMBER for unit in of_word):
            entries.setdefault(word, []).append(Entry("unit", word))
    for table, category in (("multiples", "multiple"), ("ordinals", "ordinal")):
        for word, number in data[table].items():
            entries.setdefault(word, []).append(Entry(category, number))
    entries[","] = [Entry("comma", None)]
    for category in ("compare", "compare_behind", "extreme", "extreme_than", "function"):
        for meaning, words in data[category].items():
            for word in _listed(words):
                entries.setdefault(word, []).append(Entry(category, meaning))
    for category in ("superlative", "comparative", "measure"):
        for word, (kind, hints) in data[category].items():
            extreme, type_name = kind.split()
            adjective = Adjective(extreme, type_name, tuple(hints.split()))
            entries.setdefault(word, []).append(Entry(category, adjective))
    opening = "|".join(sorted(_listed(data["opening"]), key=len, reverse=True))
    return Lexicon(
        {word: tuple(each) for word, each in entries.items()},
        data["numbers"],
        frozenset(_listed(data["silent"])),
        _phrases(word for word in _listed(data["silent"]) if " " in word),
        re.compile(rf"\W*(?:(?:{opening})\s+)+"),
        tuple(_productions(data["productions"])),
        data["contractions"],
        units,
    )


def _units(dimensions: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[Unit, ...]]:
    units: dict[str, tuple[Unit, ...]] = {}
    for dimension, each in dimensions.items():
        for words, factor in each.items():
            for word in _listed(words):
                units[word] = (*units.get(word, ()), Unit(dimension, factor))
    return units


def _phrases(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)")


def _listed(words: str) -> list[str]:
    return [" ".join(word.split()) for word in words.split(",")]


def _productions(text: str) -> list[Production]:
    """Lines such as ``S : W of S = related``; ``|`` parts ways to write the same."""
    found: list[Production] = []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        left, _, right = line.partition(":")
        ways, _, action = right.partition("=")
        found += [
            Production(left.strip(), tuple(symbols.split()), action.strip())
            for symbols in ways.split("|")
        ]
    return found
