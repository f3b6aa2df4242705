"""Baselines: published methods and plain retrieval to measure the papers' methods by."""

from kgdb.methods.baselines.alone import ChainOfThought, LanguageModelAlone
from kgdb.methods.baselines.alone import Options as AloneOptions
from kgdb.methods.baselines.kggpt import KGGPT
from kgdb.methods.baselines.kggpt import Options as KGGPTOptions
from kgdb.methods.baselines.mindmap import MindMap
from kgdb.methods.baselines.mindmap import Options as MindMapOptions
from kgdb.methods.baselines.neighbors import Neighbors
from kgdb.methods.baselines.neighbors import Options as NeighborsOptions
from kgdb.methods.baselines.retrieval import (
    Bm25,
    Bm25Options,
    Embedding,
    EmbeddingOptions,
)
from kgdb.methods.baselines.tog import Options as ToGOptions
from kgdb.methods.baselines.tog import ToG

__all__ = [
    "KGGPT",
    "AloneOptions",
    "Bm25",
    "Bm25Options",
    "ChainOfThought",
    "Embedding",
    "EmbeddingOptions",
    "KGGPTOptions",
    "LanguageModelAlone",
    "MindMap",
    "MindMapOptions",
    "Neighbors",
    "NeighborsOptions",
    "ToG",
    "ToGOptions",
]
