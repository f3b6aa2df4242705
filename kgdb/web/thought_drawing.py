"""The graph of thought of an answer, from the trace that GoT-R keeps: what was looked for, and as
what it was found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.drawing import Drawing, draw
from kgdb.presentation import last_thought
from kgdb.values import Entity, Path, Stage, Step


@dataclass(frozen=True, slots=True)
class ThoughtEdge:
    """An edge of the thought. ``found``: for each relation it was found as, how many facts, and
    some of them as paths.
    """

    path: Path
    found: tuple[tuple[str, int, tuple[Path, ...]], ...]


@dataclass(frozen=True, slots=True)
class ThoughtShown:
    """A thought, drawn and listed."""

    drawing: Drawing | None
    edges: tuple[ThoughtEdge, ...]


def shown_thought(trace: Sequence[Stage]) -> ThoughtShown | None:
    """The thought of these stages; ``None`` where they have none."""
    output = last_thought(trace)
    if output is None:
        return None
    thought = output["thought"]
    nodes = [Entity(f"node {i}", str(node["name"])) for i, node in enumerate(thought["nodes"])]
    named = {
        entity for entity, node in zip(nodes, thought["nodes"], strict=True) if node.get("entities")
    }
    edges = tuple(_edge(edge, nodes) for edge in thought["edges"])
    # Paths that begin at a node that was found by its name put it in the first column.
    paths = sorted((edge.path for edge in edges), key=lambda path: path.entities[0] not in named)
    return ThoughtShown(draw(paths, asked=named), edges)


def _edge(edge: Mapping[str, Any], nodes: Sequence[Entity]) -> ThoughtEdge:
    path = Path((nodes[edge["source"]], nodes[edge["target"]]), (Step(str(edge["type"])),))
    found = tuple(
        (str(each["relation"]), int(each["count"]), tuple(map(_fact, each["facts"])))
        for each in edge.get("found") or ()
    )
    return ThoughtEdge(path, found)


def _fact(fact: Sequence[object]) -> Path:
    head, relation, tail = map(str, fact)
    return Path((Entity(head, head), Entity(tail, tail)), (Step(relation),))
