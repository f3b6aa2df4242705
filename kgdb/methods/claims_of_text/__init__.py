"""The claims of a text, each with its place in it and its verdict."""

from kgdb.methods.claims_of_text.text_verdicts import judge_text, sentences_with_claims

__all__ = ["judge_text", "sentences_with_claims"]
