"""The words of a name, as names are compared."""

from __future__ import annotations

import re
import unicodedata

# One token: a Chinese or Japanese character (its words are not set apart), or a run of letters,
# each with the marks that may stand apart from it (NFD).
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_MARKS = "".join(
    mark
    for first, last in ((0x300, 0x1E00), (0x20D0, 0x2100), (0xA66F, 0xAC00), (0xFE20, 0xFE30))
    for mark in map(chr, range(first, last))
    if unicodedata.category(mark).startswith("M")
)
_RUN = rf"(?:[^\W{_CJK}][{_MARKS}]*)+"
TOKEN = re.compile(rf"[{_CJK}]|{_RUN}(?:['’]{_RUN})*")
"""A word of a text; a Chinese or Japanese character is one."""

# Letters that are written without their mark but that Unicode does not take apart.
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
    | {"’": "'"}
)


def normalize(name: str) -> str:
    """A name as it is compared: words only, no case, no diacritics."""
    return " ".join(words_of(name))


def words_of(text: str) -> tuple[str, ...]:
    """The tokens as they are compared, without those of which nothing is left, as of a lone ゛."""
    return tuple(word for token in TOKEN.findall(text) if (word := _fold(token)))


def _fold(token: str) -> str:
    plain = unicodedata.normalize("NFKD", token).casefold().translate(_LETTERS)
    # Without accents, and without what compatibility forms bring along: ⑴ is (1).
    return "".join(c for c in plain if c.isalnum() or c in "_'" or _is_vowel(c)).strip("'")


def _is_vowel(character: str) -> bool:
    """Whether a mark is a sign of its own, as vowels of Indic scripts are, and no accent."""
    return character in _MARKS and not unicodedata.combining(character)


_LONGEST_ENDING, _SHORTEST_STEM = 3, 2
"""Letters that may be attached to a name, and letters of its last word that have to be left."""


def without_ending(text: str, last: str) -> list[str]:
    """The text without letters that may be attached to a name, as particles of Korean are.

    Only in scripts without capitals: elsewhere a name stands apart, or ``'s`` follows.
    """
    if not text.endswith(last) or last.lower() != last.upper() or not last.isalpha():
        return []
    longest = min(_LONGEST_ENDING, len(last) - _SHORTEST_STEM)
    return [text[:-letters] for letters in range(1, longest + 1)]
