"""The options of GoT-R: what its paper sets, and the switches of its ablations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from kgdb.methods.answering.slot_choice import LLM_WEIGHT, Inference
from kgdb.methods.option_declarations import (
    AllowUnsupported,
    Group,
    MaxEvidence,
    MethodOptions,
    MinSimilarity,
    PreferenceWeight,
    ProofPaths,
    Range,
)

_THOUGHT = Group("Graph of thought")
_RETRIEVAL = Group("Retrieval")
_ABLATIONS = Group("Ablations (table 4 of the paper)")
_ANSWERING = Group("Answering")


@dataclass(frozen=True, slots=True)
class Options(MethodOptions):
    """The options of the method, named as in the paper where it names them."""

    k_q: Annotated[
        int,
        Range(1, 100),
        "atomic relations of each atomic question, the paper's k_q (3 in a graph of few relations)",
        _THOUGHT,
    ] = 10
    shots: Annotated[
        int, Range(0, 100), "examples in a prompt, of those that the graph has", _THOUGHT
    ] = 8
    max_hops: Annotated[
        int, Range(1, 8), "hops of the longest relation path of a thought", _THOUGHT
    ] = 4
    entities_per_node: Annotated[
        int,
        Range(1, 100),
        "entities that a node of a thought may stand for, the paper's m",
        _THOUGHT,
    ] = 5
    relations_per_edge: Annotated[
        int,
        Range(1, 100),
        "relations that an edge of a thought may stand for, the paper's m",
        _THOUGHT,
    ] = 5
    grammar: Annotated[
        bool,
        "hold the language model to the grammar of a thought, if it supports grammars",
        _THOUGHT,
    ] = True
    repair: Annotated[bool, "let the language model correct a refused script once", _THOUGHT] = True
    also_chains: Annotated[
        bool,
        "follow relation chains of the encoder beside a thought of the language model",
        _THOUGHT,
    ] = True
    chains: Annotated[
        int,
        Range(1, 200),
        "relation chains of the encoder that are followed; the best replaces a missing thought",
        _THOUGHT,
    ] = 40
    chain_hops: Annotated[int, Range(1, 4), "hops of the longest of these chains", _THOUGHT] = 3
    l: Annotated[  # noqa: E741
        int, Range(1, 6), "hops of the longest shortest path, the paper's l", _RETRIEVAL
    ] = 3
    k1: Annotated[
        int, Range(1, 10_000), "relation paths that are kept, the paper's K1", _RETRIEVAL
    ] = 100
    k2: Annotated[
        int, Range(1, 10_000), "single triples that are kept, the paper's K2", _RETRIEVAL
    ] = 100
    k3: Annotated[
        int,
        Range(1, 10_000),
        "pieces of relation-unaware evidence that are kept, the paper's K3",
        _RETRIEVAL,
    ] = 100
    width: Annotated[
        int, Range(1, 100_000), "partial paths that the search keeps after each hop", _RETRIEVAL
    ] = 100
    match: Annotated[bool, "search for the thought as one pattern, too", _RETRIEVAL] = True
    max_neighbors: Annotated[
        int,
        Range(1, 100_000),
        "shortest paths, and facts around the entities, that are read from the graph at most",
        _RETRIEVAL,
    ] = 300
    mediators: Annotated[
        bool, "pass through mediators (Freebase), each as half a hop", _RETRIEVAL
    ] = False
    atomic_relations: Annotated[bool, "select atomic relations; false: without ARS", _ABLATIONS] = (
        True
    )
    hybrid: Annotated[
        bool, "retrieve evidence; false: answer from the thought alone, without HRR", _ABLATIONS
    ] = True
    relation_unaware: Annotated[
        bool, "retrieve without relations, too; false: without RUR", _ABLATIONS
    ] = True
    relation_aware: Annotated[
        bool, "retrieve by the relations of the thought; false: without RAR", _ABLATIONS
    ] = True
    inference: Annotated[
        Inference,
        "how a language model answers: it reads the evidence, as in the paper, or chooses the part "
        "of the evidence that answers; auto: small models choose",
        _ANSWERING,
    ] = "auto"
    llm_weight: Annotated[PreferenceWeight, _ANSWERING] = LLM_WEIGHT
    min_similarity: Annotated[MinSimilarity, _ANSWERING] = 0.2
    max_evidence: Annotated[MaxEvidence, _ANSWERING] = 400
    paths: Annotated[ProofPaths, _ANSWERING] = 3
    allow_unsupported: Annotated[AllowUnsupported, _ANSWERING] = False
