"""The language that a question is put in: that whose lexicon has most of its words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from kgdb.methods.understanding.grammar.lexicon import languages, lexicon
from kgdb.methods.understanding.grammar.unspaced import CHINESE, words_in

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def spoken_language(text: str, names: Iterable[tuple[int, int]] = ()) -> str:
    """The language of a question, whatever that of the names in it, which are given by place.

    *Who starred in 第七个渡口?* is English. Where as many words are of two languages, it is that
    whose way of writing the text begins with, and English first.
    """
    lower = text.lower().replace("’", "'")
    for start, end in names:
        lower = f"{lower[:start]}{' ' * (end - start)}{lower[end:]}"
    first = _WORD.search(lower)
    is_spaced = first is None or not CHINESE.match(first[0])

    def fits(language: str) -> tuple[int, bool]:
        known = _small_words(language)
        if lexicon(language).words.spaced:
            return sum(word in known for word in _WORD.findall(lower)), is_spaced
        words = (word for run in CHINESE.findall(lower) for word, _ in words_in(run, known))
        return sum(word in known for word in words), not is_spaced

    return max(languages(), key=fits)  # the first of those that fit alike


@cache
def _small_words(language: str) -> frozenset[str]:
    known = lexicon(language)
    every = (*known.small, *known.words.families, *known.words.stop)
    return frozenset(word for words in every for word in words.split())
