"""The options of RoK: what its paper sets, the switches of its ablations, and what is beyond it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kgdb.errors import UsageError
from kgdb.methods.answering.slot_choice import LLM_WEIGHT, Inference
from kgdb.methods.options import check_ranges
from kgdb.methods.rok.path_ranking import Rank


@dataclass(frozen=True, slots=True)
class Options:
    """The knobs of the method.

    ``max_hops``: the paper's n, the longest path. ``main_paths``: its k. ``key_entities``: most of
    them. ``per_pair`` paths of two key entities are looked at; none goes through an entity of more
    than ``max_degree`` relationships (0: any).

    ``think``: ask for a chain of thought, which widens the key entities. ``rank``: by what paths
    are ranked, ``pagerank`` (with ``damping``), ``degree`` in the sub-graph, ``random`` (drawn with
    ``seed``) or ``none`` (as found, shortest first). ``buckets``: paths with more key entities come
    before others, whatever their rank. ``neighbors``: branch out to neighbour triples, of which
    ``per_relation`` for each entity and relation are looked at, at most ``neighbors_asked`` shown
    to the language model, and at most ``neighbors_kept`` kept.

    ``widen``: follow relation chains that read like the question ``alone`` where the question
    names one entity alone or no path joins those it names, ``always`` or ``never``. ``width``:
    chains that are followed. ``ends``: most ends of one chain.

    ``inference``: the model is to ``read`` the answers out of the evidence, as in the paper, or to
    ``choose`` what of the evidence answers the question, and then the encoder filters the
    neighbours; ``auto``: a small model chooses (:data:`kgdb.methods.answering.slot_choice.Inference`).
    ``llm_weight``: what its preference counts where it chooses.
    ``min_similarity``: the least of a chain whose ends answer, where no model reads.
    ``shown``: pieces of evidence that the language model reads. ``paths``: those kept as the proof
    of each answer. ``complete_sets``, ``fall_back`` and ``allow_unsupported`` are those of
    :func:`kgdb.methods.answering.extraction.extract_answers`.
    """

    max_hops: int = 3
    main_paths: int = 30
    key_entities: int = 10
    per_pair: int = 100
    max_degree: int = 1000
    think: bool = True
    rank: Rank = "pagerank"
    damping: float = 0.85
    seed: int = 0
    buckets: bool = True
    neighbors: bool = True
    per_relation: int = 5
    neighbors_asked: int = 60
    neighbors_kept: int = 10
    widen: Literal["alone", "always", "never"] = "alone"
    width: int = 20
    ends: int = 100
    inference: Inference = "auto"
    llm_weight: float = LLM_WEIGHT
    min_similarity: float = 0.2
    shown: int = 60
    paths: int = 3
    complete_sets: bool = True
    fall_back: bool = True
    allow_unsupported: bool = False

    def __post_init__(self) -> None:
        check_ranges(
            self,
            ("seed", 0, 2**63 - 1),
            ("max_hops", 1, 5),
            ("main_paths", 1, 1000),
            ("key_entities", 1, 50),
            ("per_pair", 1, 1000),
            ("max_degree", 0, 1_000_000_000),
            ("per_relation", 1, 1000),
            ("neighbors_asked", 1, 1000),
            ("neighbors_kept", 0, 1000),
            ("width", 1, 200),
            ("ends", 1, 10_000),
            ("shown", 1, 10_000),
            ("paths", 1, 1000),
            ("llm_weight", 0, 10),
            ("min_similarity", 0, 1),
        )
        if not 0 <= self.damping < 1:
            raise UsageError(f"damping is {self.damping}; expected 0 to less than 1.")
