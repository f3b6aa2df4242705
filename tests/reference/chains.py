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
    """The ends of the chain, and the chain beside each."""
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
    rows: list[dict[str, Any]] = []
    for end, found in ends.items():
        distinct = {tuple(walk) for walk in found}
        shown = sorted(distinct, key=lambda walk: [graph.id(n) for n in reversed(walk)])[:paths]
        rows.append(
            {
                "id": graph.id(end),
                "name": graph.name(end),
                "starts": len({walk[0] for walk in found}),
                "count": len(found),
                "paths": [[graph.id(n) for n in walk] for walk in shown],
                "names": [[graph.name(n) for n in walk] for walk in shown],
                "relations": list(relations),
            }
        )
    rows.sort(key=lambda row: (-row["starts"], -row["count"], row["name"], row["id"]))
    return rows[:limit], graph.cut(hubs, limit=len(rows) > limit)


def exactly(spec: str) -> Allowed:
    return Allowed([spec]) if spec.startswith("^") else Allowed([spec], direction="out")
