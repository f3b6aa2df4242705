"""How often an encoder that is in use puts the right chain first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kgdb.lab.training.corpus import RelationRow
from kgdb.language import Encoder


def right_first(encoder: Encoder, rows: Sequence[RelationRow]) -> float:
    """The share of questions that are more similar to their chain than to each negative.

    A chain's similarity is the mean of its wordings', as chains are scored.
    """
    texts = sorted(
        {text for row in rows for each in (row.wordings, *row.negatives) for text in each}
        | {row.question for row in rows}
    )
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    right = 0
    for row in rows:
        own, *others = (
            np.mean([vectors[text] @ vectors[row.question] for text in each])
            for each in (row.wordings, *row.negatives)
        )
        right += own > max(others)
    return right / len(rows)
