"""A schema as the lines of a prompt, with the values as the graph holds them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph import GraphInfo
from kgdb.graph.connection.statements import quoted, quoted_text
from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.graph.value_types import ValueType, plain_value
from kgdb.language.text.lines import one_line
from kgdb.methods.context import QuestionContext
from kgdb.methods.understanding.relevant_schema import RelevantSchema
from kgdb.values import Entity
from kgdb.wording import counted

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SAMPLED, _SHOWN = 100, 3
_TOGETHER = 15
"""Labels and relations of one sampling query: a query of very many clauses is refused."""

_MOST_PAIRS = 4
_LONGEST = 60

_TEXTS = {
    "integer": "text of a whole number, to compare by toInteger()",
    "float": "text of a number, to compare by toFloat()",
    "year": "text of a year, to compare by toInteger()",
    "date": "text of a date",
}

Samples = Mapping[tuple[str, str], Sequence[Any]]
"""Some values of each property, by the label or relation and the name of the property."""


def spelt(name: str) -> str:
    """A label, type or key as Cypher spells it."""
    return name if _PLAIN.fullmatch(name) else quoted(name)


def literal(value: object) -> str:
    """A value as Cypher writes it, shortened."""
    if isinstance(value, str):
        return quoted_text(one_line(value, _LONGEST))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value[:_SHOWN])) + "]"
    if hasattr(value, "iso_format"):
        return f"{_temporal(value)}({quoted_text(value.iso_format())})"
    return one_line(str(plain_value(value)), _LONGEST)


def _temporal(value: object) -> str:
    """The function of Cypher that makes such a value."""
    name = type(value).__name__.lower()
    if name in ("datetime", "time") and getattr(value, "tzinfo", None) is None:
        return f"local{name}"
    return name


async def sampled(ctx: QuestionContext, relevant: RelevantSchema) -> Samples:
    """Some values of each property as the graph holds them: lists, dates and texts of numbers.

    The query goes the same way as that of a model; where the database refuses it, the examples of
    the schema have to do.
    """
    wanted: list[tuple[str, str, list[str]]] = []
    for label in relevant.labels:
        keys = [info.name for info in relevant.properties[label] if not info.relation]
        keys += [key for key in _name_keys(ctx.graph.info, label) if key not in keys]
        wanted.append((label, f"(e:{spelt(label)})", keys))
    for ends in relevant.relations:
        keys = [info.name for info in ends.properties]
        wanted.append((ends.relation, f"()-[e:{spelt(ends.relation)}]->()", keys))
    wanted = [each for each in wanted if each[2]]
    found: dict[tuple[str, str], Sequence[Any]] = {}
    for start in range(0, len(wanted), _TOGETHER):
        some = wanted[start : start + _TOGETHER]
        answer = await ctx.graph.read_cypher(
            " UNION ALL ".join(
                _sampling(place, pattern, keys) for place, (_, pattern, keys) in enumerate(some)
            )
        )
        for place, values in answer.rows:
            owner, _, keys = some[place]
            found |= {(owner, key): each for key, each in zip(keys, values, strict=False)}
    return found


def _sampling(place: int, pattern: str, keys: Sequence[str]) -> str:
    values = ", ".join(f"collect(DISTINCT e.{spelt(key)})[..{_SHOWN}]" for key in keys)
    return f"MATCH {pattern} WITH e LIMIT {_SAMPLED} RETURN {place} AS place, [{values}] AS seen"


def _name_keys(info: GraphInfo, label: str) -> tuple[str, ...]:
    """The properties that the name of such a node is made of."""
    of_label = {source.label: source.properties for source in info.names}
    return of_label.get(label, of_label.get(info.label, ()))


@dataclass(frozen=True, slots=True)
class SchemaText:
    """Writes the lines of labels and relations; ``samples`` are values as the graph holds them."""

    info: GraphInfo
    schema: Schema
    samples: Samples

    def labels(self, relevant: RelevantSchema) -> list[str]:
        """A line for each label, and one for each property that is held as a relation."""
        lines = []
        related: dict[str, list[str]] = {}
        for label in relevant.labels:
            infos = relevant.properties[label]
            names = _name_keys(self.info, label)
            parts = [self._name_property(label, key) for key in names]
            parts += [
                self._property(label, i) for i in infos if not i.relation and i.name not in names
            ]
            count = self.schema.labels[label]
            lines.append(
                f"(:{spelt(label)}), {counted(count, 'node')}" + "".join(f"; {p}" for p in parts)
            )
            for info in infos:
                if info.relation:
                    related.setdefault(info.name, []).append(label)
        for name, labels in related.items():
            lines.append(self._value_relation(self.schema.properties[name], labels))
        return lines

    def relation(self, ends: RelationEnds, said: str | None = None) -> str:
        """The line of a relation: what it joins, its properties, and what it says."""
        pairs = sorted(ends.usual_pairs, key=lambda pair: -ends.pairs[pair])[:_MOST_PAIRS]
        patterns = [
            f"(:{spelt(head)})-[:{spelt(ends.relation)}]->(:{spelt(tail)})" for head, tail in pairs
        ] or [f"()-[:{spelt(ends.relation)}]->()"]
        line = f"{' or '.join(patterns)}, {counted(ends.count, 'fact')}"
        line += "".join(f"; {self._property(ends.relation, info)}" for info in ends.properties)
        means = one_line(said.replace("{}", "the start")) if said else ""
        return line + (f"; the end is {means}" if means else "")

    def _name_property(self, label: str, key: str) -> str:
        source = next((s for s in self.info.names if s.label == label), None)
        part = "its name" if source is None or source.is_one_property else "part of its name"
        return self._described(key, self.samples.get((label, key), ()), "text", part)

    def _property(self, owner: str, info: PropertyInfo) -> str:
        values = self.samples.get((owner, info.name)) or info.examples
        return self._described(info.name, values, info.type, "")

    def _described(self, name: str, values: Sequence[Any], kind: ValueType, role: str) -> str:
        shown = ", ".join(map(literal, values[:_SHOWN]))
        parts = [part for part in (role, _held_as(values, kind)) if part]
        return f"{spelt(name)}: {', '.join(parts)}" + (f", such as {shown}" if shown else "")

    def _value_relation(self, info: PropertyInfo, labels: Sequence[str]) -> str:
        heads = ":" + "|".join(map(spelt, labels)) if labels else ""
        name = _name_keys(self.info, self.info.label)[0]
        shown = ", ".join(map(literal, info.examples))
        kind = _held_as(info.examples, info.type)
        return (
            f"({heads})-[:{spelt(info.name)}]->(v), where v.{spelt(name)} is the value: {kind}"
            + (f", such as {shown}" if shown else "")
        )


def _held_as(values: Sequence[Any], kind: ValueType) -> str:
    """The type of the values as the graph holds them, with what a comparison needs."""
    if any(isinstance(value, list) for value in values):
        return "list"
    if any(isinstance(value, str) for value in values):
        years = kind == "date" and all(str(value).lstrip("-").isdigit() for value in values)
        return _TEXTS.get("year" if years else kind, "text")
    if values and all(hasattr(value, "iso_format") for value in values):
        return _temporal(values[0])
    return "integer" if kind == "date" else kind  # a year


def named_line(info: GraphInfo, entity: Entity, labels: Sequence[str]) -> str:
    """How a query finds an entity that the question names."""
    sources = {source.label: source for source in info.names}
    label = next((each for each in labels if each in sources), info.label)
    source = sources.get(label, next(iter(info.names), None))
    node = f"e:{spelt(labels[0])}" if labels else "e"
    name, id_ = quoted_text(entity.name), quoted_text(entity.id)
    if source is not None and source.is_one_property:
        return f"({node} {{{spelt(source.properties[0])}: {name}}})"
    if info.id_property is None:
        return f"({node}) WHERE elementId(e) = {id_} is {name}"
    return f"({node}) WHERE toString(e.{spelt(info.id_property)}) = {id_} is {name}"
