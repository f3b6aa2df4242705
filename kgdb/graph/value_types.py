"""Types of values, whichever way a graph holds them: typed, or as texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

ValueType = Literal["integer", "float", "date", "boolean", "text", "point", "mixed"]

MOSTLY = 0.9
"""The share of a sample that tells what the rest is."""

_EXAMPLES = 3
_DATE = re.compile(r"-?\d{4}-\d{2}(-\d{2}([T ].*)?)?")
_YEAR = re.compile(r"-?(1\d{3}|20\d{2})")
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_BOOLEAN = re.compile(r"true|false", re.I)
_FLOAT = re.compile(r"[+-]?\d+\.\d+([eE][+-]?\d+)?")
_YEARLY = re.compile(
    r"year|born|birth|died|death|date|released?|founded|since|established|built|opened|publi(?:sh|cation)|"
    r"launch|complet|construct|inaugurat|incorporat|joined|hired|retired|closed|"
    r"年|日期|时间|出生|生日|逝世|去世|上映|发行|成立|建立|创立",
    re.I,
)
_NULLS = frozenset({"", "NULL", "\\N", "N/A", "null"})


def value_type(values: Sequence[Any], name: str = "") -> ValueType:
    """The type that most of the values have, whichever way they are written.

    Whole numbers from 1000 to 2099 are dates where the name of the property says so.
    """
    kinds = Counter(kind for value in values if (kind := _type_of(value)))
    total = sum(kinds.values())
    if not total:
        return "text"
    if kinds["year"] >= MOSTLY * total and _YEARLY.search(name):
        return "date"
    if kinds["date"] + kinds["year"] >= MOSTLY * total and kinds["date"]:
        return "date"
    kinds["integer"] += kinds.pop("year", 0)
    for kind in ("integer", "boolean", "text", "point"):
        if kinds[kind] >= MOSTLY * total:
            return kind  # type: ignore[return-value]
    if kinds["float"] + kinds["integer"] >= MOSTLY * total:
        return "float"
    return "mixed"


def _type_of(value: Any) -> str | None:
    if isinstance(value, str):
        found = (kind for kind, pattern in _PATTERNS if pattern.fullmatch(value))
        return None if value in _NULLS else next(found, "text")
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "year" if _YEAR.fullmatch(str(value)) else "integer"
    if isinstance(value, float):
        return "float"
    if hasattr(value, "iso_format"):
        return "date"
    return "point" if hasattr(value, "srid") else None


_PATTERNS = (
    ("date", _DATE),
    ("year", _YEAR),
    ("integer", _INTEGER),
    ("float", _FLOAT),
    ("boolean", _BOOLEAN),
)


def examples(values: Sequence[Any]) -> tuple[Any, ...]:
    """The first of the values, each once."""
    shown = (
        value.iso_format() if hasattr(value, "iso_format") else value
        for value in values
        if value not in _NULLS
    )
    return tuple(dict.fromkeys(shown))[:_EXAMPLES]


def typed_value(value: Any, kind: ValueType) -> Any:
    """The value as one of its type, where the graph holds it as a text; else as it is."""
    if not isinstance(value, str):
        return value
    found = _type_of(value.strip())
    if kind == "integer" and found in ("integer", "year"):
        return int(value)
    if kind in ("integer", "float") and found in ("integer", "year", "float"):
        return float(value)
    return value.strip().lower() == "true" if kind == found == "boolean" else value
