"""Weights of a log-linear model over candidates, of which ``null``, to refuse, is always one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kgdb.lab.training.reading.judged_questions import JudgedQuestion
from kgdb.optional_packages import optional

Outcome: TypeAlias = Literal["right", "wrong", "refused"]
"""``refused``: though the question has an answer."""

NULL = "null"
_STRENGTH = 0.3
_RULE_STRENGTH = 4 * _STRENGTH  # few questions use each rule
_Floats: TypeAlias = NDArray[np.float64]


def fitted(
    questions: Sequence[JudgedQuestion], start: Mapping[str, float] | None = None
) -> dict[str, float]:
    """The weights that make right candidates likeliest, by L-BFGS with an L2 penalty.

    Where no candidate is right, ``null`` is.
    """
    rows: list[Mapping[str, float]] = []
    right: list[bool] = []
    starts = []
    for question in questions:
        starts.append(len(rows))
        verdicts = [each.is_right for each in question.candidates]
        rows += [*(each.features for each in question.candidates), {NULL: 1.0}]
        right += [*verdicts, not any(verdicts)]
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    penalties = np.array([_RULE_STRENGTH if n.startswith("rule.") else _STRENGTH for n in names])
    groups = np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)]))

    def loss(weights: _Floats) -> tuple[float, _Floats]:
        scores = matrix @ weights
        scaled = np.exp(scores - np.maximum.reduceat(scores, starts)[groups])
        totals = np.add.reduceat(scaled, starts)
        rights = np.add.reduceat(scaled * right, starts)
        surprise = float(np.log(totals / rights).sum() + penalties @ weights**2 / 2)
        excess = scaled / totals[groups] - scaled * right / rights[groups]
        return surprise, matrix.T @ excess + penalties * weights

    first = np.array([(start or {}).get(name, 0.0) for name in names])
    minimize = optional("scipy.optimize", "lab").minimize
    found = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": 400})
    return dict(zip(names, map(float, found.x), strict=True))


def outcome(
    question: JudgedQuestion, weights: Mapping[str, float], less_refusing: float = 0.0
) -> Outcome:
    """What becomes of the question, where refusing weighs less by so much.

    The likeliest candidate answers if it has values, and these are likelier than all else
    together, summed over all candidates with the same values.
    """
    scored = [
        (sum(weights.get(name, 0.0) * value for name, value in each.features.items()), each)
        for each in question.candidates
    ]
    refusal: Outcome = "refused" if question.has_answer else "right"
    null = weights.get(NULL, 0.0) - less_refusing
    score, best = max(scored, key=lambda each: each[0], default=(-math.inf, None))
    if best is None or not best.values:
        return refusal
    highest = max(score, null)
    total = math.exp(null - highest) + sum(math.exp(each - highest) for each, _ in scored)
    same = sum(math.exp(each - highest) for each, one in scored if one.values == best.values)
    if same <= total / 2:
        return refusal
    return "right" if best.is_right else "wrong"
