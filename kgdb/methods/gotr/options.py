"""The options of GoT-R: what its paper sets, and the switches of its ablations."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.methods.answering.slot_choice import LLM_WEIGHT, Inference
from kgdb.methods.options import check_ranges


@dataclass(frozen=True, slots=True)
class Options:
    """The knobs of the method, named as in the paper where it names them.

    ``k_q``: atomic relations of each atomic question (10; 3 for graphs of few relations). ``l``:
    the longest shortest path. ``k1``, ``k2``, ``k3``: paths, single triples and relation-unaware
    pieces of evidence that are kept (100 each). ``width``: paths that the search keeps per hop.
    ``entities``: entities that a name may stand for, the paper's m, and ``relations``: relations
    that an edge may stand for. ``max_hops``: the longest relation path of a thought.

    Switches of the ablations (table 4): ``atomic_relations`` (w/o ARS), ``hybrid`` (w/o HRR: the
    thought alone is read), ``relation_unaware`` (w/o RUR), ``relation_aware`` (w/o RAR). Beyond the
    paper: ``match`` finds the thought as a whole, ``repair`` lets the model mend a refused script,
    ``grammar`` holds a model that can be held to one to what a thought is written in.

    ``chains``: relation chains that the encoder chooses, of at most ``chain_hops`` hops; they stand
    in for a language model's thought, and are followed beside it unless ``beside`` is false.
    ``neighbors``: facts around the entities that are looked at. ``shots``: examples that the model
    is shown, of those there are for the graph. ``mediators``: pass through mediators as half a hop.
    ``inference``: the model is to ``read`` the answers out of the evidence, as in the paper, or to
    ``choose`` what of the evidence answers the question; ``auto``: a small model chooses
    (:data:`kgdb.methods.answering.slot_choice.Inference`). ``llm_weight``: what its preference
    counts where it chooses. ``min_similarity``: the least of a chain whose ends answer, where no model reads.
    ``shown``: pieces of evidence that the language model reads, and ``paths``: proofs of each
    answer. ``allow_unsupported`` keeps answers that no evidence proves.
    """

    k_q: int = 10
    l: int = 3  # noqa: E741
    k1: int = 100
    k2: int = 100
    k3: int = 100
    width: int = 100
    entities: int = 5
    relations: int = 5
    max_hops: int = 4
    atomic_relations: bool = True
    hybrid: bool = True
    relation_unaware: bool = True
    relation_aware: bool = True
    match: bool = True
    repair: bool = True
    grammar: bool = True
    beside: bool = True
    chains: int = 40
    chain_hops: int = 3
    neighbors: int = 300
    shots: int = 8
    mediators: bool = False
    inference: Inference = "auto"
    llm_weight: float = LLM_WEIGHT
    min_similarity: float = 0.2
    shown: int = 400
    paths: int = 3
    allow_unsupported: bool = False

    def __post_init__(self) -> None:
        check_ranges(
            self,
            ("k_q", 1, 100),
            ("l", 1, 6),
            ("k1", 1, 10_000),
            ("k2", 1, 10_000),
            ("k3", 1, 10_000),
            ("width", 1, 100_000),
            ("entities", 1, 100),
            ("relations", 1, 100),
            ("max_hops", 1, 8),
            ("chains", 1, 200),
            ("chain_hops", 1, 4),
            ("neighbors", 1, 100_000),
            ("shots", 0, 100),
            ("shown", 1, 10_000),
            ("paths", 1, 1000),
            ("llm_weight", 0, 10),
            ("min_similarity", 0, 1),
        )
