"""Properties of relationships on their way into an export, as columns of their types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from kgdb.loading.scratch.sql_quoting import identifier, literal

COLUMN = "properties"
"""The column with all of them as one JSON object, until the files are written."""

_NUMBERS = {"BIGINT", "DOUBLE"}


class Qualifiers:
    """The properties that the relationships of an export have, and their types."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}

    def encode(self, properties: Mapping[str, Any]) -> str | None:
        """The properties of one relationship as JSON; ``None`` where it has none."""
        held = {name: _native(value) for name, value in properties.items()}
        for name, value in held.items():
            kind = _type(value)
            known = self._types.setdefault(name, kind)
            if known != kind:
                self._types[name] = "DOUBLE" if {known, kind} <= _NUMBERS else "VARCHAR"
        if not held:
            return None
        return json.dumps(held, ensure_ascii=False, default=str)

    @property
    def names(self) -> list[str]:
        """Their names."""
        return sorted(self._types)

    def select(self, taken: Sequence[str]) -> str:
        """Their columns in SQL, each after a comma; none is called as one of those ``taken``."""
        used = {name.casefold() for name in taken}
        parts = []
        for name in self.names:
            column = name
            while column.casefold() in used:
                column += "_"
            used.add(column.casefold())
            path = literal("/" + name.replace("~", "~0").replace("/", "~1"))
            value = f"({COLUMN} ->> {path})"
            if self._types[name] == "VARCHAR[]":
                value = f"""from_json(({COLUMN}::JSON) -> {path}, '["VARCHAR"]')"""
            parts.append(f", {value}::{self._types[name]} AS {identifier(column)}")
        return "".join(parts)


def _native(value: Any) -> Any:
    """A value of the driver's as one of Python's."""
    return value.to_native() if hasattr(value, "to_native") else value


_TYPES = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    date: "DATE",
    datetime: "TIMESTAMP",
    list: "VARCHAR[]",
}


def _type(value: Any) -> str:
    """Its type in the file; whatever else there is, such as a point, is a text."""
    if isinstance(value, datetime) and value.tzinfo is not None:
        return "VARCHAR"
    return _TYPES.get(type(value), "VARCHAR")
