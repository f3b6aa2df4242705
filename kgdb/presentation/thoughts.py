"""The graph of thought of a result, as the trace of GoT-R keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgdb.values import Stage


def last_thought(trace: Sequence[Stage]) -> Mapping[str, Any] | None:
    """The output of the last stage that keeps a thought: it has the facts found for it, too."""
    for stage in reversed(trace):
        thought = stage.output.get("thought")
        # RoK's thought is a text.
        if isinstance(thought, Mapping) and thought.get("edges"):
            return stage.output
    return None
