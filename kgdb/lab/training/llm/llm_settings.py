"""The settings of tuning a language model, and the presets of RefKG's Table 6."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Literal, get_args

from kgdb.errors import UsageError
from kgdb.lab.training.setting_checks import MAX_SEED, PRECISIONS, Precision, Ranges, check_settings
from kgdb.wording import short

Strategy = Literal["full", "lora"]
STRATEGIES: tuple[str, ...] = get_args(Strategy)

ZERO3 = Path(__file__).parent / "zero3.json"
"""The DeepSpeed configuration that ships: ZeRO stage 3, as in Table 6."""


RANGES: Ranges = {
    "epochs": (1e-6, 10_000),
    "max_tokens": (8, 1_000_000),
    "learning_rate": (1e-9, 1),
    "batch_size": (1, 100_000),
    "accumulation": (1, 100_000),
    "weight_decay": (0, 1),
    "warmup": (0, 0.99),
    "clip": (1e-6, 1e6),
    "lora_rank": (1, 4096),
    "lora_alpha": (1, 8192),
    "lora_dropout": (0, 0.9),
    "patience": (0, 10_000),
    "evaluations": (1, 1000),
    "held_back": (0, 0.5),
    "dev_rows": (1, 1_000_000),
    "max_rows": (0, 1_000_000_000),
    "seed": (0, MAX_SEED),
}
"""The least and the largest value of each number."""


@dataclass(frozen=True, slots=True)
class TuningSettings:
    """How a language model is tuned.

    ``max_tokens`` is the longest prompt with its reply, in tokens. A step of the optimizer (AdamW)
    takes ``accumulation`` batches of ``batch_size`` rows on each process. ``warmup`` is the share
    of steps in which the learning rate rises before it falls linearly. ``clip`` is the largest norm
    of a gradient. ``precision`` ``auto`` computes in bfloat16 where the processor or GPU has units
    for it; weights that are tuned stay float32. Tuning stops early if the dev loss was not lower in
    ``patience`` evaluations (0: never); there are ``evaluations`` in an epoch.

    ``weights`` are how often a row is drawn in an epoch, by task or by ``task:reply``. ``tasks``
    are the tasks that the model is tuned on, empty for all: one of them is single-task tuning.
    ``max_rows`` are drawn from the corpus (0: all rows are used).
    ``held_back`` is the share of rows that dev scores are measured on, at most ``dev_rows``.
    """

    strategy: Strategy = "lora"
    epochs: float = 1.0
    max_tokens: int = 512
    learning_rate: float = 5e-4
    batch_size: int = 8
    accumulation: int = 1
    weight_decay: float = 0.01
    warmup: float = 0.03
    clip: float = 1.0
    lora_rank: int = 16
    lora_alpha: int = 32
    lora_dropout: float = 0.05
    precision: Precision = "auto"
    patience: int = 3
    evaluations: int = 2
    held_back: float = 0.05
    dev_rows: int = 300
    max_rows: int = 0
    seed: int = 0
    tasks: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    deepspeed: Path | None = None

    def __post_init__(self) -> None:
        """Raise :class:`kgdb.errors.UsageError` for a value that no run can have."""
        check_settings(self, RANGES, {"strategy": STRATEGIES, "precision": PRECISIONS})
        for task, weight in self.weights.items():
            if not math.isfinite(weight) or not 0 <= weight <= 1000:
                raise UsageError(
                    f"The weight of {short(task)} is {short(weight)}.",
                    hint="Expected a number from 0 (never) to 1000; 1 is once in an epoch.",
                )

    def to_dict(self) -> dict[str, object]:
        """The settings as JSON has them."""
        values = asdict(self)
        values["deepspeed"] = None if self.deepspeed is None else self.deepspeed.name
        values["tasks"] = list(self.tasks)
        return values


# Table 6 has AdamW, a weight decay of 0.01 and ZeRO stage 3 in all three columns. It says nothing
# of the rank of LoRA, of warm-up and of clipping: these are this package's own.
PRESETS: Mapping[str, TuningSettings] = {
    "factkg": TuningSettings("full", 3, 2048, 1e-5, batch_size=1, accumulation=4),
    # The copy of the table at hand has one batch size for its first two columns.
    "metaqa": TuningSettings("full", 3, 256, 2e-5, batch_size=1, accumulation=4),
    "webqsp": TuningSettings("lora", 50, 2048, 5e-5, batch_size=16, accumulation=1),
}
"""The hyper-parameters of RefKG's Table 6, by data set. DeepSpeed is left to ``deepspeed``."""
