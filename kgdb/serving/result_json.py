"""What retrieval finds, as JSON: steps are written ``relation`` or ``^relation``, as in answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from kgdb.graph.retrieval.results import Rows
from kgdb.serving.problem_details import problem_of
from kgdb.values import Answer, Step, TextVerdict, Verdict


def as_json(value: Any) -> Any:
    """JSON-ready values of anything that was found."""
    if isinstance(value, Step):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: as_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def rows_json(found: Rows[Any]) -> dict[str, Any]:
    """The rows of a search, and the caps that left something out."""
    return {"rows": as_json(found), "cut": list(found.cut)}


def outcome_json(outcome: Answer | Verdict) -> dict[str, Any]:
    """An answer or a verdict; its error as a problem says it, without what is for the log."""
    found = outcome.to_dict()
    if outcome.error is not None:
        _, problem, _ = problem_of(outcome.error)
        found["error"] = {
            "kind": problem["title"],
            "message": problem["detail"],
            "hint": problem.get("hint"),
        }
    return found


def text_json(found: TextVerdict) -> dict[str, Any]:
    """The claims of a text, each with its verdict as :func:`outcome_json` gives it."""
    verdicts = [{"verdict": outcome_json(claim.verdict)} for claim in found.claims]
    told = found.to_dict()
    return told | {"claims": [a | b for a, b in zip(told["claims"], verdicts, strict=True)]}
