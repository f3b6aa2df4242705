"""The patterns of Cypher: a path of nodes and relationships between them."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.loading.reading.graph_files.cypher_tokens import Expression, Token, Tokens


@dataclass(frozen=True, slots=True)
class NodePattern:
    """A node; ``variable`` is ``None`` if it has no name."""

    variable: str | None
    labels: tuple[str, ...]
    properties: Expression | None
    token: Token


@dataclass(frozen=True, slots=True)
class RelationshipPattern:
    """A relationship; ``forward`` is ``None`` if it has no direction."""

    variable: str | None
    relation: str | None
    properties: Expression | None
    forward: bool | None
    token: Token


@dataclass(frozen=True, slots=True)
class Pattern:
    """A path: a node, and pairs of a relationship and the next node."""

    first: NodePattern
    steps: tuple[tuple[RelationshipPattern, NodePattern], ...]


def read_pattern(tokens: Tokens) -> Pattern:
    """The pattern that begins here; a name of the path is skipped."""
    if tokens.next.kind == "name" and tokens.after(1).text == "=":
        tokens.take()
        tokens.take()
    first = _node(tokens)
    steps = []
    while tokens.next.text in {"-", "<-"} and tokens.next.kind == "sign":
        steps.append((_relationship(tokens), _node(tokens)))
    return Pattern(first, tuple(steps))


def _node(tokens: Tokens) -> NodePattern:
    token = tokens.next
    tokens.expect("(")
    variable = tokens.take().text if tokens.next.kind == "name" else None
    labels = []
    while tokens.takes(":", "&"):
        labels.append(tokens.name("a label"))
    properties = tokens.map() if tokens.next.text == "{" else None
    tokens.expect(")")
    return NodePattern(variable, tuple(labels), properties, token)


def _relationship(tokens: Tokens) -> RelationshipPattern:
    token = tokens.next
    backward = tokens.take().text == "<-"
    variable = relation = properties = None
    if tokens.takes("["):
        variable = tokens.take().text if tokens.next.kind == "name" else None
        if tokens.takes(":"):
            relation = tokens.name("a type")
        properties = tokens.map() if tokens.next.text == "{" else None
        tokens.expect("]")
    forward = tokens.takes("->")
    if not forward:
        tokens.expect("-")
    direction = None if forward == backward else forward
    return RelationshipPattern(variable, relation, properties, direction, token)
