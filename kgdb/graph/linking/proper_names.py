"""How names are written: with a bracket that tells namesakes apart, and with capitals in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_BRACKET = re.compile(r"(.*[^\s_])[\s_]*(\([^()]*\)|（[^（）]*）|\[[^\[\]]*\])\s*", re.DOTALL)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_DETERMINER = re.compile(r"\b(?:the|a|an)\s+$", re.IGNORECASE)
_BESIDE = re.compile(r"[\s\"'“”‘’«»]+")

Place = tuple[int, int]
"""The start and the end of words in a text, in characters."""


def without_bracket(name: str) -> Iterator[str]:
    """The name without the bracket at its end, and without the one before it.

    Encyclopedias write *Mercury (planet)* beside *Mercury (element)*; people say *Mercury*. Nothing
    for a name that has no bracket, or is one.
    """
    while bracket := _BRACKET.fullmatch(name):
        name = bracket[1]
        if any(letter.isalnum() for letter in name):
            yield name


def bracket_of(name: str) -> str:
    """What is in the bracket at the end of the name."""
    bracket = _BRACKET.fullmatch(name)
    return bracket[2][1:-1] if bracket else ""


def unknown_names(text: str, known: Sequence[Place], function_words: frozenset[str]) -> list[Place]:
    """Words with a capital that are in no known place; the first word of a text has one anyway."""
    words = list(_WORD.finditer(text))[1:]
    return [
        word.span()
        for word in words
        if word[0][0].isupper()
        and word[0].lower() not in function_words
        and not any(start < word.end() and word.start() < end for start, end in known)
    ]


def is_kind_of_next(text: str, place: Place, names: Sequence[Place]) -> bool:
    """Whether a common noun only says what the name behind it is: *the song* Harbour Lights."""
    start, end = place
    gap = _BESIDE.match(text, end)
    return bool(
        gap
        and text[start:end].islower()
        and _DETERMINER.search(text, 0, start)
        and any(gap.end() == name_start for name_start, _ in names)
    )


def is_plural_of(words: str, name: str) -> bool:
    """Whether the words differ from the name as a plural does, or the other way round."""
    longer, shorter = sorted((words, name), key=len, reverse=True)
    return longer in (f"{shorter}s", f"{shorter}es")
