"""How an expert reads evidence: the facts of a path as one text, when it is trained and later."""

from __future__ import annotations

from collections.abc import Sequence


def evidence_text(facts: Sequence[str]) -> str:
    """The facts of one piece of evidence, in their order."""
    return "; ".join(facts)
