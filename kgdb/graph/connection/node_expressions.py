"""How a statement finds the id and the name of a node of one graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kgdb.graph.connection.statements import Labels, NodeExpression, quoted, quoted_text


@dataclass(frozen=True, slots=True)
class NameSource:
    """Where the nodes of a label have their names.

    The values of several ``properties`` are joined by a space: a first and a last name. Numbers are
    no names, so ``with_label`` puts the label before them: Order 10248.
    """

    label: str
    properties: tuple[str, ...]
    with_label: bool = False

    @property
    def is_one_property(self) -> bool:
        """Whether the name is the value of one property as it is."""
        return len(self.properties) == 1 and not self.with_label


@dataclass(frozen=True, slots=True)
class KeyExpression(NodeExpression):
    """The id as the database holds it; without a property that is the element id."""

    property: str | None

    def over(self, node: str) -> str:
        """The expression for a node."""
        return f"elementId({node})" if self.property is None else _value(node, self.property)


@dataclass(frozen=True, slots=True)
class IdExpression(NodeExpression):
    """The id as a text; a node without the property has its element id as id."""

    property: str | None

    def over(self, node: str) -> str:
        """The expression for a node."""
        if self.property is None:
            return f"elementId({node})"
        return f"coalesce(toString({_value(node, self.property)}), elementId({node}))"


@dataclass(frozen=True, slots=True)
class NameExpression(NodeExpression):
    """The name: the first of the sources that a node has, else its id."""

    sources: tuple[NameSource, ...]
    labels: tuple[str, ...]
    id_property: str | None

    def over(self, node: str) -> str:
        """The expression for a node."""
        names = list(self._names(node))
        if self.id_property is not None:
            names.append(f"toString({_value(node, self.id_property)})")
        if not names:
            return f"elementId({node})"
        return f"coalesce({', '.join(names)}, elementId({node}))"

    def _names(self, node: str) -> Iterable[str]:
        groups: dict[tuple[tuple[str, ...], str | None], list[str]] = {}
        for source in self.sources:
            prefix = source.label if source.with_label else None
            groups.setdefault((source.properties, prefix), []).append(source.label)
        for (properties, prefix), labels in groups.items():
            words = [] if prefix is None else [quoted_text(prefix)]
            # A value that is no text, such as a list, is no name: toString would fail.
            words += [f"toStringOrNull({_value(node, name)})" for name in properties]
            name = " + ' ' + ".join(words)
            if set(labels) == set(self.labels):
                yield name
            else:
                yield f"CASE WHEN {node}:{Labels(tuple(labels)).expression()} THEN {name} END"


def _value(node: str, name: str) -> str:
    return f"{node}.{quoted(name)}"
