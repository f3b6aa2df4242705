"""A sentence as tokens, with its mentions as single ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"[\w-]+?(?=['’]s?\b)|['’]s\b|['’](?=\s|$)|[\w-]+|[,;:]")

_CONTRACTIONS = {"who's": "who is", "what's": "what is", "which's": "which is"}


@dataclass(frozen=True, slots=True)
class Token:
    """A lower-case word or a mark; ``mention`` is the index of the mention that it stands for."""

    text: str
    mention: int | None = None


def tokenize(text: str, spans: Sequence[tuple[int, int]]) -> list[Token]:
    """The tokens of an English text; ``spans`` are its mentions, in characters."""
    tokens: list[Token] = []
    at = 0
    for index, (start, end) in sorted(enumerate(spans), key=lambda pair: pair[1]):
        tokens += _words(text[at:start])
        tokens.append(Token("", index))
        at = max(at, end)
    return [*tokens, *_words(text[at:])]


def _words(text: str) -> list[Token]:
    lowered = text.lower().replace("’", "'")
    for short, long in _CONTRACTIONS.items():
        lowered = lowered.replace(short, long)
    return [Token(match[0].replace("’", "'")) for match in _TOKEN.finditer(lowered)]
