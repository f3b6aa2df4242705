"""Checks of the settings of a training: numbers in their ranges, names among those allowed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from kgdb.errors import UsageError
from kgdb.wording import listed, short

Precision = Literal["auto", "float32", "bfloat16"]
PRECISIONS: tuple[str, ...] = get_args(Precision)

MAX_SEED = 2**32 - 1

Ranges = Mapping[str, tuple[float, float]]
"""The least and the largest value of each number."""


def check_settings(
    settings: object, ranges: Ranges, allowed: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Raise :class:`kgdb.errors.UsageError` for a value that no training can have.

    ``None`` is the absence of a number.
    """
    for name, (lowest, highest) in ranges.items():
        value = getattr(settings, name)
        if value is not None and not (math.isfinite(value) and lowest <= value <= highest):
            raise UsageError(
                f"{name} is {short(value)}.",
                hint=f"Expected a number from {lowest:g} to {highest:g}.",
            )
    for name, names in (allowed or {}).items():
        if getattr(settings, name) not in names:
            raise UsageError(
                f"{name} is {short(getattr(settings, name))}.",
                hint=f"Expected one of: {listed(names)}.",
            )
