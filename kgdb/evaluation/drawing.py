"""Drawing from question sets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from kgdb.evaluation.datasets.catalog import Asked
from kgdb.evaluation.questions import Claim, Question

_A = TypeVar("_A", Sequence[Question], Sequence[Claim], Asked)


def drawn(asked: _A, limit: int | None, seed: int) -> _A:
    """So many of them at random; all of them without a limit."""
    if limit is None or limit >= len(asked):
        return asked
    places = random.Random(seed).sample(range(len(asked)), limit)
    return [asked[place] for place in places]  # type: ignore[return-value]
