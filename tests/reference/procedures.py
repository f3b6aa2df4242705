"""The retrieval procedures as docs/procedures describes them, over networkx and nothing else.

Slow and simple: every walk is gone, edge by edge. Each function takes one set of entity ids and
returns the rows as tuples, in the order of the procedure's columns without ``batch`` and ``cut``,
and the cuts.
"""

from __future__ import annotations

import math
import operator
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import networkx as nx

Rows = tuple[list[tuple[Any, ...]], list[str]]
Relation = tuple[str, str]
"""A relation's name and the direction it is followed in, ``out`` or ``in``."""


@dataclass(frozen=True)
class Way:
    """One edge as it is followed from one of its ends."""

    relation: str
    direction: str
    other: int
    edge: tuple[int, int, int]

    @property
    def spec(self) -> str:
        return self.relation if self.direction == "out" else "^" + self.relation

    def is_back_over(self, way: Way) -> bool:
        return self.edge == way.edge and self.direction != way.direction


class Reference:
    """A store as a MultiDiGraph: nodes have ``id``, ``name`` (or None) and ``labels``, edges have
    a ``relation``. The graph that is asked is made of the nodes with ``label``.
    """

    def __init__(self, store: nx.MultiDiGraph, label: str) -> None:
        self.store = store
        self.view = {n for n, labels in store.nodes(data="labels") if label in labels}
        self.by_id = {store.nodes[n]["id"]: n for n in self.view}

    def id(self, node: int) -> str:
        found: str = self.store.nodes[node]["id"]
        return found

    def name(self, node: int) -> str:
        return self.store.nodes[node]["name"] or self.id(node)

    def starts(self, ids: Sequence[str]) -> list[int]:
        return [self.by_id[id_] for id_ in dict.fromkeys(ids)]

    def is_mediator(self, node: int) -> bool:
        return "Mediator" in self.store.nodes[node]["labels"]

    def has_label(self, node: int, labels: Sequence[str]) -> bool:
        return not labels or bool(set(labels) & self.store.nodes[node]["labels"])

    def ways(self, node: int, allowed: Allowed) -> list[Way]:
        """All that may be followed from the node, also out of the graph."""
        out = self.store.out_edges(node, keys=True, data="relation")
        into = self.store.in_edges(node, keys=True, data="relation")
        found = [Way(relation, "out", v, (u, v, k)) for u, v, k, relation in out]
        found += [Way(relation, "in", u, (u, v, k)) for u, v, k, relation in into]
        return [way for way in found if allowed.allows(way)]

    def inside(self, node: int, allowed: Allowed) -> list[Way]:
        return [way for way in self.ways(node, allowed) if way.other in self.view]

    def is_hub(self, node: int, allowed: Allowed, max_degree: int) -> bool:
        return 0 < max_degree < len(self.ways(node, allowed))

    def cut(self, hubs: Iterable[int], **caps: bool) -> list[str]:
        ids = sorted({self.id(hub) for hub in hubs})
        told = [f"maxDegree: {id_}" for id_ in ids[:10]]
        if len(ids) > 10:
            told.append(f"maxDegree: and {len(ids) - 10} more")
        return told + [cap for cap, cuts in caps.items() if cuts]


class Allowed:
    """What may be followed."""

    def __init__(
        self,
        relations: Sequence[str] = (),
        exclude: Sequence[str] = (),
        direction: str | None = None,
    ) -> None:
        self.relations = read_list(relations, direction or "both")
        self.exclude = read_list(exclude, "both")
        self.any_direction = direction or "both"
        self.lists_any = not relations

    def allows(self, way: Way) -> bool:
        step = (way.relation, way.direction)
        if self.lists_any:
            listed = self.any_direction in ("both", way.direction)
        else:
            listed = step in self.relations
        return listed and step not in self.exclude

    @property
    def symmetric(self) -> bool:
        lists_both = self.any_direction == "both" if self.lists_any else is_both(self.relations)
        return lists_both and is_both(self.exclude)


def read_list(specs: Sequence[str], direction: str) -> set[Relation]:
    if any(spec.startswith("^") for spec in specs):
        return {(s[1:], "in") if s.startswith("^") else (s, "out") for s in specs}
    both = ("out", "in") if direction == "both" else (direction,)
    return {(spec, each) for spec in specs for each in both}


