"""The methods to measure others by, and the one for dialogues."""

from __future__ import annotations

from collections.abc import Mapping

from kgdb.methods.registry import MethodKind

METHODS: Mapping[str, MethodKind] = {
    "kggpt": MethodKind(
        "kgdb.lab.baselines.kggpt:KGGPT",
        "kgdb.lab.baselines.kggpt:KGGPTOptions",
        "KG-GPT (Kim et al., 2023): segments the sentence, retrieves the relations of each "
        "segment, and infers the answer or the verdict. Verifies claims, too.",
    ),
    "dialogue": MethodKind(
        "kgdb.lab.dialogue.dialogue_method:Dialogue",
        "kgdb.lab.dialogue.dialogue_options:Options",
        "For what tells before it asks (I have a cough and a fever …): the entities that most of "
        "the mentions agree on, and what the graph says of the best.",
        agreement=True,
    ),
    "mindmap": MethodKind(
        "kgdb.lab.baselines.mindmap:MindMap",
        "kgdb.lab.baselines.mindmap:MindMapOptions",
        "MindMap (Wen et al., 2024): puts paths and neighbours of the entities into words, and "
        "answers with reasons.",
    ),
    "tog": MethodKind(
        "kgdb.lab.baselines.tog:ToG",
        "kgdb.lab.baselines.tog:ToGOptions",
        "Think-on-Graph (Sun et al., 2024): the language model walks the graph by beam search.",
    ),
    "llm": MethodKind(
        "kgdb.lab.baselines.alone:LanguageModelAlone",
        "kgdb.lab.baselines.alone:AloneOptions",
        "The language model alone, in one call.",
    ),
    "cot": MethodKind(
        "kgdb.lab.baselines.alone:ChainOfThought",
        "kgdb.lab.baselines.alone:AloneOptions",
        "The language model alone, after thinking step by step: two calls.",
    ),
    "bm25": MethodKind(
        "kgdb.lab.baselines.fact_retrieval:Bm25",
        "kgdb.lab.baselines.fact_retrieval:Bm25Options",
        "Single facts that share words with the question (BM25; needs the extra lab).",
    ),
    "embedding": MethodKind(
        "kgdb.lab.baselines.fact_retrieval:Embedding",
        "kgdb.lab.baselines.fact_retrieval:EmbeddingOptions",
        "Single facts that are similar in meaning to the question (by the encoder).",
    ),
}
