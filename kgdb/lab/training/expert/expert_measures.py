"""How well scores tell gold evidence from noise, and what is chosen by that: α and the weight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kgdb.lab.training.corpus.evidence_rows import EvidenceRow

Array = NDArray[np.float32]

WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
"""The weights of an expert's score, beside a chain's own, among which one is chosen."""


def threshold_for(scores: Sequence[Array], rows: Sequence[EvidenceRow], recall: float) -> float:
    """The highest threshold that keeps the share ``recall`` of the gold evidence.

    ``scores`` has for each row an array with the score of each piece.
    """
    gold = np.sort(np.concatenate([s[_gold(row)] for s, row in zip(scores, rows, strict=True)]))
    # One that is kept has a score of at least the threshold.
    lost = int((1 - recall) * len(gold) + 1e-9)
    # Rounded down: stored with fewer digits, it keeps the same pieces.
    return float(np.floor(gold[lost] * 1e6) / 1e6)


def weight_for(scores: Sequence[Array], rows: Sequence[EvidenceRow]) -> float:
    """The weight with which the right chain comes first most often; of equal ones, the least.

    0 where the corpus has no scores of chains, as for claims.
    """
    chains = [np.array([piece.score for piece in row.evidence], np.float32) for row in rows]
    if not any(each.any() for each in chains):
        return 0.0
    hits = {
        weight: first_is_gold(
            [chain + weight * own for chain, own in zip(chains, scores, strict=True)], rows
        )
        for weight in WEIGHTS
    }
    return max(WEIGHTS, key=lambda weight: (hits[weight], -weight))


def first_is_gold(scores: Sequence[Array], rows: Sequence[EvidenceRow]) -> float:
    """The share of the rows whose piece with the highest score is gold."""
    return float(
        np.mean([_gold(row)[int(np.argmax(s))] for s, row in zip(scores, rows, strict=True)])
    )


def measures(
    scores: Sequence[Array], rows: Sequence[EvidenceRow], threshold: float, weight: float
) -> dict[str, float]:
    """What a threshold keeps of the gold evidence and of the noise, and what comes first.

    ``first``: rows whose best piece is gold; ``ranked``: the same by the score of the chain plus
    ``weight`` × the expert's.
    """
    flat = np.concatenate(scores)
    gold = np.concatenate([_gold(row) for row in rows])
    chains = [np.array([piece.score for piece in row.evidence], np.float32) for row in rows]
    found = {
        "gold kept": float((flat[gold] >= threshold).mean()),
        "noise kept": float((flat[~gold] >= threshold).mean()),
        "first": first_is_gold(scores, rows),
    }
    if any(each.any() for each in chains):
        ranked = [chain + weight * own for chain, own in zip(chains, scores, strict=True)]
        found["ranked"] = first_is_gold(ranked, rows)
    return found


def _gold(row: EvidenceRow) -> NDArray[np.bool_]:
    return np.array([piece.gold for piece in row.evidence])
