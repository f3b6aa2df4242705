"""How sure a mean over a sample is, and whether two methods differ on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from kgdb.optional_packages import optional

CONFIDENCE = 0.95
RESAMPLES = 2_000
_SEED = 0


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval of :data:`CONFIDENCE`, from ``low`` to ``high``."""

    value: float
    low: float
    high: float
    questions: int


def mean_of(values: Sequence[float]) -> Mean:
    """The mean and its bootstrap interval (percentiles of resampled means), from one seed.

    Raises :class:`ValueError` for no values.
    """
    if not values:
        raise ValueError("values is empty; expected the measure of one question or more")
    value = fmean(values)
    if min(values) == max(values):
        return Mean(value, value, value, len(values))
    optional("scipy", "lab")
    from scipy.stats import bootstrap

    interval = bootstrap(
        (np.asarray(values),),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(_SEED),
    ).confidence_interval
    return Mean(value, float(interval.low), float(interval.high), len(values))


def differs(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that two methods which are equal differ so much on the same questions.

    A paired permutation test of the mean difference, both ways; 1 where they are the same, and
    for a single question, which proves nothing.
    """
    if len(first) != len(second):
        raise ValueError("first and second differ in length; expected the scores of one sample")
    differences = np.asarray(first) - np.asarray(second)
    if len(differences) <= 1 or not differences.any():
        return 1.0
    optional("scipy", "lab")
    from scipy.stats import permutation_test

    found = permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(_SEED),
    )
    return float(found.pvalue)
