"""What the nodes of entities hold: their labels, and the values of their properties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Statement, statement
from kgdb.graph.option_values import sources
from kgdb.graph.retrieval.identified import entity_not_found
from kgdb.graph.value_types import is_vector, plain_value
from kgdb.values import Entity

LONGEST = 2_000
"""Characters of a text that are told."""

_BOOKKEEPING = frozenset({"Entity", "Literal", "Mediator"})


@dataclass(frozen=True, slots=True)
class EntityProperties:
    """An entity with the labels and the properties of its node.

    Dates and points are texts, as Cypher writes them; embeddings are left out.
    """

    entity: Entity
    labels: tuple[str, ...]
    properties: dict[str, Any]


def entity_properties(
    database: Database, info: GraphInfo, nodes: Sequence[Entity | str]
) -> list[EntityProperties]:
    """One for each of the nodes, in their order."""
    ids = sources("nodes", nodes)
    values = {"ids": list(dict.fromkeys(ids)), "longest": LONGEST}
    held = statement("schema/properties", of=Statement("e"))
    rows = database.run("entities/properties", values, properties=held, **info.places)
    hidden = _BOOKKEEPING - set(info.labels)
    hidden |= {info.label} if len(info.labels) == 1 else set()
    own = {"id", "name", "pagerank", "embedding"} if not info.adopted else {info.id_property}
    found = {}
    for row in rows:
        shown = {
            key: plain_value(value)
            for key, value in row["properties"]
            if key not in own and not key.startswith("_") and not is_vector(value, key)
        }
        labels = tuple(sorted(label for label in row["labels"] if label not in hidden))
        found[row["id"]] = EntityProperties(Entity(row["id"], row["name"]), labels, shown)
    if missing := [id_ for id_ in dict.fromkeys(ids) if id_ not in found]:
        raise entity_not_found(info, missing)
    return [found[id_] for id_ in ids]
