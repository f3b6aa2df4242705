"""Amounts of money, as pages and terminals show them."""

from __future__ import annotations

import math


def amount(cost: float) -> str:
    """Four decimals, or as many as show two digits: what a question costs is often very little."""
    decimals = 4 if cost <= 0 else max(4, 1 - math.floor(math.log10(cost)))
    return f"{cost:.{decimals}f}"
