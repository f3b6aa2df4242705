"""Query decoupling (RefKG §3.1): a question as nested single-hop sub-queries around its entity.

*Who directed the films that Ada Weir acted in?* is *films that Ada Weir acted in* inside *Who
directed the …?*: every way to cut the question into such nested parts is a candidate, and for a
relation chain the best one is that whose parts are most similar to the chain's hops. The word that
asks (*who*) belongs to the outermost part. Unlike the similarity of whole sentences, this tells the
directors of someone's films from the films of someone who directs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

PLACEHOLDER = "this"
"""Stands for what a part is about: the entity, or the part inside."""

_MAX_CUTS = 6
"""Places to cut on either side of the entity. The parts grow with their fourth power."""

_USUAL, _ROOM = 60_000, 16_000
"""Characters of the parts that are encoded: for each entity of a usual question, and in all.

An encoder reads some ten thousand in a second, so a long list of names is cut at fewer places.
"""
_ENTITIES, _LENGTH = 3, 300
"""A usual question has at most so many entities, and so many characters."""

_READ = 1_000
"""About how many characters of a text an encoder reads."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")

# What asks: a question word, or an order. One that opens the question counts before one that ends
# it; any between them is likely a relative pronoun.
_QUESTION_WORDS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|name|list|give|tell|show|find)\b"
    r"|谁|哪|什么|多少|几",
    re.IGNORECASE,
)
_OPENING = 20

# Between a relative pronoun and its verb: "films that Ada Weir | acted in" must not be cut there.
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose)\s+\W*$", re.IGNORECASE)

_SPLIT_COST = 0.1
"""Taken off the similarity of a part that lies on both sides of the part inside it. *Who … acted
in* around *directed the films that Ada Weir* is such a part: similar to a hop, but seldom meant."""

Floats = NDArray[np.float32]

Hop = tuple[Floats, Floats]
"""How well a hop fits each part as the first of a chain, ``(parts,)``, and as a later one,
``(parts, parts)``: this part after that one; ``-inf`` where that cannot be."""


def masked(text: str, mentions: Sequence[str]) -> str:
    """A question or sub-query with the placeholder for each mention, whatever its case there."""
    for mention in mentions:
        at = text.casefold().find(mention.casefold())
        if at >= 0:
            text = text[:at] + PLACEHOLDER + text[at + len(mention) :]
    return text


@dataclass(frozen=True, slots=True)
class _Interval:
    """A stretch of the question, in characters, with the entity inside."""

    start: int
    end: int


class Decoupling(Protocol):
    """A question taken apart, and how well hops fit its parts.

    A *fit* is a vector over the parts: at each the best summed similarity of a chain whose last
    hop explains that part. It grows hop by hop with :func:`extend`; its last number is that of a
    chain that explains the whole question.
    """

    @property
    def texts(self) -> Sequence[str]:
        """What has to be encoded, each once."""

    def similarity(self, vectors: Floats, phrasings: Sequence[Floats]) -> list[Hop]:
        """How well each hop fits each part.

        ``vectors`` are those of :attr:`texts`. ``phrasings``: per hop a matrix with one unit vector
        per wording; their mean counts.
        """


