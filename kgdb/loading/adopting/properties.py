"""The properties of the nodes with a label, from a sample of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgdb.graph import Database

SAMPLE = 1_000
"""Nodes of each label that are looked at."""

MISSING = "NULL"
_SHOWN = 200
_EXAMPLES = 200
_TEXT = "STRING NOT NULL"
_NAMES = frozenset({_TEXT, "INTEGER NOT NULL", "FLOAT NOT NULL", "BOOLEAN NOT NULL"})
_IDS = frozenset({_TEXT, "INTEGER NOT NULL"})


@dataclass(frozen=True, slots=True)
class PropertySample:
    """The values of one property in the sample of a label.

    ``nodes`` have the property and ``texts`` of them a text; ``different`` counts its values.
    ``unusable`` is a type of values that can be no name, if there are any.
    """

    nodes: int
    texts: int
    integers: int
    different: int
    longest: int
    length: float
    examples: tuple[str, ...]
    unusable: str | None


@dataclass(frozen=True, slots=True)
class LabelSample:
    """A sample of the nodes with a label."""

    label: str
    nodes: int
    properties: Mapping[str, PropertySample]


def sample_label(database: Database, label: str, nodes: int) -> LabelSample:
    """Look at the first nodes with the label, of which there are ``nodes`` in all."""
    rows = database.run(
        "adopt/properties",
        {"sample": SAMPLE, "shown": _SHOWN, "examples": _EXAMPLES},
        label=label,
    )
    by_property: dict[str, list[Mapping[str, object]]] = {}
    for row in rows:
        by_property.setdefault(row["property"], []).append(row)
    properties = {name: _property(of_name) for name, of_name in by_property.items()}
    return LabelSample(label, min(nodes, SAMPLE), properties)


def _property(rows: list[Mapping[str, object]]) -> PropertySample:
    """One property from its rows, one for each type."""
    numbers = {str(row["type"]): int(str(row["nodes"])) for row in rows}
    unusable = next((name for name in numbers if name not in _NAMES), None)
    ids = [row for row in rows if row["type"] in _IDS]
    examples: list[str] = []
    for row in ids:
        values = row["examples"]
        assert isinstance(values, list)  # noqa: S101
        examples += map(str, values)
    nodes = sum(numbers.values())
    total = sum(float(str(row["length"])) * int(str(row["nodes"])) for row in ids)
    return PropertySample(
        nodes=nodes,
        texts=numbers.get(_TEXT, 0),
        integers=numbers.get("INTEGER NOT NULL", 0),
        different=sum(int(str(row["different"])) for row in rows),
        longest=max((int(str(row["longest"] or 0)) for row in rows), default=0),
        length=total / max(1, sum(int(str(row["nodes"])) for row in ids)),
        examples=tuple(examples),
        unusable=unusable,
    )
