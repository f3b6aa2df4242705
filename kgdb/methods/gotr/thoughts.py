"""A graph of thought as a plan: its relation paths, its patterns, and what each edge was found as.

GoT-R, section 3.4. Everything here is computed from values; nothing asks the database or a model.
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

_SHOWN = 3
"""Facts that the trace keeps of each relation that an edge was found as."""


@dataclass(frozen=True, slots=True)
class RelationPath:
    """A relation path ``[e_s, r_1, …, r_L]`` of a thought, by places.

    Each edge is told with whether the walk goes against it.
    """

    nodes: tuple[int, ...]
    edges: tuple[tuple[int, bool], ...]


@dataclass(frozen=True, slots=True)
class GroundedThought:
    """A thought with what its parts may stand for in the knowledge graph.

    ``entities`` are the candidates of its nodes, by place. ``anchors`` are the nodes that the
    search starts from; another node that has candidates is something that the language model
    believes, and the search may find something else in its place.
    """

    thought: Thought
    entities: Mapping[int, tuple[Entity, ...]]
    anchors: tuple[int, ...]
    relations: Relations

    def starts(self, place: int) -> list[str]:
        """The ids of the candidates of a node."""
        return [entity.id for entity in self.entities.get(place, ())]

    def hops(self, relation_path: RelationPath) -> list[dict[Step, float]]:
        """The relations that each hop of a walk may follow, as they are walked."""
        return [
            {
                step.back if reverse else step: similarity
                for step, similarity in self.relations[self.thought.edges[edge].type].items()
            }
            for edge, reverse in relation_path.edges
        ]


def chain_thought(topic: str, chain: Sequence[Step]) -> tuple[Thought, RelationPath]:
    """The thought that a relation chain from one entity is, and its one relation path."""
    nodes = [ThoughtNode("topic", topic, (), {"name": topic})]
    edges = []
    for place, step in enumerate(chain):
        variable = f"x{place + 1}"
        nodes.append(ThoughtNode(variable, variable, (), {}))
        source, target = (place + 1, place) if step.reverse else (place, place + 1)
        edges.append(ThoughtEdge(source, step.relation, target))
    walked = tuple((number, step.reverse) for number, step in enumerate(chain))
    return Thought(tuple(nodes), tuple(edges)), RelationPath(tuple(range(len(nodes))), walked)


def relation_paths(
    thought: Thought, anchors: Collection[int], longest: int, most: int
) -> list[RelationPath]:
    """The relation paths of a thought: from each anchor until another, or a dead end.

    An edge may be walked against its direction, for a model seldom keeps to it. At most ``most``.
    """
    around: dict[int, list[tuple[int, int, bool]]] = {}
    for number, edge in enumerate(thought.edges):
        around.setdefault(edge.source, []).append((number, edge.target, False))
        around.setdefault(edge.target, []).append((number, edge.source, True))

    def grow(relation_path: RelationPath) -> Iterator[RelationPath]:
        used = {edge for edge, _ in relation_path.edges}
        planned_paths = [
            relation_path
            for relation_path in around.get(relation_path.nodes[-1], ())
            if relation_path[0] not in used
        ]
        ended = len(relation_path.edges) >= longest or (
            relation_path.edges and relation_path.nodes[-1] in anchors
        )
        if ended or not planned_paths:
            if relation_path.edges:
                yield relation_path
            return
        for edge, node, reverse in planned_paths:
            yield from grow(
                RelationPath((*relation_path.nodes, node), (*relation_path.edges, (edge, reverse)))
            )

    found: list[RelationPath] = []
    for anchor in anchors:
        for relation_path in grow(RelationPath((anchor,), ())):
            if len(found) == most:
                return found
            found.append(relation_path)
    return found


def single_edges(thought: Thought, entities: Collection[int]) -> list[RelationPath]:
    """The fixed paths ``[e_s, r_1]``: every edge, from each of its ends that has candidates."""
    found = []
    for number, edge in enumerate(thought.edges):
        if edge.source in entities:
            found.append(RelationPath((edge.source, edge.target), ((number, False),)))
        if edge.target in entities and edge.target != edge.source:
            found.append(RelationPath((edge.target, edge.source), ((number, True),)))
    return found


@dataclass(frozen=True, slots=True)
class ConnectedPattern:
    """A connected part of a thought that holds an anchor, as a pattern to find whole.

    ``edges`` are its edges' places in the thought, in the order of the pattern's.
    """

    pattern: Pattern
    edges: tuple[int, ...]


def connected_patterns(grounded: GroundedThought) -> list[ConnectedPattern]:
    """The parts of a thought that can be searched for: those tied to an anchor."""
    found = []
    for nodes in _components(grounded.thought):
        anchors = [place for place in grounded.anchors if place in nodes]
        edges = [n for n, edge in enumerate(grounded.thought.edges) if edge.source in nodes]
        if not anchors or not edges:
            continue
        order = {place: i for i, place in enumerate(sorted(nodes))}
        pattern = Thought(
            tuple(ThoughtNode(_variable(place), _variable(place), (), {}) for place in order),
            tuple(
                ThoughtEdge(order[edge.source], edge.type, order[edge.target])
                for edge in (grounded.thought.edges[n] for n in edges)
            ),
        )
        types = {edge.type for edge in pattern.edges}
        found.append(
            ConnectedPattern(
                Pattern(
                    pattern,
                    {_variable(place): grounded.starts(place) for place in anchors},
                    {type_: grounded.relations[type_] for type_ in types},
                ),
                tuple(edges),
            )
        )
    return found


def match_paths(
    match: Match, part: ConnectedPattern, planned_paths: Sequence[RelationPath]
) -> Iterator[tuple[RelationPath, Path]]:
    """An embedding of a part as paths, one for each walk through it."""
    facts = iter(match.triples)
    found = {
        place: (edge.steps, [next(facts) for _ in edge.steps])
        for place, edge in zip(part.edges, match.edges, strict=True)
    }
    for relation_path in planned_paths:
        path = _walked(match, relation_path, found)
        if path:
            yield relation_path, path


def _walked(
    match: Match,
    relation_path: RelationPath,
    found: Mapping[int, tuple[tuple[Step, ...], list[tuple[str, str, str]]]],
) -> Path | None:
    """A walk through an embedding, as far as its edges were found."""
    start = match.entities.get(_variable(relation_path.nodes[0]))
    if start is None:
        return None
    entities, steps = [start], list[Step]()
    for (edge, reverse), node in zip(relation_path.edges, relation_path.nodes[1:], strict=True):
        end = match.entities.get(_variable(node))
        if edge not in found or end is None or not found[edge][0]:
            break
        taken, facts = found[edge]
        if len(taken) > 1:
            # Both facts have the mediator; it is known by its id alone.
            first, second = ({head, tail} for head, _, tail in facts)
            between = min((first & second) - {start.id, end.id}, default="")
            entities.append(Entity(between, between))
        steps += [step.back for step in reversed(taken)] if reverse else taken
        entities.append(end)
    return Path(tuple(entities), tuple(steps)) if steps else None


def _variable(place: int) -> str:
    return f"n{place}"


def _components(thought: Thought) -> list[set[int]]:
    """The nodes of each connected part, in the order of their first nodes."""
    group = list(range(len(thought.nodes)))

    def root(place: int) -> int:
        while group[place] != place:
            place = group[place]
        return place

    for edge in thought.edges:
        first, last = sorted((root(edge.source), root(edge.target)))
        group[last] = first
    members: dict[int, set[int]] = {}
    for place in range(len(group)):
        members.setdefault(root(place), set()).add(place)
    return [members[first] for first in sorted(members)]


@dataclass(slots=True)
class EdgeMatches:
    """What the edges of a thought were found as, for the trace."""

    thought: Thought
    _facts: dict[int, dict[str, dict[Triple, None]]] = field(default_factory=dict)

    def add(self, relation_path: RelationPath, path: Path) -> None:
        """A path that was found along a walk, edge by edge."""
        if len(path.steps) != len(relation_path.edges):
            # A hop through a mediator is two steps: whose edge each is cannot be told.
            return
        for (edge, reverse), step, triple in zip(
            relation_path.edges, path.steps, path.triples, strict=True
        ):
            found = step.back if reverse else step
            self._facts.setdefault(edge, {}).setdefault(str(found), {})[triple] = None

    def found(self, edge: int) -> list[dict[str, Any]]:
        """For each relation that the edge was found as: how many facts, and the first of them."""
        return [
            {
                "relation": relation,
                "count": len(facts),
                "facts": [[f.head.name, f.relation, f.tail.name] for f in list(facts)[:_SHOWN]],
            }
            for relation, facts in self._facts.get(edge, {}).items()
        ]


def thought_to_trace(
    grounded: GroundedThought, sightings: EdgeMatches | None = None
) -> dict[str, Any]:
    """A thought as the trace keeps it: its nodes and edges, and what each stands for."""
    thought = grounded.thought
    return {
        "nodes": [
            {
                "name": node.name,
                "variable": node.variable,
                "labels": list(node.labels),
                "entities": [entity.name for entity in grounded.entities.get(place, ())],
                "anchor": place in grounded.anchors,
            }
            for place, node in enumerate(thought.nodes)
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
                "found": sightings.found(number) if sightings else [],
            }
            for number, edge in enumerate(thought.edges)
        ],
    }
