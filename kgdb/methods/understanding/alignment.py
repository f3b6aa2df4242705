"""Words of a question aligned with the names of a schema: by their letters, and by the encoder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kgdb.graph.schema import Schema
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.cues import Cues
from kgdb.methods.understanding.words import (
    PREPOSITIONS,
    RELATED,
    content,
    is_of_another_kind,
    likeness,
    one_of,
    spoken,
    words_of,
)

HEAD = 0.6
"""How much of a name its head alone says: *price* of *unitPrice*."""

_DOUBTFUL = 0.05
"""How much nearer than any other label a word must be to one of which it is another name."""

CLOSE = 0.6
"""The cosine from which the encoder takes a word for another name of something."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """How well each word goes with each name: 1 for the same word, 0 for no likeness."""

    words: Mapping[str, int]
    names: Mapping[str, int]
    likenesses: NDArray[np.float32]
    supports: NDArray[np.float32]

    def likeness(self, word: str, name: str) -> float:
        """How well the name explains the word."""
        return float(self.likenesses[self.words[word], self.names[name]])

    def support(self, name: str, words: Iterable[str]) -> float:
        """How much of the name the words say."""
        rows = [self.words[word] for word in words]
        if not rows:
            return 0.0
        return float(self.supports[rows, self.names[name]].max())


async def align(
    ctx: QuestionContext, words: Sequence[str], schema: Schema, cues: Cues
) -> Alignment:
    """Align with every label, property and relation of the schema."""
    names = schema.names
    words = list(dict.fromkeys(words))
    singulars = [one_of(word) for word in words]
    vectors = await ctx.encoder.encode([*words, *singulars, *map(spoken, names)])
    # The number of a noun is no part of its meaning: passengers are as near as a passenger.
    of_names = vectors[2 * len(words) :].T
    of_words = (vectors[: len(words)] + vectors[len(words) : 2 * len(words)]) / 2
    cosines = (of_words @ of_names).astype(np.float32)
    labels = [names.index(label) for label in schema.labels]
    return alignment(words, names, without_doubtful(cosines, labels), cues, schema.synonyms)


def without_doubtful(cosines: NDArray[np.float32], labels: list[int]) -> NDArray[np.float32]:
    """The cosines without those of words that are as near to a second label: *aircraft* is near to
    an airline and to a flight, and another name of neither. Nor is it one of *piloted*.
    """
    if len(labels) <= 1:
        return cosines
    of_labels = cosines[:, labels]
    first, second = -np.sort(-of_labels, axis=1)[:, :2].T
    doubtful = (first - second < _DOUBTFUL) & (second >= CLOSE - _DOUBTFUL)
    cosines = cosines.copy()
    cosines[doubtful] = 0.0
    return cosines


def alignment(
    words: Sequence[str],
    names: Sequence[str],
    cosines: NDArray[np.float32],
    cues: Cues,
    synonyms: Mapping[str, Sequence[str]],
) -> Alignment:
    """The alignment of words and names; ``cosines`` has a row for each word.

    What goes with a synonym goes with its name.
    """
    called = [(column, name) for column, name in enumerate(names)]
    called += [(names.index(name), word) for name in synonyms for word in synonyms[name]]
    every = {part for _, name in called for part in content(words_of(name), cues)}
    # A word that is one for something here is not another word for something else.
    literal = {w for w in words if any(likeness(w, part, cues) >= RELATED for part in every)}
    likenesses = np.zeros((len(words), len(names)), np.float32)
    supports = np.zeros_like(likenesses)
    for column, name in called:
        whole, own = content(words_of(name), cues), _own_parts(name, cues)
        # What several words say together, as "units in stock".
        said = {part: max((likeness(w, part, cues) for w in words), default=0.0) for part in own}
        together = sum(said.values()) / max(1, len(own))
        has_head = said.get(_head(name, own), 0.0) > 0
        for row, word in enumerate(words):
            by_letters = max((likeness(word, part, cues) for part in whole), default=0.0)
            of_own = max((likeness(word, part, cues) for part in own), default=0.0)
            cosine = float(cosines[row, column])
            meant = by_letters > 0 or word not in literal | cues.light
            close = cosine >= CLOSE and meant and not is_of_another_kind(word, name, cues)
            similarity = cosine if close else 0.0
            if of_own and not has_head:
                support = 0.0  # a unit price is a price, no unit
            else:
                support = max(HEAD, together, similarity) if of_own else similarity
            likenesses[row, column] = max(likenesses[row, column], by_letters, similarity)
            supports[row, column] = max(supports[row, column], support)
    return Alignment(
        {word: row for row, word in enumerate(words)},
        {name: column for column, name in enumerate(names)},
        likenesses,
        supports,
    )


def _head(name: str, own: Sequence[str]) -> str:
    """The word of a name that the others tell more of: *price* in *unitPrice*."""
    words = words_of(name)
    end = next((n for n, word in enumerate(words) if n and word in PREPOSITIONS), len(words))
    before = [word for word in words[:end] if word in own]
    return before[-1] if before else own[-1]


def _own_parts(name: str, cues: Cues) -> list[str]:
    """The words of a name that tell it from others: of *contactName*, *contact*."""
    parts = content(words_of(name), cues)
    told = [part for part in parts if part not in cues.generic | cues.dates]
    return told or parts
