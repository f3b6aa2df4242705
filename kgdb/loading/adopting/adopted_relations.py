"""The relations of the nodes to adopt: counted by the store and by samples, and what they mean.

Where all relationships have one type, a property may say what they mean: memories of agents keep
facts so, as ``RELATES_TO`` with the name LIVES_IN or WORKS_AT.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph import Database
from kgdb.graph.connection.statements import Labels, Statement, statement
from kgdb.graph.relation_ends import store_counts
from kgdb.graph.schema import PropertyInfo, Schema
from kgdb.wording import listed, plural

_SAMPLE = 10_000
"""Relationships of each type that are looked at; of fewer, every number is exact."""

_EXAMPLES = 3
_LABELS_KEPT = 50

_NAMES = frozenset({"name", "type", "relation", "relationship", "predicate", "label", "kind"})
_TYPE = re.compile(r"[^\W\d][A-Z0-9_]*")
"""A value that is written as relationship types are."""


@dataclass(frozen=True, slots=True)
class RelationCounts:
    """The relations between the nodes, as rows of the bookkeeping.

    ``outside`` counts the relationships that lead to other nodes.
    """

    rows: Sequence[Mapping[str, Any]]
    outside: int

    @property
    def triples(self) -> int:
        """The number of relationships of the graph."""
        return sum(row["count"] for row in self.rows)


def count_relations(database: Database, labels: Sequence[str]) -> RelationCounts:
    """The relations between nodes with the labels; refuses nodes that nothing joins."""
    types = sorted(database.run("adopt/types")[0]["types"])
    rows, outside = [], 0
    for type_ in types:
        row, beyond = _count(database, type_, labels)
        outside += beyond
        if row is not None:
            rows.append(row)
    if not rows:
        raise _nothing_joins(database, labels)
    return RelationCounts(rows, outside)


def _count(
    database: Database, type_: str, labels: Sequence[str]
) -> tuple[dict[str, Any] | None, int]:
    """The bookkeeping of one type, and how many of its relationships lead to other nodes."""
    counts = store_counts(database, type_, labels)
    heads, tails, total = _frequent(counts.heads), _frequent(counts.tails), counts.total
    beginning, ending = (min(total, sum(each.values())) for each in (counts.heads, counts.tails))
    if not heads or not tails:
        return None, min(total, beginning + ending)
    graph = Labels(tuple(labels))
    # Of a larger type most may be other graphs'.
    is_whole = total <= _SAMPLE
    place = Statement() if is_whole else statement("adopt/labelled", label=graph)
    (sample,) = database.run(
        "adopt/relation_sample", {"sample": _SAMPLE}, label=graph, type=type_, **{"from": place}
    )
    inside, every = sample["inside"], "all_" if is_whole else ""
    count = inside if is_whole else _scaled(inside, sample["sampled"], beginning)
    outside = sample["outside"] if is_whole else beginning + max(0, ending - count) - count
    if not inside:
        return None, outside
    return {
        "id": type_,
        "count": count,
        "fan_out": round(inside / sample[f"{every}heads"], 3),
        "fan_in": round(inside / sample[f"{every}tails"], 3),
        "mediator_heads": 2 * sample["mediator_heads"] >= inside,
        "mediator_tails": 2 * sample["mediator_tails"] >= inside,
        "headLabels": list(heads),
        "headCounts": list(heads.values()),
        "tailLabels": list(tails),
        "tailCounts": list(tails.values()),
    }, outside


def _frequent(counts: Mapping[str, int]) -> dict[str, int]:
    """The most frequent labels, the first one first."""
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return dict(pairs[:_LABELS_KEPT])


def _scaled(part: int, sampled: int, total: int) -> int:
    return round(part * total / sampled) if sampled else 0


def _nothing_joins(database: Database, labels: Sequence[str]) -> UsageError:
    sample = {"sample": _SAMPLE, "limit": _EXAMPLES}
    rows = database.run("adopt/outside", sample, label=Labels(tuple(labels)))
    others = [row["label"] for row in rows]
    hint = "Expected labels that both ends of the graph's relationships have."
    if others:
        options = " ".join(f"--label {label}" for label in [*labels, *others])
        hint += (
            f" Its relationships lead to nodes labelled {listed(others)}: adopt these too "
            f"({options}), or name no label to adopt all."
        )
    what = plural(len(labels), "the label", "the labels")
    return UsageError(f"No relationship joins two nodes with {what} {listed(labels)}.", hint=hint)


@dataclass(frozen=True, slots=True)
class KindProperty:
    """The property that says what a relationship means, and some of its values.

    ``statement`` is the Cypher that gives each relationship a second one of that type.
    """

    property: str
    values: tuple[str, ...]
    statement: str


def find_kinds(schema: Schema) -> dict[str, KindProperty]:
    """The relations of a schema that say in a property what they mean, and not by types as well."""
    found = {}
    for relation, ends in schema.relations.items():
        for info in ends.properties:
            if info.name.lower().removeprefix("relation_") in _NAMES and _are_types(info, schema):
                values = tuple(sorted(map(str, info.examples)))
                found[relation] = KindProperty(info.name, values, _typing(relation, info.name))
                break
    return found


def _are_types(info: PropertyInfo, schema: Schema) -> bool:
    return (
        info.type == "text"
        and len(info.examples) > 1
        and all(_TYPE.fullmatch(str(example)) for example in info.examples)
        and not any(str(example) in schema.relations for example in info.examples)
    )


def _typing(relation: str, name: str) -> str:
    """The statement in one line, so without the comment above it."""
    lines = statement("adopt/typing", relation=relation, property=name).splitlines()
    return " ".join(line for line in lines if not line.startswith("//"))
