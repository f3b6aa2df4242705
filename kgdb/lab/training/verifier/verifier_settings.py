"""The settings of training a verifier."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from kgdb.lab.training.setting_checks import MAX_SEED, check_settings

RANGES: dict[str, tuple[float, float]] = {
    "strength": (1e-6, 1e6),
    "held_back": (0.01, 0.5),
    "precision": (0.5, 1),
    "seed": (0, MAX_SEED),
}
"""The least and the largest value of each number."""


@dataclass(frozen=True, slots=True)
class VerifierTraining:
    """How a verifier is trained.

    ``strength`` is that of the penalty on large weights (L2; scikit-learn's ``1 / C``). The share
    ``held_back`` of the claims measures the verifier. ``precision`` is the share of right verdicts
    that claims need to be decided where the graph may lack facts: the least probability above which
    the claims to train on reach it, by cross-validation, is where the verifier is sure.
    """

    strength: float = 10.0
    held_back: float = 0.2
    precision: float = 0.9
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise :class:`kgdb.errors.UsageError` for a value that no training can have."""
        check_settings(self, RANGES)

    def to_dict(self) -> dict[str, object]:
        """The settings as JSON has them."""
        return asdict(self)
