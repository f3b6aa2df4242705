"""The words of a name, as names are compared."""

from __future__ import annotations

import re
import unicodedata

# One token: a Chinese or Japanese character (its words are not set apart), or a run of letters,
# each with the marks that may stand apart from it (NFD).
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_RUN = rf"(?:[^\W{_CJK}][\u0300-\u036f]*)+"
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
    # Without the marks, and without what compatibility forms bring along: ⑴ is (1).
    return "".join(c for c in plain if c.isalnum() or c in "_'").strip("'")
