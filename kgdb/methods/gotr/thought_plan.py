"""What GoT-R follows: the relation paths of a graph of thought, and chains beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kgdb.methods.gotr.thoughts import GroundedThought, RelationPath

PlannedPath = tuple[GroundedThought, RelationPath]
"""A relation path to follow, with the thought that it is of."""


@dataclass(slots=True)
class ThoughtAttempts:
    """The language model's attempts at a graph of thought, and what was wrong with the first ones.

    ``executed`` tells whether the database held the graph; see
    :class:`kgdb.graph.thoughts.scripts.ThoughtRun`.
    """

    scripts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    executed: bool = False

    def to_trace(self) -> dict[str, Any]:
        """The attempts as the trace keeps them; nothing where no model was asked."""
        if not self.scripts:
            return {}
        kept = {"scripts": list(self.scripts), "errors": list(self.errors)}
        return {**kept, "executed": self.executed}


@dataclass(frozen=True, slots=True)
class ThoughtPlan:
    """What was thought of a question: the language model's graph, chains of an encoder, or both.

    ``drawn`` are the relation paths of the model's graph, which ``grounded`` is then; ``attempts``
    is how the model fared at it. Of the encoder's ``chains``, best first, only one can be meant:
    ``chain_scores`` say how well each explains the question. Without a graph of the model's,
    ``grounded`` is the first of them.
    """

    grounded: GroundedThought
    by_model: bool
    attempts: ThoughtAttempts
    drawn: tuple[PlannedPath, ...] = ()
    chains: tuple[PlannedPath, ...] = ()
    chain_scores: tuple[float, ...] = ()

    @property
    def planned_paths(self) -> tuple[PlannedPath, ...]:
        """All relation paths to follow, with the thought that each is of."""
        return (*self.drawn, *self.chains)

    def to_trace(self) -> dict[str, Any]:
        """Who drew it, and how, as the trace keeps it."""
        drawn_by = "language model" if self.by_model else "encoder"
        return {"drawn_by": drawn_by, **self.attempts.to_trace()}
