"""RefKG's multi-task tuning of a language model (§3.4), on the trainer of transformers."""

from kgdb.lab.training.llm.llm_card import Tuned
from kgdb.lab.training.llm.llm_settings import (
    PRESETS,
    RANGES,
    STRATEGIES,
    ZERO3,
    TuningSettings,
)
from kgdb.lab.training.llm.tuning import tune

__all__ = [
    "PRESETS",
    "RANGES",
    "STRATEGIES",
    "ZERO3",
    "Tuned",
    "TuningSettings",
    "tune",
]
