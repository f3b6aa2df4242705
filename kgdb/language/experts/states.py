"""The state that an expert sees of a query with a piece of evidence: h of RefKG's equation 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from kgdb.language.base import Encoder

Pair = tuple[str, str]
"""A query and a piece of evidence, each as a text."""


class HiddenStates(Protocol):
    """A model that turns pairs into vectors."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """One row for each pair; pairs that are the same have the same row."""


class EncoderStates:
    """The vectors of query and evidence by a sentence encoder, and their product by dimension.

    Each text is read for itself, so this is no joint reading as in the paper. It costs no more than
    the similarity does.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.name = encoder.name
        self._encoder = encoder

    def states(self, pairs: Sequence[Pair]) -> NDArray[np.float32]:
        """Rows of three times the encoder's dimensions."""
        places: dict[str, int] = {}
        queries = [places.setdefault(query, len(places)) for query, _ in pairs]
        evidence = [places.setdefault(text, len(places)) for _, text in pairs]
        vectors = self._encoder.encode(list(places))
        one, other = vectors[queries], vectors[evidence]
        return np.concatenate([one, other, one * other], axis=1).astype(np.float32)
