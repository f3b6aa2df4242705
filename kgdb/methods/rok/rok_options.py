"""The options of RoK: what its paper sets, the switches of its ablations, and what is beyond it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

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
from kgdb.methods.rok.path_ranking import Rank

_KEY_ENTITIES = Group("Key entities")
_MAIN_PATHS = Group("Main paths")
_NEIGHBORS = Group("Neighbours")
_CHAINS = Group("Relation chains")
_ANSWERING = Group("Answering")


@dataclass(frozen=True, slots=True)
class Options(MethodOptions):
    """The options of the method, in the order of its steps."""

    think: Annotated[
        bool, "ask for a chain of thought first, which names more key entities", _KEY_ENTITIES
    ] = True
    key_entities: Annotated[
        int, Range(1, 50), "key entities that are kept at most", _KEY_ENTITIES
    ] = 10
    max_hops: Annotated[
        int, Range(1, 5), "hops of the longest path, the paper's n", _MAIN_PATHS
    ] = 3
    per_pair: Annotated[
        int, Range(1, 1000), "paths between two key entities that are searched at most", _MAIN_PATHS
    ] = 100
    max_degree: Annotated[
        int,
        Range(0, 1_000_000_000),
        "relationships of an entity above which no path goes through it (0: no limit)",
        _MAIN_PATHS,
    ] = 1000
    main_paths: Annotated[
        int, Range(1, 1000), "main paths that are kept, the paper's k", _MAIN_PATHS
    ] = 30
    rank: Annotated[
        Rank,
        "how paths are ranked: by PageRank or degree in their sub-graph, at random, or not at all "
        "(shortest first)",
        _MAIN_PATHS,
    ] = "pagerank"
    damping: Annotated[
        float, Range(0, 1, exclusive=True), "damping factor of PageRank", _MAIN_PATHS
    ] = 0.85
    seed: Annotated[int, Range(0), "seed of the random ranks", _MAIN_PATHS] = 0
    buckets: Annotated[
        bool, "put paths with more key entities first, whatever their rank", _MAIN_PATHS
    ] = True
    neighbors: Annotated[bool, "branch out to neighbour triples", _NEIGHBORS] = True
    per_relation: Annotated[
        int, Range(1, 1000), "neighbour triples of each entity and relation at most", _NEIGHBORS
    ] = 5
    neighbors_judged: Annotated[
        int,
        Range(1, 1000),
        "neighbour triples that the language model judges at most, the most similar first",
        _NEIGHBORS,
    ] = 60
    neighbors_kept: Annotated[
        int, Range(0, 1000), "neighbour triples that are kept as evidence at most", _NEIGHBORS
    ] = 10
    widen: Annotated[
        Literal["alone", "always", "never"],
        "when relation chains similar to the question are followed; alone: if the question names "
        "one entity alone, or no path joins those it names",
        _CHAINS,
    ] = "alone"
    chains: Annotated[int, Range(1, 200), "relation chains that are followed", _CHAINS] = 20
    ends_per_chain: Annotated[
        int, Range(1, 10_000), "ends of each chain that are kept as evidence", _CHAINS
    ] = 100
    inference: Annotated[
        Inference,
        "how a language model answers: it reads the evidence, as in the paper, or chooses the part "
        "of the evidence that answers while the encoder filters the neighbours; auto: small models "
        "choose",
        _ANSWERING,
    ] = "auto"
    llm_weight: Annotated[PreferenceWeight, _ANSWERING] = LLM_WEIGHT
    min_similarity: Annotated[MinSimilarity, _ANSWERING] = 0.2
    max_evidence: Annotated[MaxEvidence, _ANSWERING] = 60
    paths: Annotated[ProofPaths, _ANSWERING] = 3
    complete_sets: Annotated[
        bool,
        "add the entities that stand at the same place of the evidence as an answer",
        _ANSWERING,
    ] = True
    fall_back: Annotated[
        bool,
        "answer by similarity if the language model's reply is invalid or names nothing of the "
        "evidence",
        _ANSWERING,
    ] = True
    allow_unsupported: Annotated[AllowUnsupported, _ANSWERING] = False
