"""What is one hop away: ``kgdb.neighbors`` and ``kgdb.relations.around``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from reference.graph import Allowed, Reference, Rows


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
    """Everything one hop away."""
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
                {
                    "source": graph.id(source),
                    "relation": relation,
                    "direction": direction,
                    "id": id_,
                    "name": name,
                    "count": count,
                    "via": via or None,
                    "viaRelation": via_spec or None,
                }
                for name, id_, via, count in described
            ]
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
    """The distinct relations of the nodes."""
    allowed = Allowed(**followed)
    hubs: set[int] = set()
    counts: Counter[tuple[str, str, str]] = Counter()
    having: defaultdict[tuple[str, str, str], set[int]] = defaultdict(set)
    for node in graph.starts(nodes):
        found: list[tuple[str, str, str]] = []
        if not mediators:
            ways = graph.of_kinds_inside(node, allowed)
            found = [(way.relation, way.direction, "") for way in ways]
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
                        for onward in graph.of_kinds_inside(way.other, allowed)
                        if not onward.is_back_over(way)
                    ]
        counts.update(found)
        for key in found:
            having[key].add(node)
    ordered = sorted(counts, key=lambda key: (-counts[key], key))
    rows = [
        {
            "relation": relation,
            "direction": direction,
            "viaRelation": via or None,
            "nodes": len(having[relation, direction, via]),
            "count": counts[relation, direction, via],
        }
        for relation, direction, via in ordered
    ]
    return rows[:limit], graph.cut(hubs, limit=len(rows) > limit)
