"""Settings of the training of the reranker of chains."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from kgdb.lab.training.setting_checks import (
    MAX_SEED,
    PRECISIONS,
    Precision,
    Ranges,
    check_settings,
)

RANGES: Ranges = {
    "epochs": (1, 10_000),
    "batch_size": (1, 100_000),
    "learning_rate": (1e-9, 1),
    "warmup": (0, 0.99),
    "negatives": (1, 50),
    "max_rows": (1, 100_000_000),
    "rank": (1, 4096),
    "held_back": (0, 0.5),
    "dev_rows": (1, 1_000_000),
    "evaluations": (1, 1000),
    "patience": (0, 10_000),
    "seed": (0, MAX_SEED),
}


@dataclass(frozen=True, slots=True)
class RerankerTraining:
    """How a cross-encoder learns which chain of a row is the right one.

    It reads a question with its chain and with ``negatives`` of the row's other chains; the loss is
    the cross-entropy of the right one. ``max_rows`` are drawn from a larger corpus. ``rank`` is
    that of the difference that is kept of each matrix.

    ``held_back`` is the share of rows that dev scores are measured on, beside those that a corpus
    holds back itself, at most ``dev_rows``. There are ``evaluations`` in an epoch; training stops
    early if the dev loss was not lower in ``patience`` of them (0: never).
    """

    epochs: int = 1
    batch_size: int = 16
    learning_rate: float = 1e-4
    warmup: float = 0.08
    negatives: int = 4
    max_rows: int | None = None
    rank: int = 64
    held_back: float = 0.02
    dev_rows: int = 200
    evaluations: int = 4
    patience: int = 3
    precision: Precision = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise :class:`kgdb.errors.UsageError` for a value that no training can have."""
        check_settings(self, RANGES, {"precision": PRECISIONS})

    def to_dict(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)
