"""The words of a question that refer to an earlier answer, and not to the question itself.

*Which actors directed a movie they acted in?* says itself who *they* are; *Which movies did they
act in?* does not. What tells the two apart is grammar: a pronoun for the object never means the
subject of its own clause, one for the subject behind *did* opens the clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from kgdb.methods.follow_ups.follow_up_words import Kind, ReferringWords
from kgdb.methods.understanding.grammar.lexicon import EARLIER, UNSAID, lexicon
from kgdb.methods.understanding.grammar.sentence import tokens_of

_BEFORE = re.compile(r"([^\W_]+)\W*$")
_AFTER = re.compile(r"\s+([^\W_]+)")


@dataclass(frozen=True, slots=True)
class Mention:
    """What a question says itself: a name or a word for a label, with its place and its labels."""

    start: int
    end: int
    labels: frozenset[str]
    is_name: bool


@dataclass(frozen=True, slots=True)
class Reference:
    """A word that refers to an earlier answer.

    ``noun``: the labels of the word behind it, as in *these films*, which ends at ``noun_end``.
    """

    text: str
    start: int
    end: int
    kind: Kind
    refers: Literal["thing", "set"] = "thing"
    possessive: bool = False
    noun_end: int = 0
    noun: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReferenceFinder:
    """Finds references; ``text`` is in lower case, ``persons`` are the labels of people."""

    text: str
    begin: int
    mentions: Sequence[Mention]
    persons: frozenset[str]
    words: ReferringWords

    def references(self) -> list[Reference]:
        """The references in their order, without those to the question's own words."""
        return sorted(self._all(), key=lambda found: found.start)

    def _all(self) -> Iterator[Reference]:
        for kind, pattern in self.words.kinds:
            for found in pattern.finditer(self.text):
                if not self._in_name(found.start()) and not self._is_own(kind, found):
                    yield self._reference(kind, found)
        for found in self.words.pointing.finditer(self.text):
            noun = self._noun_at(found.end())
            relative = any(found.start() - m.end == 1 for m in self.mentions)
            if noun is not None and not relative and not self._in_name(found.start()):
                is_person = bool(noun.labels & self.persons)
                yield self._reference("person" if is_person else "thing", found)

    def _reference(self, kind: Kind, found: re.Match[str]) -> Reference:
        noun = self._noun_at(found.end())
        word, before = found[0], self.text[: found.start()].rstrip()
        partitive = any(m.end() == len(before) for m in self.words.partitive.finditer(before))
        leads = found.start() == self.begin and word in self.words.demonstratives
        return Reference(
            word,
            *found.span(),
            kind,
            "set" if partitive or leads or word in self.words.sets else "thing",
            word in self.words.possessives and self._next(found.end()) is not None,
            noun.end if noun and word not in self.words.possessives else found.end(),
            noun.labels if noun and word not in self.words.possessives else frozenset(),
        )

    def _is_own(self, kind: Kind, found: re.Match[str]) -> bool:
        """Whether it refers to something that the question says before it."""
        start, word = found.start(), found[0]
        before = [m for m in self.mentions if m.end <= start and self._fits(m, kind)]
        possessive = word in self.words.possessives and self._next(found.end()) is not None
        if possessive and self._next(found.end()) in self.words.own:
            return True
        if not before:
            return False
        if self.words.joining.search(self.text, max(m.end for m in before), start):
            return True
        named = any(m.is_name for m in before)
        follows_auxiliary = self._previous(start) in self.words.auxiliary
        if possessive:
            return named or (kind == "plural" and not follows_auxiliary)
        if word in self.words.subjects and (word != "it" or follows_auxiliary):
            return named or not follows_auxiliary
        return False

    def _fits(self, mention: Mention, kind: Kind) -> bool:
        if kind == "plural" or not self.persons:
            return True
        if kind == "person":
            return bool(mention.labels & self.persons)
        return bool(mention.labels - self.persons)

    def _noun_at(self, end: int) -> Mention | None:
        """The word for a label that follows at once."""
        return next((m for m in self.mentions if not m.is_name and m.start == end + 1), None)

    def _in_name(self, at: int) -> bool:
        return any(m.is_name and m.start <= at < m.end for m in self.mentions)

    def _previous(self, start: int) -> str | None:
        found = _BEFORE.search(self.text[:start])
        return found[1] if found else None

    def _next(self, end: int) -> str | None:
        found = _AFTER.match(self.text, end)
        return found[1] if found else None


def references_in(question: str, language: str) -> list[Reference]:
    """The words of a question that stand for something of an earlier answer."""
    known = lexicon(language)
    kinds = {
        word: entry.meaning
        for word, entries in known.entries.items()
        for entry in entries
        if entry.category in EARLIER and word != UNSAID
    }
    return [
        Reference(token.text, token.start, token.end, kinds[token.text])
        for token in tokens_of(question, (), known, ())
        if token.text in kinds
    ]
