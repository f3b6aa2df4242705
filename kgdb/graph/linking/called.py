"""Which of the candidates for some words of a text are called so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kgdb.graph.linking.name_words import normalize, words_of
from kgdb.graph.linking.proper_names import bracket_of, without_bracket
from kgdb.graph.retrieval.results import Candidate
from kgdb.values import Entity

_SIGNS = "+#*&@$%=<>^~|°"
"""Signs that make another name: C, C++ and C#. Other punctuation does not."""

_NEAR = 100
"""Characters around a name that may say which one it is."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words of a text that may be a name; ``whole`` is the text."""

    text: str
    start: int
    end: int
    words: tuple[str, ...]
    whole: str

    @classmethod
    def of(cls, whole: str, start: int, end: int) -> Span:
        """The span of a text from ``start`` to ``end``."""
        return cls(whole[start:end], start, end, words_of(whole[start:end]), whole)

    @property
    def signs(self) -> tuple[str, str]:
        """The signs directly before and after the words."""
        before = self.whole[max(0, self.start - _NEAR) : self.start]
        first, last = _signs_of(self.text)  # of words in brackets
        return _trailing(before) + first, last + _leading(self.whole[self.end : self.end + _NEAR])


def called(span: Span, candidates: Sequence[Candidate]) -> list[Entity]:
    """The entities of that name, or else of that alias."""
    said = " ".join(span.words)
    same = [c.entity for c in candidates if normalize(c.entity.name) == said]
    same = [one for one in same if _signs_of(one.name) == span.signs] or same
    # Where names differ in case only, the one that is written as in the question is first.
    same.sort(key=lambda entity: (entity.name != span.text, entity.id))
    return same or [c.entity for c in candidates if said in map(normalize, c.aliases)]


def called_bare(span: Span, candidates: Sequence[Candidate]) -> list[Entity]:
    """The entities that are called so without the bracket at the end of their name.

    Where the words before say what is in the bracket, only those: *the planet* Mercury.
    """
    said = " ".join(span.words)
    same = [c.entity for c in candidates if said in map(normalize, without_bracket(c.entity.name))]
    if len({entity.name for entity in same}) > 1:
        before = f" {normalize(span.whole[max(0, span.start - _NEAR) : span.start])}"
        kinds = [(entity, normalize(bracket_of(entity.name))) for entity in same]
        same = [one for one, kind in kinds if kind and before.endswith(f" {kind}")] or same
    return sorted(same, key=lambda entity: (entity.name, entity.id))


def _signs_of(name: str) -> tuple[str, str]:
    return _leading(name), _trailing(name)


def _leading(text: str) -> str:
    return text[: len(text) - len(text.lstrip(_SIGNS))]


def _trailing(text: str) -> str:
    return text[len(text.rstrip(_SIGNS)) :]
