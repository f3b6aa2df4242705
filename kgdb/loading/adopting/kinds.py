"""Relations whose relationships all have one type, and say in a property what they mean.

Memories of agents keep facts so: ``RELATES_TO`` with the name LIVES_IN or WORKS_AT.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kgdb.graph.connection.statements import statement
from kgdb.graph.schema import PropertyInfo, Schema

_NAMES = frozenset({"name", "type", "relation", "relationship", "predicate", "label", "kind"})
_TYPE = re.compile(r"[^\W\d][A-Z0-9_]*")
"""A value that is written as relationship types are."""


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
