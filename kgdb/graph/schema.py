"""What a graph has: labels, properties with types and examples, relations with both ends.

Read from the counts of the store and from samples, which cost no more in a larger graph. Two things
are counted by a scan: the nodes of the graph with a label that others may have, too, by the index
of labels; and the pairs of labels that a relation joins, up to a limit
(:mod:`kgdb.graph.relation_ends`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Place, Statement, joined, statement
from kgdb.graph.relation_ends import EndCounts, Pair, count_ends
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.graph.value_types import MOSTLY, ValueType, examples, is_vector, value_type
from kgdb.result_html import schema_html

SAMPLE = 300
"""Nodes of a label, and relationships of a type, that are looked at."""

MOST_RELATIONS = 200
"""The most frequent relations of a graph with more are looked at."""

_TOGETHER = 25
_UNUSUAL = 0.05
_MOST_PAIRS = 8
_LONGEST = 200
"""Characters of a text, and numbers of a vector, that are looked at."""
_COLUMNS = ("literal", "tail", "properties")
_NO_ENDS = EndCounts({}, {}, {})

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

    @property
    def usual_labels(self) -> frozenset[str]:
        """The labels without those of a few nodes with a label more, as in ``usual_pairs``."""
        total = sum(self.labels.values())
        return frozenset(label for label, n in self.labels.items() if n >= _UNUSUAL * total)


@dataclass(frozen=True, slots=True)
class RelationEnds:
    """A relation with the labels at both ends, with their numbers of facts, and its properties.

    ``pairs`` are the labels that it joins, head and tail, with how many facts; of those in
    ``estimated`` the number comes from a sample. A node with several labels counts for each.
    ``value_type`` is the type of the names of its tails.
    """

    relation: str
    count: int
    heads: Mapping[str, int]
    tails: Mapping[str, int]
    properties: tuple[PropertyInfo, ...] = ()
    pairs: Mapping[Pair, int] = field(default_factory=dict)
    value_type: ValueType = "text"
    estimated: frozenset[Pair] = frozenset()

    @property
    def usual_pairs(self) -> dict[Pair, int]:
        """The pairs without those of a few nodes with a label more: a person who is also a tag."""
        total = sum(self.pairs.values())
        return {pair: n for pair, n in self.pairs.items() if n >= _UNUSUAL * total}

    def property(self, name: str) -> PropertyInfo:
        """What is known of a property of its relationships; raises :class:`KeyError`."""
        return next(known for known in self.properties if known.name == name)

    def is_one_kind(self) -> bool:
        """Whether both ends may be of one label."""
        return bool(set(self.heads) & set(self.tails)) or not (self.heads and self.tails)


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of a graph; ``foreign_keys`` are properties left out: they repeat a relation.

    ``vectors`` are properties left out: embeddings, of entities or of relationships.
    ``labels`` are those of its entities, with their number.
    ``synonyms`` are words that its users taught for its names.
    """

    labels: Mapping[str, int]
    properties: Mapping[str, PropertyInfo]
    relations: Mapping[str, RelationEnds]
    foreign_keys: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """Its labels, properties and relations, each once."""
        qualifiers = {p.name for ends in self.relations.values() for p in ends.properties}
        return sorted({*self.labels, *self.properties, *self.relations, *qualifiers})

    @property
    def wordings(self) -> list[str]:
        """Its names, and the words that were taught for them."""
        return [*self.names, *(word for words in self.synonyms.values() for word in words)]

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
                {
                    **asdict(each),
                    "pairs": [[*pair, n] for pair, n in each.pairs.items()],
                    "estimated": sorted(map(list, each.estimated)),
                }
                for each in self.relations.values()
            ],
            "foreign_keys": list(self.foreign_keys),
            "vectors": list(self.vectors),
            "synonyms": {name: list(words) for name, words in self.synonyms.items()},
        }

    def _repr_html_(self) -> str:
        labels = {
            label: (number, [each.name for each in self.of_label(label)])
            for label, number in self.labels.items()
        }
        relations = [
            # Years that happen to be names of films as well do not make films of years.
            (
                each.relation,
                each.count,
                [pair for pair, n in each.pairs.items() if n >= _UNUSUAL * each.count],
            )
            for each in sorted(self.relations.values(), key=lambda each: -each.count)
        ]
        return schema_html(labels, relations)


def read_schema(
    database: Database, info: GraphInfo, relations: Mapping[str, RelationInfo]
) -> Schema:
    """Sample the graph."""
    hidden = {"Entity", "Literal", "Mediator"} - ({"Entity"} & set(info.labels))
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
        values = {"sample": SAMPLE, "longest": _LONGEST}
        places = {"of": label, "properties": _properties("n"), **_label(info)}
        rows = database.run("schema/nodes", values, **places)
        # What a node is called is no property of it: it is the node that is found by that.
        left_out = own | {named.get(label, named.get(info.label, ""))}
        nodes[label] = [_without(dict(row["properties"]), left_out) for row in rows]
    vectors: set[str] = set()
    properties = _node_properties(nodes, vectors)
    frequent = sorted(relations.values(), key=lambda r: (-r.count, r.id))[:MOST_RELATIONS]
    ends = count_ends(database, info, {each.id: each.count for each in frequent}, list(labels))
    sampled = _relations(database, info, {relation: each.pairs for relation, each in ends.items()})
    shown: dict[str, RelationEnds] = {}
    for relation in relations.values():  # a form may name those that are not looked at, too
        rows, of_pairs = sampled.get(relation.id, ([], []))
        sample = _Sample(relation, ends.get(relation.id, _NO_ENDS), rows, of_pairs)
        shown[relation.id] = sample.as_relation(vectors)
        if sample.is_of_values and relation.id not in properties:
            properties[relation.id] = sample.as_property()
    keys = _foreign_keys(properties, shown, labels)
    kept = {name: info for name, info in properties.items() if name not in keys}
    schema = Schema(labels, kept, shown, tuple(sorted(keys)), tuple(sorted(vectors)))
    taught = {name: info.synonyms[name] for name in schema.names if name in info.synonyms}
    return replace(schema, synonyms=taught)


