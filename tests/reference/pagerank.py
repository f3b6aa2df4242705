"""How central the nodes of a set are: ``kgdb.pagerank``."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from reference.graph import Allowed, Reference, Rows


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
    """The ranks, by power iteration."""
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
    rows = [
        {"id": graph.id(n), "name": graph.name(n), "score": ranks[n], "iterations": ran}
        | {"converged": converged}
        for n in ordered
    ]
    return rows[: limit or None], graph.cut((), limit=0 < limit < len(rows))
