"""The graph that is asked, and what may be followed in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

Rows = tuple[list[dict[str, Any]], list[str]]
"""The rows by the procedure's columns without ``batch`` and ``cut``, and the cuts."""
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
        name: str | None = self.store.nodes[node]["name"]
        return self.id(node) if name is None else name

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

    def of_kinds_inside(self, node: int, allowed: Allowed) -> list[Way]:
        """All that may be followed, but for relations that only lead out of the graph."""
        inside = {way.spec for way in self.inside(node, allowed)}
        return [way for way in self.ways(node, allowed) if way.spec in inside]

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
