"""The plan of GoT-R: the relation paths of a graph of thought, and relation chains."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kgdb.methods.gotr.thoughts import GroundedThought, RelationPath

PlannedPath = tuple[GroundedThought, RelationPath]
"""A relation path to follow, with its thought."""


@dataclass(slots=True)
class ThoughtAttempts:
    """The language model's attempts at a graph of thought, and the errors of failed attempts.

    ``executed`` is as in :class:`kgdb.graph.thoughts.scripts.ThoughtRun`.
    """

    scripts: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    executed: bool = False

    def to_trace(self) -> dict[str, Any]:
        """The attempts as the trace keeps them; empty if there were none."""
        if not self.scripts:
            return {}
        return {
            "scripts": list(self.scripts),
            "errors": list(self.errors),
            "executed": self.executed,
        }


@dataclass(frozen=True, slots=True)
class ThoughtPlan:
    """The plan for a question: the language model's graph, chains of the encoder, or both.

    ``grounded`` is the model's graph if ``by_model``, else the thought of the first chain.
    ``drawn`` are the relation paths of the model's graph, ``attempts`` the model's attempts.
    ``chains`` are alternatives by the encoder, best first; ``chain_scores`` is how well each
    explains the question.
    """

    grounded: GroundedThought
    by_model: bool
    attempts: ThoughtAttempts
    drawn: tuple[PlannedPath, ...] = ()
    chains: tuple[PlannedPath, ...] = ()
    chain_scores: tuple[float, ...] = ()

    @property
    def planned_paths(self) -> tuple[PlannedPath, ...]:
        """All relation paths to follow, each with its thought."""
        return (*self.drawn, *self.chains)

    def to_trace(self) -> dict[str, Any]:
        """The origin of the thought and the model's attempts, as the trace keeps them."""
        drawn_by = "language model" if self.by_model else "encoder"
        return {"drawn_by": drawn_by, **self.attempts.to_trace()}
