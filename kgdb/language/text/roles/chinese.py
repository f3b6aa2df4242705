"""The role of a mention beside a word of a Chinese sentence.

The subject stands before its verb and the object behind it; 被 turns them round. *A的N* says that A
has an N, *A是…的N* that A is one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgdb.language.text.roles.vocabulary import Role, Sense, Vocabulary, other

_PASSIVE = "被"
_IS = "是"
_OF = "的"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the vocabulary in a sentence, in characters."""

    start: int
    end: int
    verbs: tuple[Sense, ...]
    nouns: tuple[Sense, ...]


@dataclass(frozen=True, slots=True)
class Chinese:
    """A sentence and the spans of its mentions."""

    text: str
    spans: Sequence[tuple[int, int]]
    words: Vocabulary

    def triggers(self) -> list[Word]:
        """The words of the vocabulary, the longest ones, outside the mentions."""
        candidates = sorted({*self.words.verbs, *self.words.nouns}, key=lambda w: (-len(w), w))
        taken = list(self.spans)
        triggers = []
        for word in candidates:
            start = self.text.find(word)
            while start >= 0:
                end = start + len(word)
                if all(end <= other[0] or start >= other[1] for other in taken):
                    taken.append((start, end))
                    verbs, nouns = self.words.verbs.get(word, ()), self.words.nouns.get(word, ())
                    triggers.append(Word(start, end, tuple(verbs), tuple(nouns)))
                start = self.text.find(word, end)
        return sorted(triggers, key=lambda word: word.start)

    def roles(self, word: Word, span: tuple[int, int]) -> tuple[Mapping[str, Role], int]:
        """The role of the mention in each relation that the word may name, and its count."""
        roles: dict[str, Role] = {}
        position = self._grammatical(word, span)
        for sense in word.verbs:
            roles[sense.relation] = sense.role if position == "subject" else other(sense.role)
        is_one = self._is_bearer(word, span)
        if is_one is not None:
            for sense in word.nouns:
                roles[sense.relation] = sense.role if is_one else other(sense.role)
        count = max((sense.count for sense in word.nouns), default=1)
        return roles, count

    def _grammatical(self, word: Word, span: tuple[int, int]) -> Role:
        before = span[0] < word.start
        passive = self.text.rfind(_PASSIVE, 0, word.start)
        if passive < 0:
            return "subject" if before else "object"
        return "object" if span[0] < passive else "subject"

    def _is_bearer(self, word: Word, span: tuple[int, int]) -> bool | None:
        """Whether the mention is an N, or has one."""
        behind = self.text[span[1] : word.start]
        if span[1] <= word.start:
            if _IS in behind:
                return True if _OF in behind else None
            return False
        # A stands behind the noun: 谁的父亲是A.
        return True if _IS in self.text[word.end : span[0]] else None
