"""One exact chain of relations: ``kgdb.follow``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from reference.graph import Allowed, Reference, Rows, Way


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
