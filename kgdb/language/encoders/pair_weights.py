"""What the two implementations of the reranker's head have in common."""

from __future__ import annotations

COSINE = 20.0
"""What the head begins with: the cosine of both texts, in nats at a temperature of 0.05."""

MAX_TOKENS = 128
"""Tokens of a question and a chain that are read."""
