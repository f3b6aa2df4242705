"""Values of properties that a text names: the countries, titles and roles of a graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Statement, joined, statement
from kgdb.graph.forms.parts import Parts, property_values, sought_ids
from kgdb.graph.schema import Schema

MOST_NODES = 200_000
"""Labels and relations with more are not searched: their values have no index."""

_TOGETHER = 25


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value of the property of a label, or of the relationships of a relation."""

    value: str
    property: str
    label: str | None
    relation: str | None = None


def labels_of(database: Database, info: GraphInfo, ids: Sequence[str]) -> dict[str, list[str]]:
    """The labels of entities, by their ids."""
    rows = database.run("forms/labels_of", {"ids": sought_ids(ids)}, **info.places)
    return {row["id"]: row["labels"] for row in rows}


def named_values(
    database: Database, info: GraphInfo, schema: Schema, texts: Sequence[str]
) -> list[NamedValue]:
    """The values among ``texts`` (in lower case) that properties with texts have."""
    builder = Parts(info, schema)
    keys: list[NamedValue] = []
    parts: list[Statement] = []
    for found in schema.properties.values():
        if found.type not in ("text", "mixed"):
            continue
        for label in found.labels:
            if label and schema.labels.get(label, 0) <= MOST_NODES:
                parts.append(
                    statement(
                        "forms/named_value",
                        label=info.places["label"],
                        of=label,
                        values=builder.values("e", found.name),
                        place=len(keys),
                    )
                )
                keys.append(NamedValue("", found.name, label))
    for relation, ends in schema.relations.items():
        if ends.count > MOST_NODES:
            continue
        for found in ends.properties:
            if found.type in ("text", "mixed"):
                parts.append(
                    statement(
                        "forms/named_qualifier",
                        label=info.places["label"],
                        relation=relation,
                        values=property_values("r", found.name),
                        place=len(keys),
                    )
                )
                keys.append(NamedValue("", found.name, None, relation))
    values: list[NamedValue] = []
    for start in range(0, len(parts), _TOGETHER):
        parameters: dict[str, Any] = {"texts": list(texts), "keys": list(range(len(keys)))}
        text = joined("UNION ALL\n", parts[start : start + _TOGETHER])
        for row in database.query(text, parameters):
            key = keys[row["key"]]
            values.append(NamedValue(row["value"], key.property, key.label, key.relation))
    return values
