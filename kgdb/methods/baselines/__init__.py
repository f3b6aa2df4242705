"""Simple methods to measure the others by: what a model says alone, and plain retrieval."""

from kgdb.methods.baselines.alone import ChainOfThought, LanguageModelAlone
from kgdb.methods.baselines.alone import Options as AloneOptions
from kgdb.methods.baselines.neighbors import Neighbors
from kgdb.methods.baselines.neighbors import Options as NeighborsOptions
from kgdb.methods.baselines.retrieval import (
    Bm25,
    Bm25Options,
    Embedding,
    EmbeddingOptions,
)

__all__ = [
    "AloneOptions",
    "Bm25",
    "Bm25Options",
    "ChainOfThought",
    "Embedding",
    "EmbeddingOptions",
    "LanguageModelAlone",
    "Neighbors",
    "NeighborsOptions",
]
