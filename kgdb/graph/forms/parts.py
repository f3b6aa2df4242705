"""The parts of compiled forms: what is told of a node, and conditions on its values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.node_expressions import IdExpression, NameExpression
from kgdb.graph.connection.statements import Place, Statement, statement
from kgdb.graph.forms import comparing
from kgdb.graph.forms.operators import (
    Condition,
    FilterByCount,
    FindAll,
    SelectByCount,
    is_label,
)
from kgdb.graph.schema import PropertyInfo, Schema

_WHOLE = re.compile(r"-?[0-9]{1,18}")
ARROWS = {"out": ("-", "->"), "in": ("<-", "-"), "any": ("-", "-")}


@dataclass(slots=True)
class Parts:
    """Parts of one statement, whose values are its ``parameters``."""

    info: GraphInfo
    schema: Schema
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> Place:
        """The labels of the graph's nodes."""
        return self.info.places["label"]

    def parameter(self, value: Any) -> Statement:
        """A value as a parameter."""
        name = f"p{len(self.parameters)}"
        self.parameters[name] = value
        return Statement(f"${name}")

    def id(self, node: str) -> Statement:
        """The id of a node."""
        return Statement(IdExpression(self.info.id_property).over(node))

    def name(self, node: str) -> Statement:
        """The name of a node."""
        names = NameExpression(self.info.names, self.info.labels, self.info.id_property)
        return Statement(names.over(node))

    def values(self, node: str, name: str) -> Statement:
        """The values of a property of a node, as a list."""
        if not self.schema.property_info(name).relation:
            return property_values(node, name)
        return statement(
            "forms/values/relation",
            e=node,
            property=name,
            label=self.label,
            name=self.info.places["name"],
        )

    def facts(self, node: str, name: str) -> Statement:
        """The values of a property as facts."""
        return statement(
            "forms/property_facts",
            values=self.values(node, name),
            id=self.id(node),
            name=self.name(node),
            property=self.parameter(name),
        )

    def fact(self) -> Statement:
        """A relationship ``r`` as a fact."""
        return statement(
            "forms/fact",
            head_id=self.id("startNode(r)"),
            tail_id=self.id("endNode(r)"),
            head_name=self.name("startNode(r)"),
            tail_name=self.name("endNode(r)"),
        )

    def count_ends(self, node: str, counted: FilterByCount | SelectByCount) -> Statement:
        """How many entities are at the other end of a relation, or relationships lead there.

        They are among ``ends`` where more than a label restricts them.
        """
        left, right = ARROWS[counted.direction]
        name = "count_relationships" if counted.relationships else "count_ends"
        to = counted.to
        of = and_label(to.label) if isinstance(to, FindAll) and to.label else Statement("")
        return statement(
            f"forms/{name}",
            **{"from": node},
            left=Statement(left),
            right=Statement(right),
            relation=counted.relation,
            label=self.label,
            of=of,
            restricted=Statement("true" if is_label(to) else "other IN ends"),
        )

    def count_fact(self, node: str, relation: str, count: Statement) -> Statement:
        """That number as a fact."""
        return statement(
            "forms/count_fact",
            id=self.id(node),
            name=self.name(node),
            relation=self.parameter(f"number of {relation}"),
            count=count,
        )

    def test(self, values: Statement, info: PropertyInfo, condition: Condition) -> Statement:
        """Whether one of the values fulfils the condition."""
        kind = comparing.key_kind(info.type, info.name, condition.value)
        if condition.op in ("contains", "starts with"):
            kind = "text"
        limits = comparing.bounds(kind, condition.value, info.name)
        low, high = self.parameter(limits.low), self.parameter(limits.high)
        if kind == "text":  # one program decides what is lower case
            low, high = (statement("forms/lower", text=bound) for bound in (low, high))
        test = statement(
            f"forms/compare/{comparing.COMPARES[condition.op]}",
            key=comparing.key(kind),
            low=low,
            high=high,
        )
        return statement("forms/any", values=values, test=test)

    def number_test(self, number: Statement, op: str, value: int) -> Statement:
        """Whether a number is as large as it is to be."""
        bound = self.parameter(value)
        return statement(
            f"forms/compare/{comparing.COMPARES[op]}", key=number, low=bound, high=bound
        )


def sought_ids(ids: Sequence[str]) -> list[str | int]:
    """Ids as a graph may hold them: an adopted one may have whole numbers."""
    return [*ids, *(int(one) for one in ids if _WHOLE.fullmatch(one))]


def property_of(node: str, name: str) -> Statement:
    """A property of a node."""
    return statement("forms/property", e=node, property=name)


def property_values(node: str, name: str) -> Statement:
    """The values of a property of a node or relationship, as a list."""
    return statement("forms/values/property", e=node, property=name)


def and_label(label: str) -> Statement:
    """One more label in a pattern."""
    return statement("forms/and_label", of=label)


def names(letter: str, numbers: Sequence[int]) -> Statement:
    """Variables, numbered."""
    return Statement(", ".join(f"{letter}{number}" for number in numbers))
