"""The nodes and edges of results, and their graph in networkx."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgdb.errors import UsageError
from kgdb.graph import Match
from kgdb.graph.forms import FormResult
from kgdb.graph.retrieval.results import (
    BeamPath,
    Candidate,
    FollowedEntity,
    FoundPath,
    Neighbor,
    RankedEntity,
    Rows,
    WeightedPath,
)
from kgdb.optional_packages import optional
from kgdb.values import Answer, AnsweredEntity, Entity, Path, Step, Triple, Verdict
from kgdb.wording import short

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, slots=True)
class Node:
    """An entity; ``name`` and ``score`` are ``None`` if the result does not have them."""

    id: str
    name: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact in its stored direction; ``count`` is the number of parallel edges, if known."""

    head: str
    relation: str
    tail: str
    count: int | None = None


Results = Answer | FormResult | Verdict | Entity | Triple | Path | Sequence[Any]
"""The results that can be drawn as a graph."""


def elements(results: Results) -> Iterator[Node | Edge]:
    """Nodes and edges in the order of the results; they may be repeated."""
    match results:
        case Answer() | FormResult() | Verdict():
            yield from elements(_proofs(results))
        case Rows() | list() | tuple():
            for value in results:
                yield from elements(value)
        case Entity():
            yield Node(results.id, results.name)
        case Triple():
            yield from _triples([results])
        case Path():
            yield from _path(results)
        case FoundPath() | BeamPath() | WeightedPath():
            yield from _path(results.path)
        case FollowedEntity() | AnsweredEntity():
            yield from elements((results.entity, *results.paths))
        case RankedEntity() | Candidate():
            yield Node(results.entity.id, results.entity.name, results.score)
        case Neighbor():
            yield from _neighbor(results)
        case Match():
            yield from _match(results)
        case _:
            raise UsageError(
                f"{short(results)} has no nodes and edges; expected an answer, a "
                "verdict, entities, neighbours, triples, paths or matches."
            )


def _proofs(result: Answer | FormResult | Verdict) -> Sequence[Any]:
    if isinstance(result, Verdict):
        return result.evidence
    return (*result.entities, *result.facts)


def check_results(results: Results) -> None:
    """Raise :class:`UsageError` for values without nodes and edges."""
    for _ in elements(results):
        pass


def _path(path: Path) -> Iterator[Node | Edge]:
    for entity in path.entities:
        yield Node(entity.id, entity.name)
    yield from _triples(path.triples)


def _triples(triples: Iterable[Triple]) -> Iterator[Node | Edge]:
    for triple in triples:
        yield Node(triple.head.id, triple.head.name)
        yield Node(triple.tail.id, triple.tail.name)
        yield Edge(triple.head.id, triple.relation, triple.tail.id)


def _neighbor(neighbor: Neighbor) -> Iterator[Node | Edge]:
    yield Node(neighbor.source)
    if neighbor.via is None or neighbor.via_step is None:
        yield Node(neighbor.entity.id, neighbor.entity.name)
        yield _edge(neighbor.source, neighbor.step, neighbor.entity.id, neighbor.count)
    else:
        # The count is that of pairs of edges, through the mediator: neither edge alone has it.
        yield Node(neighbor.via)
        yield Node(neighbor.entity.id, neighbor.entity.name)
        yield _edge(neighbor.source, neighbor.step, neighbor.via)
        yield _edge(neighbor.via, neighbor.via_step, neighbor.entity.id)


def _match(match: Match) -> Iterator[Node | Edge]:
    for entity in match.entities.values():
        if entity is not None:
            yield Node(entity.id, entity.name)
    for head, relation, tail in match.triples:
        yield Node(head)
        yield Node(tail)
        yield Edge(head, relation, tail)


def _edge(start: str, step: Step, end: str, count: int | None = None) -> Edge:
    if step.reverse:
        return Edge(end, step.relation, start, count)
    return Edge(start, step.relation, end, count)


def to_networkx(results: Results) -> networkx.MultiDiGraph:
    """The results as a ``networkx.MultiDiGraph`` (extra ``networkx``).

    Nodes are entity ids with the attributes ``name`` (or the id, if the results have no name) and,
    for ranked entities, ``score``. Edges have their stored direction; their key and their attribute
    ``relation`` are the relation, and ``count`` is the number of parallel edges, if known.
    """
    network: networkx.MultiDiGraph = optional("networkx", "networkx").MultiDiGraph()
    for element in elements(results):
        if isinstance(element, Node):
            network.add_node(element.id)
            attributes = network.nodes[element.id]
            attributes["name"] = element.name or attributes.get("name", element.id)
            if element.score is not None:
                attributes["score"] = element.score
        else:
            network.add_edge(
                element.head, element.tail, key=element.relation, relation=element.relation
            )
            if element.count is not None:
                network.edges[element.head, element.tail, element.relation]["count"] = element.count
    return network
