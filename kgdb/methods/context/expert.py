"""The expert that judges evidence (RefKG §3.2, equation 4), and refinement by its scores.

The paper trains a language model with a regression head for it: ``kgdb lab train expert`` does.
Where none is named, the encoder's similarity stands in, and is named as what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kgdb.language import Encoder, cosines


class Expert(Protocol):
    """Says how well a fact in words supports a sub-query."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    @property
    def threshold(self) -> float:
        """The paper's α on the scale of this expert: what scores less is taken for noise."""

    @property
    def weight(self) -> float:
        """How much its score counts in a chain's score, beside the similarity."""

    @property
    def judges_paths(self) -> bool:
        """Whether it reads the facts of a path together; else it scores each alone."""

    @property
    def graphs(self) -> tuple[str, ...]:
        """The graphs that it was trained for; none: it was not trained."""

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each (sub-query, fact) a number from 0 to 1."""


class EncoderExpert:
    """The cosine similarity of sub-query and fact, where it is above 0.

    Its threshold is low: similarity tells apart what is about something else, not what is wrong.
    """

    threshold = 0.1
    weight = 0.0
    judges_paths = False
    graphs: tuple[str, ...] = ()

    def __init__(self, encoder: Encoder) -> None:
        self.name = f"{encoder.name}: an encoder, not a trained expert"
        self._encoder = encoder

    def scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Cosines; those below 0 count as 0."""
        return [min(1.0, max(0.0, score)) for score in cosines(self._encoder, pairs)]