class SpanSegmentation:
    """All nested cuts of one question around one mention: its parts are places to end at."""

    def __init__(self, question: str, start: int, end: int, entities: int = 1) -> None:
        """``start`` and ``end`` are the mention's place in ``question``, in characters.

        ``entities`` are those around which the question is cut.
        """
        self._question = question
        usual = entities <= _ENTITIES and len(question) <= _LENGTH
        self._room = _USUAL if usual else _ROOM // entities
        self._mention = _Interval(start, end)

    @cached_property
    def _intervals(self) -> list[_Interval]:
        """Every cut, the whole question last."""
        words = list(_WORD.finditer(self._question))
        before = [word.start() for word in words if word.start() < self._mention.start]
        after = [word.end() for word in words if word.end() > self._mention.end]
        number = self._cuts(len(before), len(after))
        cuts = [
            _Interval(start, end)
            for end in [self._mention.end, *_thin(after, number)]
            for start in [self._mention.start, *_thin(before[::-1], number)]
        ]
        whole, asking = cuts.pop(), self._question_word()
        is_subject = _RELATIVE.search(self._question[: self._mention.start]) is not None
        return [
            cut
            for cut in cuts
            if cut != self._mention
            and not (asking and cut.start <= asking.start < cut.end)
            and not (is_subject and cut.end == self._mention.end)
        ] + [whole]

    def _cuts(self, before: int, after: int) -> int:
        """The places to cut on either side, as many as there is room for, and at least one."""
        length = min(len(self._question), _READ) / 2
        for number in range(_MAX_CUTS, 1, -1):
            left, right = min(number, before) + 2, min(number, after) + 2
            if math.comb(left, 2) * math.comb(right, 2) * length <= self._room:
                return number
        return 1

    def _question_word(self) -> _Interval | None:
        """The word that asks, outside the mention."""
        words = [
            _Interval(*match.span())
            for match in _QUESTION_WORDS.finditer(self._question)
            if match.end() <= self._mention.start or match.start() >= self._mention.end
        ]
        if not words:
            return None
        return words[0] if words[0].start < _OPENING else words[-1]

    @property
    def texts(self) -> Sequence[str]:
        """Every part that is compared with hops."""
        return self._parts[1]

    @cached_property
    def _parts(self) -> tuple[dict[tuple[int, int], int], list[str]]:
        """The text around each inner interval within each outer one, by its place in the texts.

        The inner interval -1 is the mention itself.
        """
        texts: dict[str, int] = {}
        rows: dict[tuple[int, int], int] = {}
        for o, outer in enumerate(self._intervals):
            for i, inner in [(-1, self._mention), *enumerate(self._intervals)]:
                if i != o and outer.start <= inner.start and inner.end <= outer.end:
                    text = self.part(outer, inner)
                    rows[o, i] = texts.setdefault(text, len(texts))
        return rows, list(texts)

    @cached_property
    def _split_costs(self) -> Floats:
        """Per row of the parts: its cost for lying on both sides of another part."""
        rows, _ = self._parts
        return np.array(
            [_SPLIT_COST * (i >= 0 and self._on_both_sides(o, i)) for o, i in rows],
            dtype=np.float32,
        )

    def _on_both_sides(self, o: int, i: int) -> bool:
        outer, inner = self._intervals[o], self._intervals[i]
        before = self._question[outer.start : inner.start]
        after = self._question[inner.end : outer.end]
        return any(map(str.isalnum, before)) and any(map(str.isalnum, after))

    def part(self, outer: _Interval, inner: _Interval) -> str:
        """The question between two intervals, with the inner one replaced by the placeholder."""
        q = self._question
        return q[outer.start : inner.start] + PLACEHOLDER + q[inner.end : outer.end]

    def similarity(self, vectors: Floats, phrasings: Sequence[Floats]) -> list[Hop]:
        """How well each hop fits each cut; as a later one: the outer around the inner."""
        rows, _ = self._parts
        cuts = len(self._intervals)
        outer, inner = np.array(list(rows)).T
        index = np.array(list(rows.values()))
        result = []
        for wordings in phrasings:
            fit = (vectors @ wordings.T).mean(axis=1)
            table = np.full((cuts, cuts + 1), -np.inf, dtype=np.float32)
            table[outer, inner] = fit[index] - self._split_costs  # column -1: the mention
            result.append((table[:, -1], table[:, :-1]))
        return result


class GivenSubqueries:
    """Sub-queries that are written already, in the order of the hops that answer them."""

    def __init__(self, queries: Sequence[str]) -> None:
        self.texts = list(queries)

    def similarity(self, vectors: Floats, phrasings: Sequence[Floats]) -> list[Hop]:
        """The n-th hop fits the n-th sub-query and none else."""
        result = []
        for wordings in phrasings:
            fit = (vectors @ wordings.T).mean(axis=1)
            first = np.full(len(fit), -np.inf, dtype=np.float32)
            first[0] = fit[0]
            later = np.full((len(fit), len(fit)), -np.inf, dtype=np.float32)
            later_rows = np.arange(1, len(fit))
            later[later_rows, later_rows - 1] = fit[1:]
            result.append((first, later))
        return result


def extend(fit: Floats | None, hop: Hop) -> Floats:
    """The fit of a chain that goes on with ``hop`` (``None``: begins with it)."""
    first, later = hop
    if fit is None:
        return first
    extended: Floats = (later + fit[None, :]).max(axis=1)
    return extended


def _thin(offsets: Sequence[int], number: int) -> list[int]:
    """At most that many of the places, evenly, the outermost always among them."""
    if len(offsets) <= number:
        return list(offsets)
    chosen = np.linspace(len(offsets) - 1, 0, number).round().astype(int)
    return [offsets[i] for i in chosen[::-1]]
