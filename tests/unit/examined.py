"""Made-up claims with what their checks found."""

from __future__ import annotations

import random

from kgdb.lab.training.corpus.claim_rows import ClaimRow
from kgdb.methods.verification.features import FEATURES


def examined(number: int = 600, seed: int = 0) -> list[ClaimRow]:
    """Claims whose denials the rules get wrong: a denied part is true where nothing is known."""
    draw = random.Random(seed)
    made = []
    for index in range(number):
        denied, known = draw.random() < 0.5, draw.random() < 0.5
        features = dict.fromkeys(FEATURES, 0.0)
        side = "denied" if denied else "affirmed"
        features[f"any {side} {'yes' if known else 'unknown'}"] = 1.0
        features["rules"] = float(known and not denied)
        features["words"] = draw.uniform(1, 3)
        made.append(ClaimRow(f"claim {index}", known != denied, features, "g", "made up", "CC0"))
    return made
