"""The claims of a text, each with its place in it and its verdict."""

from kgdb.methods.claims_of_text.text_verdicts import (
    MAX_BYTES,
    judge_text,
    sentences_with_claims,
    too_long,
)

__all__ = ["MAX_BYTES", "judge_text", "sentences_with_claims", "too_long"]
