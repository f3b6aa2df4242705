"""The properties of the relationships that state facts of a loaded graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.values import Triple

MOST = 10
"""Relationships between two entities, of one relation, whose properties are given."""

Qualifiers = Mapping[str, Any]
"""The properties of one relationship by name; a date is a text."""


def qualifiers_of(
    database: Database, info: GraphInfo, triples: Sequence[Triple]
) -> list[tuple[Qualifiers, ...]]:
    """For each fact the properties of its relationships, of up to :data:`MOST` of them.

    One round trip; none for a graph whose relationships have no properties.
    """
    found: list[tuple[Qualifiers, ...]] = [() for _ in triples]
    if not info.qualifiers or not triples:
        return found
    facts = [[triple.head.id, triple.relation, triple.tail.id] for triple in triples]
    rows = database.run("qualifiers", {"facts": facts, "most": MOST}, label=info.places["label"])
    for row in rows:
        found[row["place"]] = tuple(
            {name: _plain(value) for name, value in sorted(each.items())}
            for each in row["properties"]
            if each
        )
    return found


def _plain(value: Any) -> Any:
    """A value of the driver's as one of Python's."""
    return value.iso_format() if hasattr(value, "iso_format") else value