def is_both(steps: set[Relation]) -> bool:
    return all((name, "out" if way == "in" else "in") in steps for name, way in steps)


def neighbors(
    graph: Reference,
    nodes: Sequence[str],
    *,
    labels: Sequence[str] = (),
    mediators: bool = False,
    max_degree: int = 0,
    per_relation: int = 0,
    limit: int = 1000,
    **followed: Any,
) -> Rows:
    """source, relation, direction, id, name, count, via, viaRelation."""
    allowed = Allowed(**followed)
    hubs: set[int] = set()
    rows = []
    per_relation_cuts = False
    for source in graph.starts(nodes):
        if graph.is_hub(source, allowed, max_degree):
            hubs.add(source)
            continue
        counts: Counter[tuple[str, str, str, int, int | None]] = Counter()
        for way in graph.inside(source, allowed):
            if not (mediators and graph.is_mediator(way.other)):
                counts[way.relation, way.direction, "", way.other, None] += 1
            elif graph.is_hub(way.other, allowed, max_degree):
                hubs.add(way.other)
            else:
                for onward in graph.inside(way.other, allowed):
                    end = onward.other
                    if onward.edge != way.edge and end != source and not graph.is_mediator(end):
                        counts[way.relation, way.direction, onward.spec, end, way.other] += 1
        groups = defaultdict(list)
        for (relation, direction, via_spec, end, via), count in counts.items():
            if graph.has_label(end, labels):
                groups[relation, direction, via_spec].append((end, via, count))
        for (relation, direction, via_spec), members in sorted(groups.items()):
            described = sorted(
                (graph.name(end), graph.id(end), "" if via is None else graph.id(via), count)
                for end, via, count in members
            )
            if per_relation and len(described) > per_relation:
                per_relation_cuts = True
                described = described[:per_relation]
            rows += [
                (graph.id(source), relation, direction, id_, name, count, via or None,
                 via_spec or None)
                for name, id_, via, count in described
            ]  # fmt: skip
    cut = graph.cut(hubs, perRelation=per_relation_cuts, limit=len(rows) > limit)
    return rows[:limit], cut


def relations_around(
    graph: Reference,
    nodes: Sequence[str],
    *,
    mediators: bool = False,
    max_degree: int = 0,
    limit: int = 10_000,
    **followed: Any,
) -> Rows:
    """relation, direction, viaRelation, nodes, count."""
    allowed = Allowed(**followed)
    hubs: set[int] = set()
    counts: Counter[tuple[str, str, str]] = Counter()
    having: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
    for node in graph.starts(nodes):
        found: list[tuple[str, str, str]] = []
        if not mediators:
            found = [(way.relation, way.direction, "") for way in graph.ways(node, allowed)]
        elif graph.is_hub(node, allowed, max_degree):
            hubs.add(node)
        else:
            for way in graph.inside(node, allowed):
                if not graph.is_mediator(way.other):
                    found.append((way.relation, way.direction, ""))
                elif graph.is_hub(way.other, allowed, max_degree):
                    hubs.add(way.other)
                else:
                    found += [
                        (way.relation, way.direction, onward.spec)
                        for onward in graph.ways(way.other, allowed)
                        if not onward.is_back_over(way)
                    ]
        counts.update(found)
        for key in found:
            having[key].add(node)
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    rows = [
        (relation, direction, via or None, len(having[relation, direction, via]),
         counts[relation, direction, via])
        for relation, direction, via in ordered
    ]  # fmt: skip
    return rows[:limit], graph.cut(hubs, limit=len(rows) > limit)


