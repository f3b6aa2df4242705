"""What retrieval finds, as JSON: steps are written ``relation`` or ``^relation``, as in answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from kgdb.graph.retrieval.results import Rows
from kgdb.values import Step


def as_json(value: Any) -> Any:
    """JSON-ready values of anything that was found."""
    if isinstance(value, Step):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: as_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(each) for each in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def rows_json(found: Rows[Any]) -> dict[str, Any]:
    """The rows of a search, and the caps that left something out."""
    return {"rows": as_json(found), "cut": list(found.cut)}
