"""What a cross-encoder of questions and chains has beside a sentence encoder."""

from __future__ import annotations

HEAD = "pair_head."
"""Before the names of the head's ``weight`` and ``bias``."""

COSINE = 20.0
"""What the head begins with: the cosine of both texts, in nats at a temperature of 0.05."""

MAX_TOKENS = 128
"""Tokens of a question and a chain that are read."""
