"""Names in texts, word for word: which of many names a text has, whatever their spelling is like.

Two spellings are one name if they differ in case, in hyphens, underscores and other punctuation,
or in the plural of a word. A name with brackets at its end, *Magnetic resonance imaging (MRI)*, is
also known by the words before them and by those in them. Nothing else is alike: no letter may
differ, no word may be missing, and a name inside a longer one (*hypertension* in *pulmonary
hypertension*) is not in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

Form = tuple[str, ...]
"""A name as its words, normalised."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_BRACKETED_END = re.compile(r"^(?P<before>.+?)[\s_]*\((?P<inside>[^()]+)\)$")

_SHORTEST_INSIDE = 3
"""Letters of a name in brackets: fewer are an abbreviation that may stand for anything."""

_SHORTEST_PLURAL = 4


def words_of(text: str) -> Form:
    """The words of a text, normalised; each Chinese character is one."""
    plain = unicodedata.normalize("NFKC", _POSSESSIVE.sub("", text)).casefold()
    return tuple(_singular(word) for word in _WORD.findall(plain))


def name_forms(name: str) -> frozenset[Form]:
    """The forms that a name is known by."""
    forms = {words_of(name)}
    if match := _BRACKETED_END.match(name.strip()):
        forms.add(words_of(match["before"]))
        if len(match["inside"]) >= _SHORTEST_INSIDE:
            forms.add(words_of(match["inside"]))
    return frozenset(filter(None, forms))


def forms_in(text: str, known: Collection[Form]) -> list[Form]:
    """Those of the ``known`` forms that the text has, in its order, longer ones before shorter."""
    words = words_of(text)
    lengths = sorted({len(form) for form in known}, reverse=True)
    found: list[Form] = []
    index = 0
    while index < len(words):
        here = (words[index : index + length] for length in lengths if index + length <= len(words))
        form = next((form for form in here if form in known), None)
        if form is not None:
            found.append(form)
        index += len(form) if form else 1
    return found


def _singular(word: str) -> str:
    """A word without the ending of its plural; it need not be one, as it is only compared."""
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word if word.endswith(("ss", "us", "is")) else word[:-1]
