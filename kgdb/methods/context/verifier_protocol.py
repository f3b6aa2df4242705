"""What judges a claim by its checks, where one was trained to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Verifier(Protocol):
    """Says how likely a claim is true."""

    @property
    def name(self) -> str:
        """The model, as a person would cite it."""

    @property
    def sure(self) -> float:
        """The probability from which it decides a claim where the graph may lack facts."""

    @property
    def graphs(self) -> tuple[str, ...]:
        """The graphs that it was trained for."""

    def probability(self, features: Mapping[str, float]) -> float:
        """The probability, from 0 to 1, that a claim with these features is true."""
