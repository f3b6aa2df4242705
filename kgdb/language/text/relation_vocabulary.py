"""The words that say a relation: those of its name and of its texts, in all their forms.

*Directs*, *director* and *was directed* say ``directed_by``; *acted*, *stars* and *cast* say one
whose texts speak of actors. A word that is neither is another claim: who married somebody did not
direct anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from kgdb.language.text.relation_texts import RelationTexts, relation_words
from kgdb.language.text.roles import frame_of
from kgdb.language.text.roles.english import PREPOSITIONS
from kgdb.language.text.roles.forms import forms_of
from kgdb.language.text.roles.vocabulary import vocabulary
from kgdb.language.text.word_classes import function_words, word_families

End = Literal["head", "tail"]
_ENDS: Sequence[End] = ("head", "tail", "head", "tail")
"""What the slot of each text of a relation stands for."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+(?:['’]t\b)?")
_SLOT = "\x00"


@dataclass(frozen=True, slots=True)
class ClaimWord:
    """A word of a text, with its place in characters."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The word as it is compared."""
        return self.text.casefold()


def words_in(text: str) -> list[ClaimWord]:
    """The words of a text, without the *s* of a genitive; each Chinese character is one."""
    return [
        ClaimWord(match[0], *match.span())
        for match in _WORD.finditer(text)
        if not (match[0] in ("s", "S") and text[match.start() - 1 : match.start()] in ("'", "’"))
    ]


@dataclass(frozen=True, slots=True)
class RelationVocabulary:
    """What says a relation, as stems, senses in the vocabulary of roles and families of words.

    ``kinds`` are nouns for what it leads to, which the texts say with it: *the films directed by*.
    ``prepositions`` are those of its name. ``behind`` has the end that stands behind a word, in
    its name and its texts: the tail behind *in* of ``born_in``.
    """

    stems: frozenset[str]
    senses: frozenset[str]
    families: frozenset[int]
    kinds: frozenset[str]
    prepositions: frozenset[str]
    behind: Mapping[str, frozenset[End]]

    @classmethod
    def of(cls, relation: str, texts: RelationTexts | None) -> RelationVocabulary:
        """The vocabulary of a relation with its texts."""
        given = (texts.text, texts.inverse, texts.question, texts.inverse_question) if texts else ()
        taught = tuple(texts.synonyms) if texts else ()
        return _vocabulary(relation, tuple(given), taught)

    def says(self, word: ClaimWord) -> bool:
        """Whether the word says the relation."""
        stems = _stems(word.key)
        return not (
            stems.isdisjoint(self.stems)
            and _senses(stems).isdisjoint(self.senses)
            and _families(word.key).isdisjoint(self.families)
        )

    def has(self, word: ClaimWord) -> bool:
        """Whether the word says the relation, or the kind of what it leads to."""
        return self.says(word) or not _noun_stems(word.key).isdisjoint(self.kinds)

    def end_behind(self, word: ClaimWord) -> End | None:
        """The end of the relation that stands behind the word, if it is always the same."""
        ends: set[End] = set()
        for key in {word.key, *_stems(word.key)}:
            ends |= self.behind.get(key, frozenset())
        return ends.pop() if len(ends) == 1 else None


@cache
def _vocabulary(
    relation: str, given: tuple[str | None, ...], taught: tuple[str, ...]
) -> RelationVocabulary:
    name = words_in(relation_words(relation))
    silent = function_words("en") | function_words("zh")
    texts = [words_in(text.replace("{}", _SLOT)) if text else [] for text in given]
    kinds = {words[n].key for words in texts[1::2] for n in _kind(words, silent)}
    words = {word.key for text in [name, *texts] for word in text} - silent - kinds
    words |= {word.key for each in [name, *map(words_in, taught)] for word in each} - silent
    frame = frame_of(relation, _Texts(taught, *given) if given else None)
    return RelationVocabulary(
        frozenset(stem for word in words for stem in _stems(word)),
        frozenset(key for key in frame.head if ":" not in key),
        frozenset(number for word in words for number in _families(word)),
        frozenset(stem for kind in kinds for stem in _noun_stems(kind)),
        frozenset(word.key for word in name) & PREPOSITIONS,
        _behind(name, given),
    )


def _kind(words: Sequence[ClaimWord], silent: frozenset[str]) -> list[int]:
    """The place of the noun for a kind: *films* in *the films directed by*.

    In *the children of* the noun is the relation.
    """
    place = next((n for n, word in enumerate(words) if word.key not in silent), None)
    if place is None or place + 1 >= len(words) or words[place + 1].key == "of":
        return []
    return [place]


def _behind(name: Sequence[ClaimWord], given: Sequence[str | None]) -> dict[str, frozenset[End]]:
    """The ends of the relation that stand behind each word of its wordings."""
    ends: dict[str, set[End]] = {}
    for word in (name[0], name[-1]) if name else ():
        if word is name[-1] or word.key in PREPOSITIONS:
            for key in {word.key, *_stems(word.key)}:
                ends.setdefault(key, set()).add("tail")
    for text, end in zip(given, _ENDS, strict=False):
        before = words_in(text.partition("{}")[0]) if text and "{}" in text else ()
        for key in {before[-1].key, *_stems(before[-1].key)} if before else ():
            ends.setdefault(key, set()).add(end)
    return {word: frozenset(each) for word, each in ends.items()}


@dataclass(frozen=True, slots=True)
class _Texts:
    synonyms: tuple[str, ...]
    text: str | None
    inverse: str | None
    question: str | None
    inverse_question: str | None


@cache
def _stems(word: str) -> frozenset[str]:
    return frozenset(form.stem for form in forms_of(word)) | {word}


@cache
def _noun_stems(word: str) -> frozenset[str]:
    return frozenset(form.stem for form in forms_of(word) if form.ending in ("base", "s"))


@cache
def _families(word: str) -> frozenset[int]:
    return word_families("en").get(word, frozenset())


@cache
def _senses(stems: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for known in (vocabulary("en"), vocabulary("zh")):
        for stem in stems:
            for table in (known.verbs, known.nouns, known.actions):
                found.update(sense.relation for sense in table.get(stem, ()))
    return frozenset(found)


def says_labels(word: ClaimWord, labels: Iterable[str]) -> bool:
    """Whether the word names one of the labels: *film* of ``DemoFilm``."""
    stems = _noun_stems(word.key)
    return any(
        not stems.isdisjoint(_noun_stems(part.key))
        for label in labels
        for part in words_in(relation_words(label))
    )
