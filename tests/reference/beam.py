"""Paths along relations that are known by similarity only: ``kgdb.beam``."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from reference.graph import Allowed, Reference, Relation, Rows, Way, read_list


def beam(
    graph: Reference,
    nodes: Sequence[str],
    hops: Sequence[Mapping[str, float]],
    *,
    direction: str = "out",
    exclude: Sequence[str] = (),
    labels: Sequence[str] = (),
    mediators: bool = False,
    max_degree: int = 0,
    width: int = 10,
    relations_per_node: int = 0,
) -> Rows:
    """The paths that a search of that width keeps."""
    hubs: set[int] = set()
    denied = read_list(exclude, "both")

    def extended(path: Path, hop: Mapping[Relation, float], share: float) -> Iterator[Path]:
        node = path.nodes[-1]
        every = graph.ways(node, Allowed())
        present = {(way.relation, way.direction) for way in every} & set(hop)
        best = sorted(present, key=lambda s: (-hop[s], s[0], s[1] == "in"))
        chosen = best[: relations_per_node or None]
        ways = [way for way in every if (way.relation, way.direction) in chosen]
        if 0 < max_degree < len(ways):
            hubs.add(node)
            return
        for way in ways:
            if way.other in graph.view and way.edge not in path.edges:
                yield path.by(way, hop[way.relation, way.direction] * share)

    level = [Path((start,), (), (), ()) for start in graph.starts(nodes)]
    for given in hops:
        hop = read_hop(given, direction, denied)
        arrived: list[Path] = []
        for path in level:
            for once in extended(path, hop, 1):
                if not (mediators and graph.is_mediator(once.nodes[-1])):
                    arrived.append(once)
                    continue
                onwards = extended(once.half(), hop, 0.5)
                arrived += [p for p in onwards if not graph.is_mediator(p.nodes[-1])]
        arrived = [path for path in arrived if graph.has_label(path.nodes[-1], labels)]
        kept = set(ranked(graph, arrived)[:width])
        level = [path for path in arrived if path.key in kept]
    rows = []
    for key in ranked(graph, level)[:width]:
        concrete = [path for path in level if path.key == key]
        path = concrete[0]
        rows.append(
            {
                "score": path.score,
                "ids": [graph.id(n) for n in path.nodes],
                "names": [graph.name(n) for n in path.nodes],
                "relations": list(path.specs),
                "similarities": list(path.similarities),
                "count": len(concrete),
            }
        )
    return rows, graph.cut(hubs)


def read_hop(
    hop: Mapping[str, float], direction: str, denied: set[Relation]
) -> dict[Relation, float]:
    read: dict[Relation, float] = {}
    for spec, similarity in hop.items():
        if direction == "both":
            steps = [(spec, "out"), (spec, "in")]
        else:
            steps = [(spec[1:], "in") if spec.startswith("^") else (spec, "out")]
        read |= {step: similarity for step in steps if step not in denied}
    return read


@dataclass(frozen=True)
class Path:
    """A walk edge by edge, with what each of its steps counts."""

    nodes: tuple[int, ...]
    specs: tuple[str, ...]
    similarities: tuple[float, ...]
    edges: tuple[tuple[int, int, int], ...]

    def by(self, way: Way, similarity: float) -> Path:
        return Path(
            (*self.nodes, way.other),
            (*self.specs, way.spec),
            (*self.similarities, similarity),
            (*self.edges, way.edge),
        )

    def half(self) -> Path:
        *before, last = self.similarities
        return Path(self.nodes, self.specs, (*before, last / 2), self.edges)

    @property
    def score(self) -> float:
        # Added one after the other: sum() is more exact than that.
        return reduce(operator.add, self.similarities, 0.0)

    @property
    def key(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        return self.nodes, self.specs


def ranked(
    graph: Reference, paths: Sequence[Path]
) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
    scores = {path.key: path.score for path in paths}
    return sorted(scores, key=lambda k: (-scores[k], [graph.id(n) for n in k[0]], k[1]))
