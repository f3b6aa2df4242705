"""The beam search that a client runs by itself, one query for each expansion, as GoT-R and ToG do.

It keeps the rules of ``kgdb.beam``, so that both give the same paths.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import neo4j

from kgdb.graph.connection.statements import quoted


@dataclass(frozen=True, slots=True)
class Trail:
    """A partial path: ``edges`` are (from, relation, to) along the relation, to use none twice."""

    ids: tuple[str, ...]
    relations: tuple[str, ...] = ()
    edges: tuple[tuple[str, str, str], ...] = ()
    score: float = 0.0
    count: int = 1


class ClientLoop:
    """One session's beam searches; ``queries`` counts its round trips."""

    def __init__(self, session: neo4j.Session, label: str) -> None:
        self._session = session
        self._label = quoted(label)
        self.queries = 0

    def query_for_each_relation(
        self, start: str, hops: tuple[dict[str, float], ...], width: int, per_node: int
    ) -> list[Trail]:
        """GoT-R, equations 5 to 7: ask for an entity's relations, then for each one's entities."""

        def expand(node: str, hop: dict[str, float]) -> list[tuple[str, str, int]]:
            present = [spec for spec in self._menu(node) if spec in hop]
            present.sort(key=lambda spec: (-hop[spec], spec.removeprefix("^"), spec[0] == "^"))
            chosen = present[:per_node] if per_node else present
            return [row for spec in chosen for row in self._expand(node, [spec])]

        return self._search(start, hops, width, expand)

    def query_for_each_node(
        self, start: str, hops: tuple[dict[str, float], ...], width: int
    ) -> list[Trail]:
        """With all relations of the hop in one query; it cannot choose among those present."""
        return self._search(start, hops, width, lambda node, hop: self._expand(node, list(hop)))

    def _search(
        self,
        start: str,
        hops: tuple[dict[str, float], ...],
        width: int,
        expand: Callable[[str, dict[str, float]], list[tuple[str, str, int]]],
    ) -> list[Trail]:
        trails = [Trail((start,))]
        for hop in hops:
            reached = []
            for trail in trails:
                for spec, other, parallels in expand(trail.ids[-1], hop):
                    edge = _edge(trail.ids[-1], spec, other)
                    free = parallels - trail.edges.count(edge)
                    if free > 0:
                        reached.append(
                            Trail(
                                (*trail.ids, other),
                                (*trail.relations, spec),
                                (*trail.edges, edge),
                                trail.score + hop[spec],
                                trail.count * free,
                            )
                        )
            reached.sort(key=lambda trail: (-trail.score, trail.ids, trail.relations))
            trails = reached[:width]
        return trails

    def _menu(self, node: str) -> list[str]:
        rows = self._run(
            f"MATCH (n:{self._label} {{id: $id}}) CALL (n) {{ "
            "MATCH (n)-[r]->() RETURN DISTINCT type(r) AS spec "
            "UNION MATCH (n)<-[r]-() RETURN DISTINCT '^' + type(r) AS spec } "
            "RETURN spec",
            node,
        )
        return [row["spec"] for row in rows]

    def _expand(self, node: str, specs: list[str]) -> list[tuple[str, str, int]]:
        parts = []
        for arrow, prefix, wanted in (
            ("-[r:{}]->", "", [spec for spec in specs if spec[0] != "^"]),
            ("<-[r:{}]-", "^", [spec[1:] for spec in specs if spec[0] == "^"]),
        ):
            if wanted:
                types = "|".join(quoted(name) for name in sorted(wanted))
                parts.append(
                    f"MATCH (n){arrow.format(types)}(m) "
                    f"RETURN '{prefix}' + type(r) AS spec, m, count(*) AS parallels"
                )
        rows = self._run(
            f"MATCH (n:{self._label} {{id: $id}}) CALL (n) {{ {' UNION ALL '.join(parts)} }} "
            "RETURN spec, m.id AS id, parallels",
            node,
        )
        return [(row["spec"], row["id"], row["parallels"]) for row in rows]

    def _run(self, text: str, node: str) -> list[Any]:
        self.queries += 1
        return list(self._session.run(text, id=node))


def _edge(node: str, spec: str, other: str) -> tuple[str, str, str]:
    return (other, spec[1:], node) if spec[0] == "^" else (node, spec, other)
