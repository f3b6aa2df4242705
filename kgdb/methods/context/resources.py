"""What all questions of a run share: a graph, its models, and where things are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kgdb.graph import Graph, RelationVectors
from kgdb.language import Encoder, LanguageModel, encode_relations
from kgdb.lazy import lazy_property
from kgdb.methods.context.expert import Expert
from kgdb.methods.context.verifier_protocol import Verifier
from kgdb.values import Stage

Watch = Callable[[str, Stage], None]
"""Called with the question and each stage of it that has ended."""


@dataclass(frozen=True)
class Resources:
    """The graph and the models of a run. ``llm`` is ``None`` where there is no language model.

    ``home`` is the folder for what is worth keeping between runs, where there is one.
    ``prices`` are those of a million tokens, of prompts and of replies; ``examples`` is the folder
    of the user's own examples. ``relation_encoder`` is one that was trained to choose relations,
    ``expert`` one that was trained to judge evidence. ``untuned_llm`` loads the language model
    without its LoRA adapter; it returns ``None`` where the model has none. ``verifier`` is one that
    was trained to judge claims by their checks.
    """

    graph: Graph
    encoder: Encoder
    llm: LanguageModel | None
    watch: Watch | None = None
    home: Path | None = None
    prices: tuple[float, float] | None = None
    examples: Path | None = None
    relation_encoder: Encoder | None = None
    expert: Expert | None = None
    untuned_llm: Callable[[], LanguageModel | None] = lambda: None
    verifier: Verifier | None = None

    @lazy_property
    def relation_vectors(self) -> RelationVectors:
        """As loading stored them, where the same encoder made them; else computed once."""
        stored = self.graph.relation_vectors(self.encoder.name)
        return stored or encode_relations(tuple(self.graph.relations.values()), self.encoder)
