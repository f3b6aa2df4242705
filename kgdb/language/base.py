"""What a method asks of a language model and of an encoder: batches in, typed values out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote after a prompt.

    When it had to choose, ``text`` is one of the choices, and ``scores`` holds for each choice its
    log-probability after the prompt (in nats, summed over its tokens) where the model tells it.
    """

    text: str
    tokens_in: int
    tokens_out: int
    scores: tuple[float, ...] | None = None


class LanguageModel(Protocol):
    """A language model."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    def choose(self, prompts: Sequence[str], choices: Sequence[Sequence[str]]) -> list[Completion]:
        """For each prompt the one of its own choices that continues it best.

        The answer is always one of the choices, and the same for the same input. Raises
        :class:`kgdb.errors.ModelError` when the model cannot be reached.
        """


class Encoder(Protocol):
    """A sentence encoder."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row per text: their dot product is the cosine similarity."""