@dataclass(frozen=True, slots=True)
class _Sample:
    """A relation with what is counted of it, and some of its relationships.

    ``rows`` are any of them, ``of_pairs`` some of each pair of labels where it joins several.
    """

    relation: RelationInfo
    ends: EndCounts
    rows: Sequence[Mapping[str, Any]]
    of_pairs: Sequence[Mapping[str, Any]]

    def as_relation(self, vectors: set[str]) -> RelationEnds:
        """The relation with its ends and properties; adds those that are ``vectors``."""
        ends, rows = self.ends, [*self.rows, *self.of_pairs]
        return RelationEnds(
            self.relation.id,
            self.relation.count,
            ends.heads,
            ends.tails,
            tuple(
                _node_properties({"": [dict(row["properties"]) for row in rows]}, vectors).values()
            ),
            ends.pairs,
            value_type(self._values, self.relation.id),
            ends.estimated,
        )

    @property
    def is_of_values(self) -> bool:
        """Whether the tails are literals, or have no label beside heads that have one."""
        if not self.rows:
            return False
        count = self.relation.count
        bare = count - sum(self.ends.tails.values())
        literal = sum(bool(row["literal"]) for row in self.rows)
        return literal >= MOSTLY * len(self.rows) or (
            bare >= MOSTLY * count and bool(self.ends.heads)
        )

    def as_property(self) -> PropertyInfo:
        """The relation as a property of its heads."""
        name, heads = self.relation.id, self.ends.heads or {"": len(self.rows)}
        kind, shown = value_type(self._values, name), examples(self._values)
        return PropertyInfo(name, kind, heads, shown, relation=True)

    @property
    def _values(self) -> list[Any]:
        return [row["tail"] for row in self.rows]


def _label(info: GraphInfo) -> dict[str, Place]:
    return {"label": info.places["label"]}


def _without(properties: Mapping[str, Any], names: Set[str]) -> dict[str, Any]:
    return {k: v for k, v in properties.items() if k not in names and not k.startswith("_")}


def _labels(database: Database, info: GraphInfo, hidden: set[str]) -> dict[str, int]:
    """The labels that its entities have beside that of the graph, with their numbers."""
    names = [
        name
        for name in database.run("labels")[0]["labels"]
        if name not in hidden and (name in info.labels or not name.startswith("_"))
    ]
    found: dict[str, int] = {}
    for start in range(0, len(names), _TOGETHER):
        some = names[start : start + _TOGETHER]
        parts = [
            statement("schema/own_label", of=name, place=place)
            if name in info.labels
            else statement("schema/label", of=name, place=place, **_label(info))
            for place, name in enumerate(some)
        ]
        for row in database.query(joined("UNION ALL\n", parts), {"names": some}):
            if row["nodes"]:
                found[row["label"]] = row["nodes"]
    return found


def _relations(
    database: Database, info: GraphInfo, relations: Mapping[str, Mapping[Pair, int]]
) -> dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """Some relationships of each relation, and of each pair of labels where it joins several."""
    wanted: list[tuple[str, Pair | None]] = [(relation, None) for relation in relations]
    for relation, pairs in relations.items():
        frequent = sorted(pairs, key=lambda pair: (-pairs[pair], pair))[:_MOST_PAIRS]
        wanted += [(relation, pair) for pair in frequent if len(pairs) > 1]
    found: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]]
    found = {relation: ([], []) for relation in relations}
    for start in range(0, len(wanted), _TOGETHER):
        some = wanted[start : start + _TOGETHER]
        parts = [
            statement(
                "schema/relation",
                relation=relation,
                place=place,
                **{"from": _only(pair and pair[0]), "to": _only(pair and pair[1])},
                properties=_properties("r"),
                **info.places,
            )
            for place, (relation, pair) in enumerate(some)
        ]
        values = {"sample": SAMPLE, "longest": _LONGEST}
        for row in database.query(joined("UNION ALL\n", parts), values):
            relation, pair = some[row["place"]]
            rows = [dict(zip(_COLUMNS, each, strict=True)) for each in row["rows"]]
            found[relation][pair is not None].extend(rows)
    return found


def _properties(of: str) -> Statement:
    return statement("schema/properties", of=Statement(of))


def _only(label: str | None) -> Statement:
    return Statement() if label is None else statement("forms/and_label", of=label)


def _node_properties(
    nodes: Mapping[str, Sequence[Mapping[str, Any]]], vectors: set[str]
) -> dict[str, PropertyInfo]:
    """The properties of nodes by label; those that are embeddings are added to ``vectors``."""
    values: dict[str, list[Any]] = {}
    labels: dict[str, Counter[str]] = {}
    for label, rows in nodes.items():
        for row in rows:
            for key, value in row.items():
                if is_vector(value, key):
                    vectors.add(key)
                    continue
                flat = value if isinstance(value, list) else [value]
                values.setdefault(key, []).extend(flat)
                labels.setdefault(key, Counter())[label] += 1
    return {
        key: PropertyInfo(key, value_type(each, key), dict(labels[key]), examples(each))
        for key, each in sorted(values.items())
    }


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
