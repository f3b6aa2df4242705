"""What a baseline that only answers questions says to a claim."""

from __future__ import annotations

from kgdb.errors import UsageError


def cannot_verify(method: str, claim: str) -> UsageError:
    """The error of a method that has no way to verify."""
    return UsageError(
        f"The method {method} answers questions and does not verify claims, as {claim[:60]!r}.",
        hint="Verify by the method refkg or kggpt; llm and cot judge without any evidence.",
    )
