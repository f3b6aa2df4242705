"""Words of closed classes, and the families of words that no ending joins.

They stand in the data files of the cues. *Write*, *wrote* and *author* are one family.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from kgdb.language.text.prompts import Language
from kgdb.language.text.roles.english import PREPOSITIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class WordClasses:
    """Words of a language that reading treats alike, and the families that no ending joins.

    ``spaced``: whether spaces set words apart. ``light`` verbs say no more than their object,
    ``births`` are properties of who is born. ``generic`` words say nothing in a name, ``claiming``
    ones claim more than one fact says. ``by`` are those before who acts: *written by*. ``ages``
    tell of a number that it grows with time. ``endings`` are those that words of one root have,
    ``heads`` what compounds of one word end in.
    """

    language: str
    spaced: bool
    stop: frozenset[str]
    light: frozenset[str]
    persons: frozenset[str]
    births: frozenset[str]
    places: tuple[str, ...]
    dates: frozenset[str]
    generic: frozenset[str]
    claiming: frozenset[str]
    by: frozenset[str]
    ages: frozenset[str]
    endings: tuple[str, ...]
    heads: tuple[str, ...]
    families: Mapping[str, frozenset[int]]

    @classmethod
    def of(
        cls, words: Mapping[str, str], families: str, language: str, *, spaced: bool
    ) -> WordClasses:
        """From tables of a data file; each line of ``families`` is one."""
        listed = {name: frozenset(words[name].split()) for name in words}
        return cls(
            language=language,
            spaced=spaced,
            stop=listed["stop"],
            light=listed["light"],
            persons=listed["person"],
            births=listed["birth"],
            places=tuple(words["place"].split()),
            dates=listed["dates"],
            generic=listed["generic"],
            claiming=listed["claiming"],
            by=listed.get("by", frozenset({"by"})),
            ages=listed.get("age", frozenset({"age"})),
            endings=tuple(words.get("endings", "").split()),
            heads=tuple(words.get("heads", "").split()),
            families=families_of(families),
        )


@cache
def cue_data(language: Language) -> Mapping[str, Any]:
    """The data file of a language, as it stands."""
    file = resources.files("kgdb.language.text").joinpath("cues", f"{language}.toml")
    data: Mapping[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    return data


@cache
def function_words(language: Language) -> frozenset[str]:
    """The words that claim nothing by themselves: articles, pronouns, auxiliaries, prepositions."""
    stop = cue_data(language)["words"]["stop"].split()
    if language == "zh":
        return frozenset("".join(stop)) - frozenset("".join(claiming_words(language)))
    return (frozenset(stop) | PREPOSITIONS) - claiming_words(language)


@cache
def claiming_words(language: Language) -> frozenset[str]:
    """Quantifiers, numerals, modal verbs and adverbs of focus: no single fact says *most*."""
    return frozenset(cue_data(language)["words"]["claiming"].split())


@cache
def word_families(language: Language) -> Mapping[str, frozenset[int]]:
    """The numbers of the families that a word belongs to."""
    return families_of(cue_data(language)["verbs"]["irregular"])


def families_of(lines: str) -> Mapping[str, frozenset[int]]:
    """The numbers of the lines that a word stands in."""
    families: dict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(lines.splitlines()):
        for word in line.split():
            families[word].add(number)
    return {word: frozenset(numbers) for word, numbers in families.items()}
