"""Answers and verdicts as a service tells them: their errors as problems say them."""

from __future__ import annotations

from typing import Any

from kgdb.serving.problem_details import problem_of
from kgdb.values import Answer, TextVerdict, Verdict


def outcome_json(outcome: Answer | Verdict) -> dict[str, Any]:
    """An answer or a verdict; its error as a problem says it, without what is for the log."""
    found = outcome.to_dict()
    if outcome.error is not None:
        _, problem, _ = problem_of(outcome.error)
        found["error"] = {
            "type": problem["title"],
            "message": problem["detail"],
            "hint": problem.get("hint"),
        }
    return found


def text_json(found: TextVerdict) -> dict[str, Any]:
    """The claims of a text, each with its verdict as :func:`outcome_json` gives it."""
    verdicts = [{"verdict": outcome_json(claim.verdict)} for claim in found.claims]
    told = found.to_dict()
    return told | {"claims": [a | b for a, b in zip(told["claims"], verdicts, strict=True)]}
