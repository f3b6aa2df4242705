"""The settings of training an expert."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import get_args

from kgdb.lab.training.setting_checks import MAX_SEED, check_settings
from kgdb.language.experts.trained import Hidden

HIDDEN: tuple[str, ...] = get_args(Hidden)

RANGES: dict[str, tuple[float, float]] = {
    "layers": (1, 1000),
    "width": (1, 65_536),
    "epochs": (1, 10_000),
    "batch_size": (1, 100_000),
    "learning_rate": (1e-9, 1),
    "weight_decay": (0, 1),
    "dropout": (0, 0.9),
    "gold_share": (0, 1),
    "top_k": (1, 10_000),
    "outliers": (0.1, 1000),
    "held_back": (0.01, 0.5),
    "patience": (0, 10_000),
    "recall": (0.01, 1),
    "seed": (0, MAX_SEED),
}
"""The least and the largest value of each number."""


@dataclass(frozen=True, slots=True)
class ExpertTraining:
    """How an expert is trained.

    ``hidden`` says whose states it reads: those of a language model after its first ``layers``
    layers, as in the paper, or the vectors of the sentence encoder. ``width`` is that of the
    network between states and score.

    The score that a piece of evidence should get is ``gold_share`` × (1 if it is gold, else 0) plus
    the rest × its similarity to the query. The paper's labels are the similarity alone (0). A row
    is used where a gold piece is among the ``top_k`` most similar ones. Pieces whose similarity is
    more than ``outliers`` standard deviations from the mean of their kind, gold or noise, are
    dropped.

    The share ``held_back`` of the queries measures the epochs; after ``patience`` epochs without a
    lower error the training stops (0: never). α is the highest threshold that keeps the share
    ``recall`` of the gold evidence held back.
    """

    hidden: Hidden = "encoder"
    layers: int = 8
    width: int = 256
    epochs: int = 20
    batch_size: int = 64
    learning_rate: float = 1e-3
    weight_decay: float = 0.01
    dropout: float = 0.2
    gold_share: float = 0.8
    top_k: int = 10
    outliers: float = 3.0
    held_back: float = 0.1
    patience: int = 3
    recall: float = 0.98
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise :class:`kgdb.errors.UsageError` for a value that no training can have."""
        check_settings(self, RANGES, {"hidden": HIDDEN})

    def to_dict(self) -> dict[str, object]:
        """The settings as JSON has them."""
        return asdict(self)
