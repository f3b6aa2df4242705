"""Settings of the training of the relation encoder."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from kgdb.errors import UsageError

Precision = Literal["auto", "fp32", "bf16"]


@dataclass(frozen=True, slots=True)
class RelationTraining:
    """How the relation encoder is trained (GoT-R §3.2, equations 1 to 3).

    ``temperature`` is τ, ``smoothing`` α of equation 3. ``prototypes``, ``hard_negatives`` and
    ``momentum`` switch parts of the loss off for ablations: without ``momentum`` (0) the prototypes
    are of the encoder's own vectors. ``clusters`` is K, by default the number of distinct chains;
    ``nearest`` is N, the nearest clusters of which each gives a negative. ``rank`` is that of the
    difference that is kept of each matrix. ``patience`` epochs without a better score on the
    held-back rows end the training.
    """

    epochs: int = 1
    batch_size: int = 64
    learning_rate: float = 1e-4
    warmup: float = 0.08
    temperature: float = 0.05
    prototypes: bool = True
    hard_negatives: bool = True
    momentum: float = 0.9
    clusters: int | None = None
    nearest: int = 2
    prototype_weight: float = 0.2
    smoothing: float = 10.0
    negatives: int = 1
    max_tokens: int = 64
    rank: int = 64
    held_back: float = 0.02
    patience: int = 2
    precision: Precision = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        wrong = [
            (name, wanted)
            for name, wanted, is_right in (
                ("epochs", "at least 1", self.epochs >= 1),
                ("batch_size", "at least 2", self.batch_size >= 2),
                ("learning_rate", "above 0", self.learning_rate > 0),
                ("temperature", "above 0", self.temperature > 0),
                ("momentum", "from 0 to below 1", 0 <= self.momentum < 1),
                ("held_back", "from 0 to below 1", 0 <= self.held_back < 1),
                ("rank", "at least 1", self.rank >= 1),
                ("negatives", "0 or more", self.negatives >= 0),
                ("nearest", "0 or more", self.nearest >= 0),
                ("clusters", "at least 2", self.clusters is None or self.clusters >= 2),
            )
            if not is_right
        ]
        if wrong:
            name, wanted = wrong[0]
            raise UsageError(
                f"{name} is {getattr(self, name)}.", hint=f"Expected a number {wanted}."
            )

    def to_dict(self) -> dict[str, object]:
        """As JSON."""
        return {each.name: getattr(self, each.name) for each in fields(self)}
