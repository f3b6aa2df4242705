"""What a graph has: labels, properties with types and examples, relations with both ends.

Read from statistics and samples, never by a scan: the cost does not grow with the graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Place, joined, statement
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.value_types import MOSTLY, ValueType, examples, value_type

SAMPLE = 300
"""Nodes of a label, and relationships of a type, that are looked at."""

MOST_RELATIONS = 200
"""The most frequent relations of a graph with more are looked at."""

_TOGETHER = 25
_UNUSUAL = 0.05
_COLUMNS = ("heads", "tails", "literal", "tail", "properties")

_OWN = frozenset({"id", "name", "aliases", "pagerank", "embedding"})


@dataclass(frozen=True, slots=True)
class PropertyInfo:
    """A property of entities, or of the relationships of a relation.

    ``relation`` tells that it is held as a relation to literals. ``labels`` are those of the
    entities that have it, with how many of the sample.
    """

    name: str
    type: ValueType
    labels: Mapping[str, int]
    examples: tuple[Any, ...]
    relation: bool = False


@dataclass(frozen=True, slots=True)
class RelationEnds:
    """A relation with the labels at both ends, as the sample has them, and its properties.

    ``pairs`` are the labels that it joins, head and tail, with how many of the sample.
    ``value_type`` is the type of the names of its tails.
    """

    relation: str
    count: int
    heads: Mapping[str, int]
    tails: Mapping[str, int]
    properties: tuple[PropertyInfo, ...] = ()
    pairs: Mapping[tuple[str, str], int] = field(default_factory=dict)
    value_type: ValueType = "text"

    def property(self, name: str) -> PropertyInfo:
        """What is known of a property of its relationships; raises :class:`KeyError`."""
        return next(known for known in self.properties if known.name == name)

    def is_one_kind(self) -> bool:
        """Whether both ends may be of one label."""
        return bool(set(self.heads) & set(self.tails)) or not (self.heads and self.tails)


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of a graph; ``foreign_keys`` are properties left out: they repeat a relation.

    ``labels`` are those of its entities, with the number of nodes in the whole database.
    """

    labels: Mapping[str, int]
    properties: Mapping[str, PropertyInfo]
    relations: Mapping[str, RelationEnds]
    foreign_keys: tuple[str, ...] = ()

    @property
    def is_of_one_kind(self) -> bool:
        """Whether no label tells one kind of entity from another."""
        return len(self.labels) <= 1

    def property_info(self, name: str) -> PropertyInfo:
        """A property of nodes, or a relation read as one: its values are the names of its tails.

        Raises :class:`KeyError`.
        """
        if name in self.properties:
            return self.properties[name]
        ends = self.relations[name]
        return PropertyInfo(name, ends.value_type, ends.heads, (), relation=True)

    def of_label(self, label: str | None) -> list[PropertyInfo]:
        """The properties of entities with that label; all of them for ``None``."""
        return [p for p in self.properties.values() if label is None or label in p.labels]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "labels": dict(self.labels),
            "properties": [asdict(each) for each in self.properties.values()],
            "relations": [
                {**asdict(each), "pairs": [[*pair, n] for pair, n in each.pairs.items()]}
                for each in self.relations.values()
            ],
            "foreign_keys": list(self.foreign_keys),
        }


