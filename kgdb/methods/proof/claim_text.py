"""A claim as its words between the names and values that it has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from kgdb.language.text.prompts import language_of
from kgdb.language.text.relation_vocabulary import ClaimWord, RelationVocabulary, words_in
from kgdb.language.text.word_classes import claiming_words, function_words
from kgdb.values import Path

Ends: TypeAlias = tuple[int | None, int | None]
"""The numbers of the spans at both ends of a fact; ``None``: the claim leaves the end out."""


@dataclass(frozen=True, slots=True)
class NamedSpan:
    """A name or a value in a claim, in characters, with the ids of what it may stand for.

    ``near`` is the name that it is only similar to.
    """

    text: str
    start: int
    end: int
    ids: frozenset[str]
    near: str | None = None


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim and its spans, in their order; ``denials`` are the places of words that deny."""

    text: str
    spans: tuple[NamedSpan, ...]
    denials: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls, text: str, spans: Collection[NamedSpan], denials: Collection[int] = ()
    ) -> ClaimText:
        """The claim with its spans in order."""
        return cls(text, tuple(sorted(spans, key=lambda span: span.start)), frozenset(denials))

    def without(self, is_none: Callable[[NamedSpan], bool]) -> ClaimText:
        """The claim whose spans that name nothing are words."""
        return replace(self, spans=tuple(span for span in self.spans if not is_none(span)))

    def gap(self, number: int) -> list[ClaimWord]:
        """The words that say something before the span of that number; the last ones are behind.

        Function words say nothing by themselves.
        """
        silent = function_words(language_of(self.text))
        return [word for word in self.words(number) if word.key not in silent]

    def words(self, number: int) -> list[ClaimWord]:
        """All words before the span of that number, and behind the one before it."""
        start = self.spans[number - 1].end if number else 0
        end = self.spans[number].start if number < len(self.spans) else len(self.text)
        return [
            word
            for word in words_in(self.text)
            if start <= word.start and word.end <= end and not word.key.isdigit()
        ]

    def gaps(self) -> Iterator[tuple[int, list[ClaimWord]]]:
        """The gaps by their numbers."""
        for number in range(len(self.spans) + 1):
            yield number, self.gap(number)

    def runs(self, words: Sequence[ClaimWord]) -> list[list[ClaimWord]]:
        """The words in runs of those that stand beside each other."""
        runs: list[list[ClaimWord]] = []
        for word in words:
            if runs and not self.text[runs[-1][-1].end : word.start].strip():
                runs[-1].append(word)
            else:
                runs.append([word])
        return runs

    def denies(self, word: ClaimWord) -> bool:
        """Whether a word denies, and is the only one of the claim that does."""
        return len(self.denials) == 1 and any(word.start <= at < word.end for at in self.denials)

    def ends_of(self, path: Path) -> Ends:
        """The spans at the ends of a path, those nearest to each other."""
        first, last = (
            [n for n, span in enumerate(self.spans) if entity.id in span.ids]
            for entity in (path.entities[0], path.entities[-1])
        )
        pairs = [(abs(a - b), a, b) for a in first for b in last if a != b]
        if pairs:
            _, start, end = min(pairs)
            return start, end
        return next(iter(first), None), next(iter(last), None)

    def zone(self, ends: Ends, *, wide: bool = False) -> list[ClaimWord]:
        """Where a fact with these ends is said: between them, else beside them, too.

        ``wide``: a path over something that the claim does not name may be said beside them.
        """
        numbers = sorted(end for end in ends if end is not None)
        if not numbers:
            return []
        first, last = numbers[0], numbers[-1]
        between = self._said(range(first + 1, last + 1))
        if between and not wide:
            return between
        return self._said(range(first, last + 2))

    def _said(self, gaps: Iterable[int]) -> list[ClaimWord]:
        """The words of some gaps that do not only deny."""
        return [word for gap in gaps for word in self.gap(gap) if not self.denies(word)]

    def looks_like_name(self, word: ClaimWord) -> bool:
        """Whether a word is written as a name, and not as the first of a sentence."""
        before = self.text[: word.start].rstrip("\"'“‘( ")
        begins = not before or before[-1] in ".!?"
        return word.text[:1].isupper() and not begins

    def unknown_names(self, vocabularies: Sequence[RelationVocabulary] = ()) -> list[str]:
        """What is written as a name, stands for nothing in the graph and says no relation."""
        runs = [
            run
            for _, words in self.gaps()
            for run in self.runs([word for word in words if self.looks_like_name(word)])
            if not all(any(each.has(word) for each in vocabularies) for word in run)
        ]
        return [self.text[run[0].start : run[-1].end] for run in runs]

    def claims_more(self, word: ClaimWord) -> bool:
        """Whether a word claims more than one fact: a quantifier, numeral or modal verb.

        In a compound it does not: *four-cylinder*.
        """
        if "-" in (self.text[word.start - 1 : word.start], self.text[word.end : word.end + 1]):
            return False
        return word.key in claiming_words(language_of(self.text))
