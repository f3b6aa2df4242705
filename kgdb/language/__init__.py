"""Language models and encoders behind batch-first interfaces, and how graph parts read in words."""

from kgdb.language.base import Ask, Completion, Encoder, LanguageModel, Reranker
from kgdb.language.cache import Cached
from kgdb.language.catalog import (
    cache_folder,
    load_cached_llm,
    load_cross_encoder,
    load_encoder,
    load_llm,
)
from kgdb.language.context import fit
from kgdb.language.relations import encode_relations
from kgdb.language.reranking import BiEncoderReranker
from kgdb.language.single_threaded import single_threaded
from kgdb.language.verbalize import ask, fact, facts, grouped, relation_words, verbalize

__all__ = [
    "Ask",
    "BiEncoderReranker",
    "Cached",
    "Completion",
    "Encoder",
    "LanguageModel",
    "Reranker",
    "ask",
    "cache_folder",
    "encode_relations",
    "fact",
    "facts",
    "fit",
    "grouped",
    "load_cached_llm",
    "load_cross_encoder",
    "load_encoder",
    "load_llm",
    "relation_words",
    "single_threaded",
    "verbalize",
]