def follow(
    graph: Reference,
    nodes: Sequence[str],
    relations: Sequence[str],
    *,
    labels: Sequence[str] = (),
    max_degree: int = 0,
    limit: int = 1000,
    paths: int = 5,
) -> Rows:
    """id, name, starts, count, paths, names."""
    steps = [exactly(spec) for spec in relations]
    hubs: set[int] = set()

    def onwards(node: int, step: Allowed) -> list[Way]:
        if graph.is_hub(node, step, max_degree):
            hubs.add(node)
            return []
        return [w for w in graph.inside(node, step) if graph.has_label(w.other, labels)]

    # Hubs are told wherever the chain leads, also by a walk that uses an edge twice.
    level = set(graph.starts(nodes))
    for step in steps:
        level = {way.other for node in level for way in onwards(node, step)}

    def walks(node: int, rest: Sequence[Allowed], used: frozenset[Any]) -> Iterator[list[int]]:
        if not rest:
            yield [node]
            return
        for way in onwards(node, rest[0]):
            if way.edge not in used:
                for walk in walks(way.other, rest[1:], used | {way.edge}):
                    yield [node, *walk]

    ends: defaultdict[int, list[list[int]]] = defaultdict(list)
    for start in graph.starts(nodes):
        for walk in walks(start, steps, frozenset()):
            ends[walk[-1]].append(walk)
    rows = []
    for end, found in ends.items():
        distinct = {tuple(walk) for walk in found}
        shown = sorted(distinct, key=lambda walk: [graph.id(n) for n in reversed(walk)])[:paths]
        rows.append(
            (
                graph.id(end),
                graph.name(end),
                len({walk[0] for walk in found}),
                len(found),
                [[graph.id(n) for n in walk] for walk in shown],
                [[graph.name(n) for n in walk] for walk in shown],
            )
        )
    rows.sort(key=lambda row: (-row[2], -row[3], row[1], row[0]))
    return rows[:limit], graph.cut(hubs, limit=len(rows) > limit)


def exactly(spec: str) -> Allowed:
    return Allowed([spec]) if spec.startswith("^") else Allowed([spec], direction="out")


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
    """source, target, hops, ids, names, relations, count."""
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
    """source, target, hops, ids, names, relations, count."""
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
            (ids[0], ids[-1], math.ceil(cost / 2), ids, names, specs, count)
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
    """id, name, score, ids, names, relations, similarities, count."""
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
        ids = [graph.id(n) for n in path.nodes]
        names = [graph.name(n) for n in path.nodes]
        rows.append(
            (ids[-1], names[-1], path.score, ids, names, list(path.specs),
             list(path.similarities), len(concrete))
        )  # fmt: skip
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


def pagerank(
    graph: Reference,
    nodes: Sequence[str],
    relationships: Sequence[tuple[str, str]] | None = None,
    *,
    relations: Sequence[str] = (),
    exclude: Sequence[str] = (),
    direction: str | None = None,
    damping_factor: float = 0.85,
    max_iterations: int = 20,
    tolerance: float = 1e-7,
    source_nodes: Sequence[str] | None = None,
    limit: int = 0,
) -> Rows:
    """id, name, score, iterations, converged."""
    links = nx.MultiDiGraph()
    links.add_nodes_from(graph.starts(nodes))
    if relationships is None:
        exact = any(spec.startswith("^") for spec in relations)
        allowed = Allowed(relations, exclude, direction or (None if exact else "out"))
        for node in graph.starts(nodes):
            for way in graph.ways(node, allowed):
                if way.other in links:
                    links.add_edge(node, way.other)
    else:
        for source, target in relationships:
            ends = graph.by_id[source], graph.by_id[target]
            links.add_nodes_from(ends)
            if direction != "in":
                links.add_edge(*ends)
            if direction in ("in", "both"):
                links.add_edge(*reversed(ends))
    sources = links.nodes if source_nodes is None else graph.starts(source_nodes)
    gained = {node: (1 - damping_factor) * (node in sources) for node in links}
    ranks = dict(gained)
    passing = set(links)
    iterations = 1
    converged = False
    while iterations < max_iterations and not converged:
        received = dict.fromkeys(links, 0.0)
        for source, target in links.edges():
            if source in passing:
                received[target] += gained[source] / links.out_degree(source)
        gained = {node: damping_factor * value for node, value in received.items()}
        ranks = {node: rank + gained[node] for node, rank in ranks.items()}
        passing = {node for node in links if gained[node] > tolerance}
        converged = not passing
        iterations += 1
    ordered = sorted(links, key=lambda node: (-ranks[node], graph.id(node)))
    # The last one, which found nothing left to pass on, is not counted.
    ran = iterations - converged
    rows = [(graph.id(n), graph.name(n), ranks[n], ran, converged) for n in ordered]
    return rows[: limit or None], graph.cut((), limit=0 < limit < len(rows))
