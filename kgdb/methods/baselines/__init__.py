"""Baselines: published methods and plain retrieval to measure the papers' methods by."""

from kgdb.methods.baselines.alone import AloneOptions, ChainOfThought, LanguageModelAlone
from kgdb.methods.baselines.kggpt import KGGPT, KGGPTOptions
from kgdb.methods.baselines.mindmap import MindMap, MindMapOptions
from kgdb.methods.baselines.neighbors import Neighbors, NeighborsOptions
from kgdb.methods.baselines.retrieval import Bm25, Bm25Options, Embedding, EmbeddingOptions
from kgdb.methods.baselines.tog import ToG, ToGOptions

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
