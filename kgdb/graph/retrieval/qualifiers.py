"""The properties of relationships as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kgdb.graph.value_types import is_vector, plain_value

Qualifiers: TypeAlias = Mapping[str, Any]
"""The properties of one relationship by name; a date is a text."""

PathQualifiers: TypeAlias = tuple[tuple[Qualifiers, ...], ...]
"""For each step of a path the properties of its relationships, of up to 10 parallel ones."""


def qualifiers(properties: Mapping[str, Any]) -> Qualifiers:
    """The properties that the driver gave, sorted by name; embeddings are none."""
    return {
        name: plain_value(value)
        for name, value in sorted(properties.items())
        if not is_vector(value, name)
    }


def path_qualifiers(steps: Sequence[Sequence[Mapping[str, Any]]] | None) -> PathQualifiers:
    """Those of the steps of a path; nothing where they were not asked for."""
    return tuple(tuple(map(qualifiers, step)) for step in steps or ())
