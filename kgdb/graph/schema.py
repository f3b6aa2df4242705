"""What a graph has: labels, properties with types and examples, relations with both ends.

Read from statistics and samples, never by a scan: the cost does not grow with the graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any, Literal

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import joined, statement
from kgdb.graph.retrieval.results import RelationInfo

SAMPLE = 300
"""Nodes of a label, and relationships of a type, that are looked at."""

MOST_RELATIONS = 200
"""The most frequent relations of a graph with more are looked at."""

_TOGETHER = 25
_EXAMPLES = 3
_MOSTLY = 0.9
_COLUMNS = ("heads", "tails", "literal", "tail", "properties")

ValueType = Literal["integer", "float", "date", "boolean", "text", "point", "mixed"]

_OWN = frozenset({"id", "name", "aliases", "pagerank", "embedding"})
_DATE = re.compile(r"-?\d{4}-\d{2}(-\d{2}([T ].*)?)?")
_YEAR = re.compile(r"-?(1\d{3}|20\d{2})")
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_BOOLEAN = re.compile(r"true|false", re.I)
_FLOAT = re.compile(r"[+-]?\d+\.\d+([eE][+-]?\d+)?")
_YEARLY = re.compile(r"year|born|birth|died|death|date|released?|founded|since|established", re.I)
_NULLS = frozenset({"", "NULL", "\\N", "N/A", "null"})


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
    hidden = {info.label, "Entity", "Literal", "Mediator"}
    labels = _labels(database, info, hidden)
    if not labels:  # all are of one kind, which goes by the label of the graph
        hidden.discard(info.label)
        labels = {info.label: info.entities}
    nodes: dict[str, list[Mapping[str, Any]]] = {}
    for label in labels:
        rows = database.run("schema/nodes", {"sample": SAMPLE}, label=info.label, of=label)
        nodes[label] = [row["properties"] for row in rows]
    frequent = sorted(relations.values(), key=lambda r: (-r.count, r.id))[:MOST_RELATIONS]
    ends = _relations(database, info, [relation.id for relation in frequent])
    own = _OWN if not info.adopted else frozenset({info.name_property})
    properties = _node_properties(nodes, own | {info.id_property})
    shown: dict[str, RelationEnds] = {}
    for relation in frequent:
        rows = ends.get(relation.id, [])
        heads = _counted(row["heads"] for row in rows)
        tails = _counted(row["tails"] for row in rows)
        literal = [row["tail"] for row in rows if row["literal"]]
        names = [row["tail"] for row in rows]
        held = literal if len(literal) >= _MOSTLY * len(rows) else names
        kind = value_type(held, relation.id)
        of_values = not set(tails) - hidden and kind in ("integer", "float", "date")
        is_value = bool(rows) and ((bool(literal) and held is literal) or of_values)
        hidden_heads = {label: n for label, n in heads.items() if label not in hidden}
        if is_value and relation.id not in properties:
            properties[relation.id] = PropertyInfo(
                relation.id, kind, hidden_heads or {"": len(rows)}, _examples(held), relation=True
            )
        shown[relation.id] = RelationEnds(
            relation.id,
            relation.count,
            hidden_heads,
            {label: n for label, n in tails.items() if label not in hidden},
            tuple(
                _node_properties({"": [row["properties"] for row in rows]}, frozenset()).values()
            ),
            dict(Counter(pair for row in rows for pair in _pairs(row, hidden))),
            kind,
        )
    for relation in relations.values():  # a form may name those that are not looked at, too
        shown.setdefault(relation.id, RelationEnds(relation.id, relation.count, {}, {}))
    keys = _foreign_keys(properties, shown, labels)
    return Schema(
        labels, {k: p for k, p in properties.items() if k not in keys}, shown, tuple(sorted(keys))
    )


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
            statement("schema/label", label=info.label, of=name, place=place)
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
            statement("schema/relation", relation=relation, label=info.label, place=place)
            for place, relation in enumerate(some)
        ]
        values = {"sample": SAMPLE, "name": info.name_property, "relations": some}
        for row in database.query(joined("UNION ALL\n", parts), values):
            rows = [dict(zip(_COLUMNS, each, strict=True)) for each in row["rows"]]
            found[row["relation"]] = rows
    return found


def _node_properties(
    nodes: Mapping[str, Sequence[Mapping[str, Any]]], left_out: frozenset[str]
) -> dict[str, PropertyInfo]:
    values: dict[str, list[Any]] = {}
    labels: dict[str, Counter[str]] = {}
    for label, rows in nodes.items():
        for row in rows:
            for key, value in row.items():
                if key in left_out or key.startswith("_"):
                    continue
                flat = value if isinstance(value, list) else [value]
                values.setdefault(key, []).extend(flat)
                labels.setdefault(key, Counter())[label] += 1
    return {
        key: PropertyInfo(key, value_type(each, key), dict(labels[key]), _examples(each))
        for key, each in sorted(values.items())
    }


def value_type(values: Sequence[Any], name: str = "") -> ValueType:
    """The type that most of the values have, whichever way they are written.

    Whole numbers from 1000 to 2099 are dates where the name of the property says so.
    """
    kinds = Counter(kind for value in values if (kind := _type_of(value)))
    total = sum(kinds.values())
    if not total:
        return "text"
    if kinds["year"] >= _MOSTLY * total and _YEARLY.search(name):
        return "date"
    if kinds["date"] + kinds["year"] >= _MOSTLY * total and kinds["date"]:
        return "date"
    kinds["integer"] += kinds.pop("year", 0)
    for kind in ("integer", "boolean", "text", "point"):
        if kinds[kind] >= _MOSTLY * total:
            return kind  # type: ignore[return-value]
    if kinds["float"] + kinds["integer"] >= _MOSTLY * total:
        return "float"
    return "mixed"


def _type_of(value: Any) -> str | None:
    if isinstance(value, str):
        found = (kind for kind, pattern in _PATTERNS if pattern.fullmatch(value))
        return None if value in _NULLS else next(found, "text")
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "year" if _YEAR.fullmatch(str(value)) else "integer"
    if isinstance(value, float):
        return "float"
    if hasattr(value, "iso_format"):
        return "date"
    return "point" if hasattr(value, "srid") else None


_PATTERNS = (
    ("date", _DATE),
    ("year", _YEAR),
    ("integer", _INTEGER),
    ("float", _FLOAT),
    ("boolean", _BOOLEAN),
)


def _examples(values: Sequence[Any]) -> tuple[Any, ...]:
    shown = (
        value.iso_format() if hasattr(value, "iso_format") else value
        for value in values
        if value not in _NULLS
    )
    return tuple(dict.fromkeys(shown))[:_EXAMPLES]


def _pairs(row: Mapping[str, Any], hidden: set[str]) -> list[tuple[str, str]]:
    heads = [label for label in row["heads"] if label not in hidden]
    tails = [label for label in row["tails"] if label not in hidden]
    return list(product(heads, tails))


def _counted(labels: Iterable[Sequence[str]]) -> dict[str, int]:
    return dict(Counter(label for each in labels for label in each))


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
