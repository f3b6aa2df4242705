"""How well words of a question and names of a schema go together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile

from kgdb.language.text.word_classes import WordClasses

_UPPER, _LOWER = "A-ZÀ-ÖØ-Þ", "a-zß-öø-ÿ"
_PARTS = re.compile(
    rf"[{_UPPER}]+(?![{_LOWER}])|[{_UPPER}]?[{_LOWER}]+|\d+|[^\W\d_{_UPPER}{_LOWER}]+"
)
_ENDINGS = (
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ions",
    "ion",
    "ers",
    "ors",
    "er",
    "or",
    "ies",
    "ied",
    "ed",
    "es",
    "s",
    "e",
    "y",
)
_CHINESE = re.compile(r"[㐀-䶿一-鿿]")
_SHORTEST = 3
_PREFIX = 5
_INFLECTIONS = frozenset(["", "s", "d", "r", "e", "y", *_ENDINGS])
SAME, RELATED = 1.0, 0.8

PREPOSITIONS = frozenset("in on of per at to for from by with".split())
_TELLING = 3


def words_of(name: str) -> list[str]:
    """The words of a name: ``unitPrice``, ``unit_price`` and ``UNIT_PRICE`` alike."""
    return [part.lower() for part in _PARTS.findall(name)]


def spoken(name: str) -> str:
    """The name as people say it: its words, or a name without any as it is."""
    return " ".join(words_of(name)) or name


@cache
def stem(word: str) -> str:
    """The word without its ending: a base that its forms share, no word by itself."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            base = word[: -len(ending)]
            double = len(base) > _SHORTEST and base[-1] == base[-2] and base[-1] not in "sl"
            return base[:-1] if double else base
    return word


def singular(word: str) -> Iterator[str]:
    """What a word may be the plural of."""
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("s"):
        yield word[:-1]


def one_of(word: str) -> str:
    """The singular of an English noun where its ending tells it; any other word as it is."""
    if word.endswith("ies"):
        return word  # movies, but cities
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if re.search(r"[^siu]s$", word) and len(word) > _SHORTEST else word


def is_of_another_kind(word: str, name: str, cues: WordClasses) -> bool:
    """Whether a word has the root of a name of one word, and is no form of it.

    A library is no librarian, however alike an encoder finds them.
    """
    parts = words_of(name)
    if len(parts) != 1 or likeness(word, parts[0], cues):
        return False
    shared = _shared(word, parts[0])
    rests = {word[shared:], parts[0][shared:]}
    return shared >= _PREFIX and not rests <= _INFLECTIONS


@cache
def _bases(word: str, language: str = "en", endings: tuple[str, ...] = ()) -> frozenset[str]:
    """What the forms of a word share: *stood* and *stands*, *bought* and *buyer*."""
    import simplemma  # only where questions are read

    if language == "en":
        return frozenset((stem(word), stem(simplemma.lemmatize(word, lang="en"))))
    forms = word, word.capitalize()  # German nouns are known by their capitals
    lemmas = {simplemma.lemmatize(form, lang=language).lower() for form in forms}
    return frozenset(_without(lemma, endings) for lemma in lemmas)


def _without(word: str, endings: Sequence[str]) -> str:
    long = (e for e in endings if word.endswith(e) and len(word) - len(e) >= _SHORTEST)
    return word.removesuffix(next(long, ""))


def compound_parts(word: str, heads: Sequence[str]) -> list[str]:
    """The parts of a compound that is one word: *Seitenzahl* is a number of pages."""
    for head in heads:
        if word.endswith(head) and len(word) - len(head) >= _SHORTEST:
            return [word.removesuffix(head).removesuffix("s"), head]
    return [word]


def _roots(word: str, cues: WordClasses) -> frozenset[str]:
    return _bases(word, cues.language, cues.endings)


def likeness(one: str, other: str, cues: WordClasses) -> float:
    """How alike two words are, by their letters and their forms alone."""
    if one == other:
        return SAME
    if cues.spaced and _roots(one, cues) & _roots(other, cues):
        return SAME
    if not one.isascii() and not other.isascii() and (chinese := _chinese_likeness(one, other)):
        return chinese
    nothing: frozenset[int] = frozenset()
    if cues.families.get(one, nothing) & cues.families.get(other, nothing):
        return SAME
    a, b = stem(one), stem(other)
    shared = _shared(a, b)
    rests = len(a) - shared, len(b) - shared
    # Where both go on, "contain" and "contact" begin alike by chance.
    if shared >= _PREFIX + (min(rests) > 0) and max(rests) <= 2:
        return RELATED
    return 0.0


def _shared(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    alike = (x == y for x, y in zip(one, other, strict=False))
    return sum(takewhile(bool, alike))


def _chinese_likeness(one: str, other: str) -> float:
    """How alike words without endings are: *上映* says most of *上映年份*."""
    short, long = sorted((one, other), key=len)
    if len(short) < len("上映") or not _CHINESE.match(short):
        return 0.0
    if long.startswith(short):
        return SAME
    return RELATED if long.endswith(short) else 0.0


def content(words: Sequence[str], cues: WordClasses) -> list[str]:
    """The words that are not stop words; all of them where there is no other."""
    kept = [word for word in words if word not in cues.stop]
    return kept or list(words)


def says_in_full(text: str, name: str) -> bool:
    """Whether a text has all words of a name of several words, in their order.

    Something may stand between them (*the units of Chai on order*) where the name has at least
    three words.
    """
    parts = words_of(name)
    if len(parts) <= 1:
        return False
    spoken = [word.lower() for word in _PARTS.findall(text)]
    places = _places(parts, spoken)
    return bool(places) and (len(parts) >= _TELLING or places[-1] - places[0] == len(parts) - 1)


def _places(parts: Sequence[str], spoken: Sequence[str]) -> list[int]:
    places: list[int] = []
    for part in parts:
        begin = places[-1] + 1 if places else 0
        at = next(
            (n for n in range(begin, len(spoken)) if part in (spoken[n], *singular(spoken[n]))
             or spoken[n] in singular(part)),
            None,
        )  # fmt: skip
        if at is None:
            return []
        places.append(at)
    return places
