"""A graph of thought as a plan: its relation paths, its patterns, and the matches of its edges.

GoT-R, section 3.4. This module only computes: it never calls the database or a model.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.graph import Match, Pattern, Thought
from kgdb.graph.thoughts.scripts import ThoughtEdge, ThoughtNode
from kgdb.values import Entity, Path, Step, Triple

Relations = Mapping[str, Mapping[Step, float]]
"""For each type of a thought the relations that its edges may stand for, from source to target."""

_MAX_FACTS = 3
"""Facts that the trace keeps of each relation that matches an edge."""


@dataclass(frozen=True, slots=True)
class RelationPath:
    """A relation path ``[e_s, r_1, …, r_L]`` of a thought, by indices.

    Each edge has a flag: whether the path follows it against its direction.
    """

    nodes: tuple[int, ...]
    edges: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class GroundedThought:
    """A thought with the candidates of its parts in the knowledge graph.

    ``entities`` are the candidates of its nodes, by index. The search starts from the ``anchors``.
    Another node with candidates is the language model's belief: the search may find a different
    entity for it.
    """

    thought: Thought
    entities: Mapping[int, tuple[Entity, ...]]
    anchors: tuple[int, ...]
    relations: Relations

    def starts(self, index: int) -> list[str]:
        """The ids of the candidates of a node."""
        return [entity.id for entity in self.entities.get(index, ())]

    def hops(self, relation_path: RelationPath) -> list[dict[Step, float]]:
        """The steps that each hop of a relation path may take."""
        return [
            {
                step.back if reverse else step: similarity
                for step, similarity in self.relations[self.thought.edges[edge].type].items()
            }
            for edge, reverse in relation_path.edges
        ]


def chain_thought(topic: str, chain: Sequence[Step]) -> tuple[Thought, RelationPath]:
    """A relation chain from one entity as a thought, with its one relation path."""
    nodes = [ThoughtNode("topic", topic, (), {"name": topic})]
    edges = []
    for index, step in enumerate(chain):
        variable = f"x{index + 1}"
        nodes.append(ThoughtNode(variable, variable, (), {}))
        source, target = (index + 1, index) if step.reverse else (index, index + 1)
        edges.append(ThoughtEdge(source, step.relation, target))
    walked = tuple((number, step.reverse) for number, step in enumerate(chain))
    return Thought(tuple(nodes), tuple(edges)), RelationPath(tuple(range(len(nodes))), walked)


def relation_paths(
    thought: Thought, anchors: Collection[int], longest: int, limit: int
) -> list[RelationPath]:
    """At most ``limit`` relation paths of a thought, from each anchor to another or a dead end.

    A path may follow an edge against its direction, because models often draw it wrongly.
    """
    around: dict[int, list[tuple[int, int, bool]]] = {}
    for number, edge in enumerate(thought.edges):
        around.setdefault(edge.source, []).append((number, edge.target, False))
        around.setdefault(edge.target, []).append((number, edge.source, True))

    def grow(relation_path: RelationPath) -> Iterator[RelationPath]:
        used = {edge for edge, _ in relation_path.edges}
        continuations = [
            continuation
            for continuation in around.get(relation_path.nodes[-1], ())
            if continuation[0] not in used
        ]
        ended = len(relation_path.edges) >= longest or (
            relation_path.edges and relation_path.nodes[-1] in anchors
        )
        if ended or not continuations:
            if relation_path.edges:
                yield relation_path
            return
        for edge, node, reverse in continuations:
            yield from grow(
                RelationPath((*relation_path.nodes, node), (*relation_path.edges, (edge, reverse)))
            )

    paths: list[RelationPath] = []
    for anchor in anchors:
        for relation_path in grow(RelationPath((anchor,), ())):
            if len(paths) == limit:
                return paths
            paths.append(relation_path)
    return paths


def single_edges(thought: Thought, entities: Collection[int]) -> list[RelationPath]:
    """The fixed paths ``[e_s, r_1]``: every edge, from each of its ends with candidates."""
    paths = []
    for number, edge in enumerate(thought.edges):
        if edge.source in entities:
            paths.append(RelationPath((edge.source, edge.target), ((number, False),)))
        if edge.target in entities and edge.target != edge.source:
            paths.append(RelationPath((edge.target, edge.source), ((number, True),)))
    return paths


@dataclass(frozen=True, slots=True)
class ConnectedPattern:
    """A connected part of a thought with an anchor, as a pattern to match as a whole.

    ``edges`` are the indices of its edges in the thought, in the order of the pattern's edges.
    """

    pattern: Pattern
    edges: tuple[int, ...]


def connected_patterns(grounded: GroundedThought) -> list[ConnectedPattern]:
    """The connected parts of a thought that have an anchor and edges."""
    patterns = []
    for nodes in _components(grounded.thought):
        anchors = [index for index in grounded.anchors if index in nodes]
        edges = [n for n, edge in enumerate(grounded.thought.edges) if edge.source in nodes]
        if not anchors or not edges:
            continue
        order = {index: i for i, index in enumerate(sorted(nodes))}
        pattern = Thought(
            tuple(ThoughtNode(_variable(index), _variable(index), (), {}) for index in order),
            tuple(
                ThoughtEdge(order[edge.source], edge.type, order[edge.target])
                for edge in (grounded.thought.edges[n] for n in edges)
            ),
        )
        types = {edge.type for edge in pattern.edges}
        patterns.append(
            ConnectedPattern(
                Pattern(
                    pattern,
                    {_variable(index): grounded.starts(index) for index in anchors},
                    {type_: grounded.relations[type_] for type_ in types},
                ),
                tuple(edges),
            )
        )
    return patterns


def match_paths(
    match: Match, part: ConnectedPattern, planned_paths: Sequence[RelationPath]
) -> Iterator[tuple[RelationPath, Path]]:
    """An embedding of a part as paths, one for each relation path through it."""
    facts = iter(match.triples)
    facts_by_edge = {
        index: (edge.steps, [next(facts) for _ in edge.steps])
        for index, edge in zip(part.edges, match.edges, strict=True)
    }
    for relation_path in planned_paths:
        path = _path_along(match, relation_path, facts_by_edge)
        if path:
            yield relation_path, path


def _path_along(
    match: Match,
    relation_path: RelationPath,
    facts_by_edge: Mapping[int, tuple[tuple[Step, ...], list[tuple[str, str, str]]]],
) -> Path | None:
    """A relation path through an embedding, as far as its edges have a match."""
    start = match.entities.get(_variable(relation_path.nodes[0]))
    if start is None:
        return None
    entities, steps = [start], list[Step]()
    for (edge, reverse), node in zip(relation_path.edges, relation_path.nodes[1:], strict=True):
        end = match.entities.get(_variable(node))
        if edge not in facts_by_edge or end is None or not facts_by_edge[edge][0]:
            break
        edge_steps, facts = facts_by_edge[edge]
        if len(edge_steps) > 1:
            # Both facts have the mediator; only its id is known.
            first, second = ({head, tail} for head, _, tail in facts)
            between = min((first & second) - {start.id, end.id}, default="")
            entities.append(Entity(between, between))
        steps += [step.back for step in reversed(edge_steps)] if reverse else edge_steps
        entities.append(end)
    return Path(tuple(entities), tuple(steps)) if steps else None


def _variable(index: int) -> str:
    return f"n{index}"


def _components(thought: Thought) -> list[set[int]]:
    """The nodes of each connected part, in the order of their first nodes."""
    group = list(range(len(thought.nodes)))

    def root(index: int) -> int:
        while group[index] != index:
            index = group[index]
        return index

    for edge in thought.edges:
        first, last = sorted((root(edge.source), root(edge.target)))
        group[last] = first
    members: dict[int, set[int]] = {}
    for index in range(len(group)):
        members.setdefault(root(index), set()).add(index)
    return [members[first] for first in sorted(members)]


@dataclass(slots=True)
class EdgeMatches:
    """The facts that match the edges of a thought, for the trace."""

    thought: Thought
    _facts: dict[int, dict[str, dict[Triple, None]]] = field(default_factory=dict)

    def add(self, relation_path: RelationPath, path: Path) -> None:
        """Records the facts of a path along ``relation_path``, edge by edge."""
        if len(path.steps) != len(relation_path.edges):
            # A hop through a mediator is two steps, so the edge of each step is unknown.
            return
        for (edge, reverse), step, triple in zip(
            relation_path.edges, path.steps, path.triples, strict=True
        ):
            matches_of = step.back if reverse else step
            self._facts.setdefault(edge, {}).setdefault(str(matches_of), {})[triple] = None

    def matches_of(self, edge: int) -> list[dict[str, Any]]:
        """For each relation that matches the edge: the number of facts, and the first ones."""
        return [
            {
                "relation": relation,
                "count": len(facts),
                "facts": [[f.head.name, f.relation, f.tail.name] for f in list(facts)[:_MAX_FACTS]],
            }
            for relation, facts in self._facts.get(edge, {}).items()
        ]


def thought_to_trace(
    grounded: GroundedThought, matches: EdgeMatches | None = None
) -> dict[str, Any]:
    """A thought as the trace keeps it: its nodes and edges, with the candidates of each."""
    thought = grounded.thought
    return {
        "nodes": [
            {
                "name": node.name,
                "variable": node.variable,
                "labels": list(node.labels),
                "entities": [entity.name for entity in grounded.entities.get(index, ())],
                "anchor": index in grounded.anchors,
            }
            for index, node in enumerate(thought.nodes)
        ],
        "edges": [
            {
                "source": edge.source,
                "type": edge.type,
                "target": edge.target,
                "relations": {
                    str(step): round(similarity, 4)
                    for step, similarity in grounded.relations.get(edge.type, {}).items()
                },
                "found": matches.matches_of(number) if matches else [],
            }
            for number, edge in enumerate(thought.edges)
        ],
    }