def read_schema(
    database: Database, info: GraphInfo, relations: Mapping[str, RelationInfo]
) -> Schema:
    """Sample the graph."""
    hidden = {"Entity", "Literal", "Mediator"}
    hidden |= {info.label} if len(info.labels) == 1 else set()
    labels = _labels(database, info, hidden)
    if not labels:  # all are of one kind, which goes by the label of the graph
        hidden.discard(info.label)
        labels = {info.label: info.entities}
    own = _OWN if not info.adopted else frozenset()
    own |= {info.id_property or ""}
    named = info.name_properties
    nodes: dict[str, list[Mapping[str, Any]]] = {}
    for label in labels:
        rows = database.run("schema/nodes", {"sample": SAMPLE}, of=label, **_label(info))
        # What a node is called is no property of it: it is the node that is found by that.
        left_out = own | {named.get(label, named.get(info.label, ""))}
        nodes[label] = [_without(row["properties"], left_out) for row in rows]
    properties = _node_properties(nodes)
    frequent = sorted(relations.values(), key=lambda r: (-r.count, r.id))[:MOST_RELATIONS]
    sampled = _relations(database, info, [relation.id for relation in frequent])
    shown: dict[str, RelationEnds] = {}
    for relation in relations.values():  # a form may name those that are not looked at, too
        sample = _Sample(relation.id, sampled.get(relation.id, []), hidden)
        shown[relation.id] = sample.ends(relation.count)
        if sample.is_of_values and relation.id not in properties:
            properties[relation.id] = sample.as_property()
    keys = _foreign_keys(properties, shown, labels)
    return Schema(
        labels, {k: p for k, p in properties.items() if k not in keys}, shown, tuple(sorted(keys))
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    """Some relationships of a relation; ``hidden`` are labels that tell nothing."""

    relation: str
    rows: Sequence[Mapping[str, Any]]
    hidden: set[str]

    def ends(self, count: int) -> RelationEnds:
        """The relation as the sample has it."""
        pairs = Counter(
            pair
            for row in self.rows
            for pair in product(self._shown(row["heads"]), self._shown(row["tails"]))
        )
        return RelationEnds(
            self.relation,
            count,
            self._labels("heads"),
            self._labels("tails"),
            tuple(_node_properties({"": [row["properties"] for row in self.rows]}).values()),
            _usual(pairs),
            value_type(self._values, self.relation),
        )

    @property
    def is_of_values(self) -> bool:
        """Whether the tails are literals, or have no label beside heads that have one."""
        if not self.rows:
            return False
        bare = sum(not self._shown(row["tails"]) for row in self.rows)
        literal = sum(bool(row["literal"]) for row in self.rows)
        most = MOSTLY * len(self.rows)
        return literal >= most or (bare >= most and bool(self._labels("heads")))

    def as_property(self) -> PropertyInfo:
        """The relation as a property of its heads."""
        heads = self._labels("heads") or {"": len(self.rows)}
        kind, shown = value_type(self._values, self.relation), examples(self._values)
        return PropertyInfo(self.relation, kind, heads, shown, relation=True)

    @property
    def _values(self) -> list[Any]:
        return [row["tail"] for row in self.rows]

    def _labels(self, end: str) -> dict[str, int]:
        return dict(Counter(label for row in self.rows for label in self._shown(row[end])))

    def _shown(self, labels: Sequence[str]) -> list[str]:
        return [label for label in labels if label not in self.hidden]


def _label(info: GraphInfo) -> dict[str, Place]:
    return {"label": info.places["label"]}


def _without(properties: Mapping[str, Any], names: Set[str]) -> dict[str, Any]:
    return {k: v for k, v in properties.items() if k not in names and not k.startswith("_")}


def _labels(database: Database, info: GraphInfo, hidden: set[str]) -> dict[str, int]:
    """The labels that its entities have beside that of the graph, with their numbers."""
    names = [
        name
        for name in database.run("labels")[0]["labels"]
        if name not in hidden and not name.startswith("_")
    ]
    found: dict[str, int] = {}
    for start in range(0, len(names), _TOGETHER):
        some = names[start : start + _TOGETHER]
        parts = [
            statement("schema/label", of=name, place=place, **_label(info))
            for place, name in enumerate(some)
        ]
        for row in database.query(joined("UNION ALL\n", parts), {"names": some}):
            if row["shared"]:
                found[row["label"]] = row["nodes"]
    return found


def _relations(
    database: Database, info: GraphInfo, relations: Sequence[str]
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for start in range(0, len(relations), _TOGETHER):
        some = relations[start : start + _TOGETHER]
        parts = [
            statement("schema/relation", relation=relation, place=place, **info.places)
            for place, relation in enumerate(some)
        ]
        values = {"sample": SAMPLE, "relations": some}
        for row in database.query(joined("UNION ALL\n", parts), values):
            rows = [dict(zip(_COLUMNS, each, strict=True)) for each in row["rows"]]
            found[row["relation"]] = rows
    return found


def _node_properties(
    nodes: Mapping[str, Sequence[Mapping[str, Any]]],
) -> dict[str, PropertyInfo]:
    values: dict[str, list[Any]] = {}
    labels: dict[str, Counter[str]] = {}
    for label, rows in nodes.items():
        for row in rows:
            for key, value in row.items():
                flat = value if isinstance(value, list) else [value]
                values.setdefault(key, []).extend(flat)
                labels.setdefault(key, Counter())[label] += 1
    return {
        key: PropertyInfo(key, value_type(each, key), dict(labels[key]), examples(each))
        for key, each in sorted(values.items())
    }


def _usual(pairs: Counter[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """The pairs without those of a few nodes with a label more: a person who is also a tag."""
    total = sum(pairs.values())
    return {pair: n for pair, n in pairs.items() if n >= _UNUSUAL * total}


def _foreign_keys(
    properties: Mapping[str, PropertyInfo],
    relations: Mapping[str, RelationEnds],
    labels: Mapping[str, int],
) -> set[str]:
    """Properties such as ``supplierID`` of a product that a relation joins to its supplier."""
    keys = set()
    for name, found in properties.items():
        stem = re.sub(r"[_ ]?(id|key|code|ref)$", "", name, flags=re.IGNORECASE)
        if stem == name:
            continue
        owner = next((label for label in labels if label.lower() == stem.lower()), None)
        if owner and any(
            owner in (both := {*ends.heads, *ends.tails}) and both & set(found.labels)
            for ends in relations.values()
        ):
            keys.add(name)
    return keys
