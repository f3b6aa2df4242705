"""Settings of the training of the relation encoder."""

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
    "batch_size": (2, 100_000),
    "learning_rate": (1e-9, 1),
    "warmup": (0, 0.99),
    "temperature": (1e-4, 10),
    "momentum": (0, 0.9999),
    "clusters": (2, 1_000_000),
    "nearest": (0, 10_000),
    "prototype_weight": (0, 1000),
    "smoothing": (1, 1e6),
    "negatives": (0, 100),
    "max_tokens": (8, 512),
    "rank": (1, 4096),
    "interpolation": (0.01, 1),
    "held_back": (0, 0.5),
    "dev_rows": (1, 1_000_000),
    "evaluations": (1, 1000),
    "patience": (0, 10_000),
    "seed": (0, MAX_SEED),
}


@dataclass(frozen=True, slots=True)
class RelationTraining:
    """How the relation encoder is trained (GoT-R §3.2, equations 1 to 3).

    ``temperature`` is τ, ``smoothing`` α of equation 3. ``prototypes``, ``hard_negatives`` and
    ``momentum`` switch parts of the loss off for ablations: without ``momentum`` (0) the prototypes
    are of the encoder's own vectors. ``clusters`` is K, by default the number of relations;
    ``nearest`` is N, the nearest clusters of which each gives a negative. ``rank`` is that of the
    difference that is kept of each matrix. ``interpolation`` is the share of the difference that is
    kept: below 1 the encoder stands between untuned and tuned (WiSE-FT, Wortsman et al. 2022) and
    is better on graphs that it was not trained on.

    ``held_back`` is the share of rows that dev scores are measured on, beside those that a corpus
    holds back itself, at most ``dev_rows``. There are ``evaluations`` in an epoch; training stops
    early if the dev loss was not lower in ``patience`` of them (0: never).
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
    interpolation: float = 1.0
    held_back: float = 0.02
    dev_rows: int = 500
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
