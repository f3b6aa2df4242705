"""Simple paths between the nodes of a set: ``kgdb.paths.all`` and ``kgdb.paths.shortest``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import networkx as nx

from reference.graph import Allowed, Reference, Rows


def all_paths(
    graph: Reference,
    nodes: Sequence[str],
    *,
    max_hops: int = 3,
    labels: Sequence[str] = (),
    mediators: bool = False,
    max_degree: int = 0,
    per_pair: int = 100,
    limit: int = 1000,
    **followed: Any,
) -> Rows:
    """Every path of each pair."""
    search = PathSearch(graph, Allowed(**followed), labels, mediators, max_degree)
    pairs = [rows for _, rows in search.pairs(graph.starts(nodes), max_hops)]
    return search.rows(graph.starts(nodes), pairs, max_hops, per_pair, limit)


def shortest_paths(
    graph: Reference,
    nodes: Sequence[str],
    *,
    max_hops: int = 4,
    all: bool = True,
    labels: Sequence[str] = (),
    mediators: bool = False,
    max_degree: int = 0,
    per_pair: int = 100,
    limit: int = 1000,
    **followed: Any,
) -> Rows:
    """The shortest of these."""
    search = PathSearch(graph, Allowed(**followed), labels, mediators, max_degree)
    pairs = []
    for _, rows in search.pairs(graph.starts(nodes), max_hops):
        least = [row for row in rows if row[0] == rows[0][0]]
        pairs.append(least if all else least[:1])
    return search.rows(graph.starts(nodes), pairs, max_hops, per_pair, limit)


class PathSearch:
    """Simple paths between the nodes of a set, every one of them."""

    def __init__(
        self,
        graph: Reference,
        allowed: Allowed,
        labels: Sequence[str],
        mediators: bool,
        max_degree: int,
    ) -> None:
        self.graph = graph
        self.allowed = allowed
        self.mediators = mediators
        self.hubs = {n for n in graph.view if graph.is_hub(n, allowed, max_degree)}
        # One edge for each way there is, as it is gone.
        self.ways = nx.MultiDiGraph()
        self.ways.add_nodes_from(graph.view)
        for node in graph.view:
            for way in graph.inside(node, allowed):
                self.ways.add_edge(node, way.other, spec=way.spec, cost=self.cost(node, way.other))
        self.visitable = {
            n
            for n in graph.view
            if graph.has_label(n, labels) or (mediators and graph.is_mediator(n))
        }

    def cost(self, a: int, b: int) -> int:
        halves = self.mediators and (self.graph.is_mediator(a) or self.graph.is_mediator(b))
        return 1 if halves else 2

    def pairs(
        self, starts: Sequence[int], max_hops: int
    ) -> Iterator[tuple[tuple[int, int], list[tuple[Any, ...]]]]:
        """For each pair its paths in order: (cost, ids, relations, names, count)."""
        for i, source in enumerate(starts):
            for j, target in enumerate(starts):
                if i < j or (i != j and not self.allowed.symmetric):
                    yield (source, target), self.between(source, target, max_hops)

    def between(self, source: int, target: int, max_hops: int) -> list[tuple[Any, ...]]:
        inner = (self.visitable - self.hubs) | {source, target}
        ways = self.ways.subgraph(inner)
        counts: Counter[tuple[tuple[int, ...], tuple[str, ...]]] = Counter()
        longest = max_hops * 2 if self.mediators else max_hops
        for path in nx.all_simple_edge_paths(ways, source, target, cutoff=longest):
            visited = (source, *(v for _, v, _ in path))
            counts[visited, tuple(ways.edges[edge]["spec"] for edge in path)] += 1
        rows = []
        for (visited, specs), count in counts.items():
            cost = sum(map(self.cost, visited, visited[1:]))
            if cost <= 2 * max_hops:
                ids = [self.graph.id(n) for n in visited]
                names = [self.graph.name(n) for n in visited]
                rows.append((cost, ids, list(specs), names, count))
        return sorted(rows)

    def rows(
        self,
        starts: Sequence[int],
        pairs: Sequence[Sequence[tuple[Any, ...]]],
        max_hops: int,
        per_pair: int,
        limit: int,
    ) -> Rows:
        most = per_pair or math.inf
        kept = [row for rows in pairs for place, row in enumerate(rows) if place < most]
        rows = [
            {"hops": math.ceil(cost / 2), "ids": ids, "names": names, "relations": specs}
            | {"count": count}
            for cost, ids, specs, names, count in kept
        ]
        cut = self.graph.cut(
            self.hubs_told(starts, max_hops),
            perPair=any(len(rows) > most for rows in pairs),
            limit=len(rows) > limit,
        )
        return rows[:limit], cut

    def hubs_told(self, starts: Sequence[int], max_hops: int) -> set[int]:
        """Those not gone through that lie half of the way from one of the ends."""
        if len(starts) < 2:
            return set()
        told: set[int] = set()
        for ways in (self.ways, self.ways.reverse()):
            for start in starts:
                open_ways = nx.MultiDiGraph()
                open_ways.add_node(start)
                for u, v, cost in ways.edges(data="cost"):
                    if (u == start or u not in self.hubs) and v in self.visitable:
                        open_ways.add_edge(u, v, cost=cost)
                costs = nx.single_source_dijkstra_path_length(
                    open_ways, start, cutoff=max_hops, weight="cost"
                )
                told |= (set(costs) & self.hubs) - {start}
        return told
