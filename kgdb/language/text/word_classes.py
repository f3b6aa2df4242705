"""Words of closed classes, and the families of words that no ending joins.

They stand in the data files of the cues. *Write*, *wrote* and *author* are one family.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from kgdb.language.text.prompts import Language
from kgdb.language.text.roles.english import PREPOSITIONS


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
    families: dict[str, set[int]] = defaultdict(set)
    for number, line in enumerate(cue_data(language)["verbs"]["irregular"].splitlines()):
        for word in line.split():
            families[word].add(number)
    return {word: frozenset(numbers) for word, numbers in families.items()}
