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

from kgdb.errors import UsageError
from kgdb.language.text.word_classes import WordClasses, cue_data
from kgdb.methods.understanding.cues import Adjective
from kgdb.methods.understanding.grammar.actions import Actions
from kgdb.methods.understanding.grammar.claim_sentences import ClaimSentences
from kgdb.methods.understanding.grammar.condition_phrases import Links, Measures
from kgdb.methods.understanding.grammar.earlier_phrases import EarlierPhrases
from kgdb.methods.understanding.grammar.noun_phrases import NounPhrases
from kgdb.methods.understanding.grammar.number_phrases import GroupPhrases, NumberPhrases
from kgdb.methods.understanding.grammar.productions import Production, productions_of
from kgdb.methods.understanding.grammar.units import NUMBER, Unit
from kgdb.methods.understanding.grammar.value_phrases import ValuePhrases
from kgdb.methods.understanding.grammar.whole_sentences import WholeSentences
from kgdb.wording import short

KINDS: tuple[type[Actions], ...] = (
    NounPhrases,
    Links,
    Measures,
    ValuePhrases,
    NumberPhrases,
    GroupPhrases,
    WholeSentences,
    ClaimSentences,
    EarlierPhrases,
)
"""The actions that productions name."""

_LEAVES = ("W", "name", "num", "date")
"""Classes of words that no lexicon lists."""

EARLIER = frozenset({"it", "this", "those", "his", "unsaid", "last"})
"""Classes of words that stand for something of an earlier answer."""

UNSAID = "…"
"""The token where a sentence goes on from an earlier answer and no word says so."""

_BY_MEANING = ("compare", "compare_behind", "extreme", "extreme_than", "function")

_FOLDER = "lexicons"


@dataclass(frozen=True, slots=True)
class Entry:
    """A word, or several, of a class, with what it means."""

    category: str
    meaning: Any


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``entries`` by their words in lower case, ``numbers`` that are spelt, words that say nothing.

    ``opening`` are the words that requests begin with, ``words`` those that schemas are held
    beside. ``alike`` are two words for one thing and one for another, by which an encoder shows
    whether it knows the language; every encoder knows one without.
    """

    entries: Mapping[str, tuple[Entry, ...]]
    numbers: Mapping[str, int]
    silent: frozenset[str]
    silent_phrases: re.Pattern[str]
    opening: re.Pattern[str]
    productions: tuple[Production, ...]
    contractions: Mapping[str, str]
    units: Mapping[str, tuple[Unit, ...]]
    words: WordClasses
    name: str
    alike: tuple[str, ...]

    @property
    def small(self) -> frozenset[str]:
        """All its words: they are none of a schema."""
        return frozenset((*self.entries, *self.silent, *self.numbers, *self.contractions))

    def words_of(self, *categories: str) -> list[str]:
        """The words of some classes."""
        return [
            w for w, each in self.entries.items() if any(e.category in categories for e in each)
        ]

    @property
    def goes_on(self) -> bool:
        """Whether productions say how a sentence goes on from an earlier answer."""
        return any("unsaid" in each.symbols for each in self.productions)

    @property
    def longest(self) -> int:
        """The most words of an entry."""
        return max(len(words.split()) for words in self.entries)


def languages() -> list[str]:
    """The languages that have a lexicon; English, the first, where a text tells none."""
    folder = files(__package__).joinpath(_FOLDER)
    names = [each.name.removesuffix(".toml") for each in folder.iterdir()]
    return sorted(names, key=lambda name: (name != "en", name))


@cache
def lexicon(language: str = "en") -> Lexicon:
    """The lexicon of a language."""
    file = files(__package__).joinpath(_FOLDER, f"{language}.toml")
    return lexicon_of(file.read_text(encoding="utf-8"), language)


def lexicon_of(text: str, language: str) -> Lexicon:
    """The lexicon that a file holds; raises :class:`UsageError` where it is none."""
    try:
        data = tomllib.loads(text)
        entries, units = _entries(data)
        opening = "|".join(sorted(_listed(data["opening"]), key=len, reverse=True))
        classes = {*_LEAVES, *(entry.category for each in entries.values() for entry in each)}
        return Lexicon(
            {word: tuple(each) for word, each in entries.items()},
            data["numbers"],
            frozenset(_listed(data["silent"])),
            _phrases(word for word in _listed(data["silent"]) if " " in word),
            re.compile(rf"\W*(?:(?:{opening})\s+)+"),
            productions_of(
                data["productions"],
                classes,
                {name for kind in KINDS for name in kind.names()},
                f"lexicons/{language}.toml",
            ),
            data["contractions"],
            units,
            _words(data, language),
            data["name"],
            tuple(_listed(data["alike"])) if "alike" in data else (),
        )
    except KeyError as error:
        raise UsageError(f"lexicons/{language}.toml: there is no {short(error.args[0])}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"lexicons/{language}.toml: {error}") from error


def _entries(data: Mapping[str, Any]) -> tuple[dict[str, list[Entry]], dict[str, tuple[Unit, ...]]]:
    entries: dict[str, list[Entry]] = {}

    def enter(words: str, *found: Entry) -> None:
        for word in _listed(words):
            entries.setdefault(word, []).extend(found)

    for category, words in data["marks"].items():
        enter(words, Entry(category, None))
    given = data["prepositions"]
    for preposition, words in (given if isinstance(given, dict) else _same(given)).items():
        enter(words, Entry("prep", preposition), Entry("at", None))
    units = _units(data["units"])
    for word, of_word in units.items():
        if any(unit.dimension != NUMBER for unit in of_word):
            enter(word, Entry("unit", word))
    for table, category in (("multiples", "multiple"), ("ordinals", "ordinal")):
        for word, number in data[table].items():
            enter(word, Entry(category, number))
    if "earlier" in data:
        enter(UNSAID, Entry("unsaid", "plural"), Entry("last", "plural"))
    entries[","] = [Entry("comma", None)]
    tables = {name: data[name] for name in _BY_MEANING} | data.get("earlier", {})
    for category, meanings in tables.items():
        for meaning, words in meanings.items():
            enter(words, Entry(category, meaning))
    for category in ("superlative", "comparative", "measure"):
        for word, (kind, hints) in data[category].items():
            extreme, type_name = kind.split()
            enter(word, Entry(category, Adjective(extreme, type_name, tuple(hints.split()))))
    return entries, units


def _words(data: Mapping[str, Any], language: str) -> WordClasses:
    """Those of the file; the cues of English have its own."""
    if language == "en":
        own = cue_data("en")
        return WordClasses.of(own["words"], own["verbs"]["irregular"], language, spaced=True)
    return WordClasses.of(data["words"], data["families"], language, spaced=data["spaced"])


def _same(words: str) -> dict[str, str]:
    """Words that mean themselves: the names of prepositions are English."""
    return {word: word for word in _listed(words)}


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
