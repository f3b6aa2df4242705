"""Language models and encoders behind batch-first interfaces, and how graph parts read in words."""

from kgdb.language.base import Completion, Encoder, LanguageModel
from kgdb.language.catalog import load_encoder, load_llm
from kgdb.language.verbalize import ask, verbalize

__all__ = [
    "Completion",
    "Encoder",
    "LanguageModel",
    "ask",
    "load_encoder",
    "load_llm",
    "verbalize",
]
