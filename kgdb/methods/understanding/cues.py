"""The words that say what is asked of a question's subject, from the data files of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from kgdb.graph.forms.operators import Comparator, Extreme, Function
from kgdb.language.text.prompts import Language, language_of
from kgdb.language.text.word_classes import WordClasses, cue_data

NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_ASKING = frozenset("how many much only just without what's who's".split())
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
class Cues(WordClasses):
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
    symmetric: frozenset[str]
    joint: frozenset[str]
    situated: frozenset[str]
    keys: frozenset[str]
    which: re.Pattern[str]

    def adjectives(self, text: str, which: Mapping[str, Adjective]) -> Iterator[Cue]:
        """The superlatives or comparatives of a text, the longest first where they overlap."""
        for found in _alternatives(tuple(which), spaced=self.spaced).finditer(text):
            yield Cue("adjective", which[found[1]], found.start(1), found.end(1), found[1])


def question_language(text: str) -> Language:
    """The language that a question is put in, whatever the language of the names in it.

    *Who starred in 第七个渡口?* is English: more of its small words are.
    """
    if language_of(text) == "en":
        return "en"
    english, chinese = cues("en"), cues("zh")
    latin = re.findall(r"[a-z']+", text.lower())
    small = sum(word in english.stop or word in _ASKING for word in latin)
    others = sum(text.count(word) for word in chinese.stop if len(word) == 1)
    if small == others:
        return "en" if re.match(r"\W*[A-Za-z]", text) else "zh"
    return "en" if small > others else "zh"


@cache
def cues(language: Language = "en") -> Cues:
    """The cues of that language."""
    data = cue_data(language)
    words = data["words"]
    spaced = language != "zh"

    def any_of(patterns: list[str]) -> re.Pattern[str]:
        return _alternatives(tuple(patterns), spaced=spaced)

    classes = WordClasses.of(words, data["verbs"]["irregular"], language, spaced=spaced)
    compared = {op: patterns for op, patterns in data["comparators"].items() if op != "between"}
    return Cues(
        kinds={kind: any_of(each) for kind, each in data["kind"].items() if kind != "which"},
        functions={name: any_of(each) for name, each in data["functions"].items()},
        each=any_of(data["groups"]["each"]),
        groups=any_of(data["groups"]["strong"]),
        exclusions=any_of(data["sets"]["except"]),
        alternatives=any_of(data["sets"]["or"]),
        comparators=tuple(
            (op, _comparator(pattern, spaced=spaced))
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
        extremes={name: any_of(each) for name, each in data["extremes"].items()},
        symmetric=frozenset(words["symmetric"].split()),
        joint=frozenset(words["joint"].split()),
        situated=frozenset(words["situated"].split()),
        keys=frozenset(words["keys"].split()),
        which=re.compile(rf"(?:{'|'.join(data['kind']['which'])})$"),
        **{each.name: getattr(classes, each.name) for each in fields(classes)},
    )


def _adjective(parts: list[str]) -> Adjective:
    extreme, type_name = parts[0].split()
    return Adjective(extreme, type_name, tuple(parts[1].split()))  # type: ignore[arg-type]


@cache
def _alternatives(patterns: tuple[str, ...], *, spaced: bool = True) -> re.Pattern[str]:
    longest = sorted(patterns, key=len, reverse=True)
    if not spaced:
        return re.compile(f"({'|'.join(longest)})")
    return re.compile(rf"(?<![\w'])({'|'.join(longest)})(?![\w'])")


def _comparator(pattern: str, *, spaced: bool) -> re.Pattern[str]:
    """The cue with its value: before it (*more than 3*), or inside (*3 or more*)."""
    value = rf"(?P<value>[$€£]?\s?(?:{DATE}|{NUMBER}))(?:\s?%|\s+years\s+(?:old|of\s+age))?"
    if "{" in pattern:
        text = pattern.replace("{n}", value).replace("{d}", rf"(?P<value>{DATE})")
    elif not spaced:
        text = rf"{pattern}\s*{value}年?"
    else:
        text = rf"{pattern}\s+(?:the\s+year\s+|year\s+)?{value}"
    if not spaced:
        return re.compile(rf"(?<!\d){text}(?!\d)")
    return re.compile(rf"(?<![\w']){text}(?!\w)")
