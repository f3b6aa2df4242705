"""The graph that a script creates, as later statements find it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from kgdb.loading.reading.graph_files.cypher_patterns import (
    NodePattern,
    Pattern,
    RelationshipPattern,
)
from kgdb.loading.reading.graph_files.cypher_tokens import CypherProblem, Expression, Token
from kgdb.loading.reading.graph_files.elements import (
    Element,
    Node,
    Relationship,
    json_properties,
)

Row = dict[str, Any]
"""The values of variables: plain ones, nodes and relationships."""

_APOC = {"UNIQUE IMPORT LABEL", "UNIQUE IMPORT ID"}
"""The label and the property by which APOC's scripts find nodes again, and which they remove."""


@dataclass(eq=False, slots=True)
class _Node:
    id: int
    labels: dict[str, None] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class _Edge:
    head: _Node
    relation: str
    tail: _Node
    properties: dict[str, Any]


class CreatedGraph:
    """Nodes and relationships in the order in which they were created."""

    def __init__(self) -> None:
        self._nodes: list[_Node] = []
        self._edges: list[_Edge] = []
        self._by_value: dict[tuple[str, str], list[_Node]] = {}
        self._between: dict[tuple[int, str | None, int], list[_Edge]] = {}

    def elements(self) -> Iterator[Element]:
        """The nodes, then the relationships; ids are numbers by the order of creation."""
        for node in self._nodes:
            labels = tuple(label for label in node.labels if label not in _APOC)
            yield Node(str(node.id), labels, tuple(json_properties(_fields(node))))
        for edge in self._edges:
            yield Relationship(
                str(edge.head.id),
                str(edge.tail.id),
                edge.relation,
                properties=tuple(json_properties(_fields(edge))),
            )

    def write(self, pattern: Pattern, row: Row, *, merge: bool) -> bool:
        """Create the pattern, and set its variables; says whether anything is new.

        With ``merge``, nothing is created if all of the pattern exists.
        """
        if merge and self._exists(pattern, row):
            return False
        before = len(self._nodes) + len(self._edges)
        head = self._node(pattern.first, row)
        for relationship, node in pattern.steps:
            tail = self._node(node, row)
            self._edge(head, relationship, tail, row)
            head = tail
        return len(self._nodes) + len(self._edges) > before

    def _exists(self, pattern: Pattern, row: Row) -> bool:
        """Whether the pattern, a node or one relationship, exists; sets its variables."""
        if len(pattern.steps) > 1:
            raise CypherProblem("MERGE: longer paths are not read", pattern.first.token.position)
        for head in self._nodes_of(pattern.first, row):
            if not pattern.steps:
                self._name(pattern.first.variable, head, row)
                return True
            relationship, node = pattern.steps[0]
            for tail in self._nodes_of(node, row):
                if edge := self._edge_between(head, relationship, tail, row):
                    self._name(pattern.first.variable, head, row)
                    self._name(relationship.variable, edge, row)
                    self._name(node.variable, tail, row)
                    return True
        return False

    def _edge_between(
        self, head: _Node, pattern: RelationshipPattern, tail: _Node, row: Row
    ) -> _Edge | None:
        """A relationship between the nodes that the pattern describes."""
        values = _evaluated(pattern.properties, row)
        keys = []
        if pattern.forward is not False:
            keys.append((head.id, pattern.relation, tail.id))
        if not pattern.forward:
            keys.append((tail.id, pattern.relation, head.id))
        found = (edge for key in keys for edge in self._between.get(key, ()))
        return next((edge for edge in found if _has(edge, values)), None)

    def match(self, pattern: NodePattern, row: Row) -> Iterator[Row]:
        """The row with each node that the pattern describes as the value of its variable."""
        for node in self._nodes_of(pattern, row):
            found = dict(row)
            self._name(pattern.variable, node, found)
            yield found

    def add_labels(self, node: Any, labels: Iterable[str], token: Token) -> None:
        """Add labels to the value of a variable, which must be a node."""
        if not isinstance(node, _Node):
            raise CypherProblem(f"{token.text} is no node", token.position)
        node.labels.update(dict.fromkeys(labels))

    def set_properties(self, owner: Any, values: Any, token: Token) -> None:
        """Set properties of the value of a variable, which must be a node or a relationship."""
        if not isinstance(owner, _Node | _Edge) or not isinstance(values, Mapping):
            raise CypherProblem(f"the properties of {token.text} cannot be set", token.position)
        owner.properties.update(values)
        if isinstance(owner, _Node):
            self._index(owner, values)

    def _node(self, pattern: NodePattern, row: Row) -> _Node:
        """The node of the variable, or a new one."""
        known = row.get(pattern.variable) if pattern.variable else None
        if isinstance(known, _Node):
            return known
        values = _evaluated(pattern.properties, row)
        node = _Node(len(self._nodes), dict.fromkeys(pattern.labels), values)
        self._nodes.append(node)
        self._index(node, values)
        self._name(pattern.variable, node, row)
        return node

    def _edge(self, head: _Node, pattern: RelationshipPattern, tail: _Node, row: Row) -> None:
        if pattern.relation is None:
            raise CypherProblem("the relationship has no type", pattern.token.position)
        if pattern.forward is False:
            head, tail = tail, head
        values = _evaluated(pattern.properties, row)
        edge = _Edge(head, pattern.relation, tail, values)  # the database gives it a direction
        self._edges.append(edge)
        self._between.setdefault((head.id, pattern.relation, tail.id), []).append(edge)
        self._name(pattern.variable, edge, row)

    def _nodes_of(self, pattern: NodePattern, row: Row) -> Iterator[_Node]:
        """The nodes that the pattern of a node describes."""
        known = row.get(pattern.variable) if pattern.variable else None
        if isinstance(known, _Node):
            yield known
            return
        values = _evaluated(pattern.properties, row)
        key = next(iter(values), None)
        nodes = self._nodes if key is None else self._by_value.get(_entry(key, values[key]), [])
        for node in nodes:
            if node.labels.keys() >= set(pattern.labels) and _has(node, values):
                yield node

    def _index(self, node: _Node, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            self._by_value.setdefault(_entry(key, value), []).append(node)

    @staticmethod
    def _name(variable: str | None, value: _Node | _Edge, row: Row) -> None:
        if variable:
            row[variable] = value


def _evaluated(properties: Expression | None, row: Row) -> dict[str, Any]:
    return dict(properties(row)) if properties else {}


def _has(owner: _Node | _Edge, values: Mapping[str, Any]) -> bool:
    return all(owner.properties.get(key) == value for key, value in values.items())


def _entry(key: str, value: Any) -> tuple[str, str]:
    return key, json.dumps(value, default=str)


def _fields(owner: _Node | _Edge) -> Iterator[tuple[str, Any]]:
    return ((key, value) for key, value in owner.properties.items() if key not in _APOC)
