"""How much a name is like a mention: the numbers of ``kgdb.entities.link``, computed here.

The plugin's classes ``NameForms`` and ``NameSimilarity`` are the same, line by line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

LONGEST = 1000
"""Code points that are compared; names longer than a page differ earlier."""

UNKNOWN = 0.5
"""For an entity without an embedding: neither near nor far, as one at right angles."""

WHOLE = {"id": 1.0, "exact": 1.0, "case": 0.99, "folded": 0.98, "punctuation": 0.97}
"""Reasons by which the mention is the whole name, with their scores."""

_ALIAS = 0.005
_WRITING = 0.004
_UNLIKE_WRITING = 0.95
_WORDS_ALONE = 0.95
_SHORTEST_MISSPELT = 3
_LETTERS_PER_TYPO = 8
_MOST_WORDS = 32
_MOST_CLAUSES = 900
_EXPANSIONS = 50
_LONG_WORD = 8

_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
_APOSTROPHES = "'`\u00b4\u02b9\u02bb\u02bc\u02be\u02bf\u2018\u2019\u201b\u2032\uff07"
_LETTERS = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'")
    | {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th"}
)
_NO_APOSTROPHES = str.maketrans(dict.fromkeys(_APOSTROPHES, ""))
_IDEOGRAPHIC = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
_TOKEN = re.compile(f"[{_IDEOGRAPHIC}]|[^ {_IDEOGRAPHIC}]+")
_OF_WORD = frozenset("Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No".split())
_SPACES = frozenset("Zs Zl Zp".split())


@dataclass(frozen=True, slots=True)
class NameForms:
    """A name in the forms in which two are compared, each blind to more than the one before."""

    exact: str
    cased: str
    folded: str
    words: str

    @classmethod
    def of(cls, name: str) -> NameForms:
        """The forms of one name."""
        exact = unicodedata.normalize("NFC", stripped(name))
        compatible = unicodedata.normalize("NFKC", exact[:LONGEST].replace("\u00b4", "'"))
        # Upper case first: it tells ß as SS, and all forms of a Greek sigma as one.
        cased = _spaced(compatible.upper().lower().replace("ς", "σ"))
        bare = _MARKS.sub("", unicodedata.normalize("NFD", cased)).translate(_LETTERS)
        folded = _spaced(unicodedata.normalize("NFC", bare))
        return cls(exact, cased, folded, _words(folded.replace("'", "")) or folded)

    def tokens(self) -> list[str]:
        """The words of the loosest form; a character of a script without spaces is a word."""
        return _TOKEN.findall(self.words)


def best_name(
    mention: str, forms: NameForms, id_: str, names: Sequence[str], *, by_name: bool
) -> tuple[float, str, str]:
    """The score of an entity, the name of it that is most like the mention, and the reason.

    ``names`` begins with the name for people, the others are aliases; ``by_name`` tells that an
    index found the entity by one of them.
    """
    score, reason, matched = -1.0, "vector", names[0]
    for name in names:
        alike, why = similarity(forms, NameForms.of(name))
        alike -= 0 if name == names[0] else _ALIAS
        if alike > score:
            score, reason, matched = max(0.0, alike), why, name
    if mention == id_ and reason != "exact":
        return 1.0, id_, "id"
    if reason == "vector":
        return score, matched if by_name else names[0], "words" if by_name else reason
    return score, matched, reason


def similarity(mention: NameForms, name: NameForms) -> tuple[float, str]:
    """How much they are alike, from 0 to 1, and why."""
    if same := _same(mention, name):
        return WHOLE[same] - _WRITING * _other_letters(mention, name), same
    edits = OSA.distance(mention.words, name.words)
    letters = 1 - edits / max(1, len(mention.words), len(name.words))
    if edits <= _typos(min(len(mention.words), len(name.words))):
        return _UNLIKE_WRITING * letters, "typo"
    words = _WORDS_ALONE * _common_words(mention.tokens(), name.tokens())
    return _UNLIKE_WRITING * max(letters, words), "words" if words > 0 else "vector"


def phrase(mention: str) -> str:
    """The query for names that have these words in a row."""
    return _quoted(unicodedata.normalize("NFC", mention))


def words_query(forms: NameForms, wrong: int, fields: int) -> str:
    """The query for names that have some of the words, with so many letters wrong."""
    words = dict.fromkeys(forms.tokens()[:_MOST_WORDS])
    # Also with their diacritics: an index need not fold what is folded here.
    unfolded = _words(forms.cased.translate(_NO_APOSTROPHES)).split()
    spaced = [word for word in unfolded if not re.search(f"[{_IDEOGRAPHIC}]", word)]
    words |= dict.fromkeys(spaced[:_MOST_WORDS])
    parts = [_quoted(word) for word in words]
    if wrong:
        most = max(1, (_MOST_CLAUSES // fields - len(words)) // _EXPANSIONS)
        # Outside quotation marks only letters and digits, none of which is syntax.
        plain = [w for w in words if len(w) >= _SHORTEST_MISSPELT and all(map(_is_of_word, w))]
        plain.sort(key=len, reverse=True)
        parts += [f"{word}~{1 if len(word) < _LONG_WORD else wrong}" for word in plain[:most]]
    return " ".join(parts)


def writings(mention: str) -> list[str]:
    """The mention as names are mostly written, other than it is."""
    lower = mention.lower()
    each = re.sub(r"(?:^| )[^ ]", lambda match: match[0].upper(), lower)
    written = (lower, mention.upper(), lower[:1].upper() + lower[1:], each)
    return [writing for writing in dict.fromkeys(written) if writing != mention]


def stripped(text: str) -> str:
    """Without white space around it."""
    first, last = 0, len(text)
    while first < last and _is_space(text[first]):
        first += 1
    while last > first and _is_space(text[last - 1]):
        last -= 1
    return text[first:last]


def _same(mention: NameForms, name: NameForms) -> str | None:
    if mention.exact == name.exact:
        return "exact"
    if mention.cased == name.cased:
        return "case"
    if not mention.words:
        return None
    if mention.folded == name.folded:
        return "folded"
    return "punctuation" if mention.words == name.words else None


def _other_letters(mention: NameForms, name: NameForms) -> float:
    """The share of the letters that are not the same as they are written."""
    if mention.exact == name.exact:
        return 0.0
    wanted, found = mention.exact[:LONGEST], name.exact[:LONGEST]
    return OSA.distance(wanted, found) / max(len(wanted), len(found))


def _typos(length: int) -> int:
    return 0 if length < _SHORTEST_MISSPELT else 1 + length // _LETTERS_PER_TYPO


def _common_words(mention: Sequence[str], name: Sequence[str]) -> float:
    """How many of the letters are in words of both, in any order and with a letter wrong."""
    left, missing = list(name), []
    of_mention = of_name = 0
    for word in mention:
        if word in left:
            left.remove(word)
            of_mention += len(word)
            of_name += len(word)
        else:
            missing.append(word)
    for word in missing:
        other = next((other for other in left if _is_misspelt(word, other)), None)
        if other is not None:
            left.remove(other)
            of_mention += len(word) - 1
            of_name += len(other) - 1
    letters = sum(map(len, mention))
    total = letters + sum(map(len, name))
    return (of_mention / letters + (of_mention + of_name) / total) / 2 if letters else 0.0


def _is_misspelt(word: str, other: str) -> bool:
    return (
        min(len(word), len(other)) >= _SHORTEST_MISSPELT
        and abs(len(word) - len(other)) <= 1
        and OSA.distance(word, other) == 1
    )


def _words(folded: str) -> str:
    return _spaced("".join(c if _is_of_word(c) else " " for c in folded))


def _is_of_word(letter: str) -> bool:
    return unicodedata.category(letter) in _OF_WORD


def _is_space(letter: str) -> bool:
    return "\t" <= letter <= "\r" or unicodedata.category(letter) in _SPACES


def _spaced(text: str) -> str:
    """One space between words, none around them."""
    spaced = "".join(" " if _is_space(c) else c for c in text)
    return " ".join(word for word in spaced.split(" ") if word)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", r"\\").replace('"', r"\"")
    return f'"{escaped}"'
