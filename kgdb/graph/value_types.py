"""Types of values, whichever way a graph holds them: typed, or as texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from neo4j.spatial import Point
from neo4j.time import Duration, Time

from kgdb.values import DATE

ValueType = Literal[
    "integer", "float", "date", "time", "duration", "boolean", "text", "point", "mixed"
]

MOSTLY = 0.9
"""The share of a sample that tells what the rest is."""

_EXAMPLES = 3
_VECTOR = 32
"""Numbers in a list that is an embedding, whatever it is called."""

_EMBEDDING = re.compile(r"embedding|vector", re.I)
_GEOGRAPHIC = {4326: ("longitude", "latitude"), 4979: ("longitude", "latitude", "height")}
_YEAR = re.compile(r"-?(1\d{3}|20\d{2})")
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_DAYS, _CLOCK = (
    "".join(rf"(?:(?P<{unit}>[-+]?\d+(?:\.\d+)?){unit[0]})?" for unit in units.split())
    for units in ("Years Months Weeks Days", "Hours Minutes Seconds")
)
DURATION = re.compile(rf"(?P<sign>[-+])?P(?=[-+\dT]){_DAYS}(?:T(?=[-+\d]){_CLOCK})?")
"""A duration as ISO 8601 writes it: PT8H, P1Y2M."""

_BOOLEAN = re.compile(r"true|false", re.I)
_FLOAT = re.compile(r"[+-]?\d+\.\d+([eE][+-]?\d+)?")
_YEARLY = re.compile(
    r"year|born|birth|died|death|date|released?|founded|since|established|built|opened|publi(?:sh|cation)|"
    r"launch|complet|construct|inaugurat|incorporat|joined|hired|retired|closed|"
    r"jahr|geboren|gestorben|datum|erschienen|gegründet|"
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
    for kind in ("integer", "boolean", "text", "point", "duration", "time"):
        if kinds[kind] >= MOSTLY * total:
            return kind  # type: ignore[return-value]
    if kinds["float"] + kinds["integer"] >= MOSTLY * total:
        return "float"
    return "mixed"


def _type_of(value: Any) -> str | None:  # noqa: PLR0911 - one return for each type
    if isinstance(value, str):
        found = (kind for kind, pattern in _PATTERNS if pattern.fullmatch(value))
        return None if value in _NULLS else next(found, "text")
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "year" if _YEAR.fullmatch(str(value)) else "integer"
    if isinstance(value, float):
        return "float"
    if isinstance(value, Duration):
        return "duration"
    if hasattr(value, "iso_format"):
        return "time" if isinstance(value, Time) else "date"
    return "point" if isinstance(value, Point) else None


_PATTERNS = (
    ("date", DATE),
    ("year", _YEAR),
    ("integer", _INTEGER),
    ("float", _FLOAT),
    ("boolean", _BOOLEAN),
    ("duration", DURATION),
)


def examples(values: Sequence[Any]) -> tuple[Any, ...]:
    """The first of the values, each once."""
    shown = (plain_value(value) for value in values if value not in _NULLS)
    return tuple(dict.fromkeys(shown))[:_EXAMPLES]


def is_vector(value: Any, name: str = "") -> bool:
    """Whether the value of a property of that name is an embedding, which tells people nothing."""
    if not isinstance(value, list):
        return type(value).__name__ == "Vector"
    numbers = len(value) > 1 and all(isinstance(each, float) for each in value)
    return numbers and (len(value) >= _VECTOR or bool(_EMBEDDING.search(name)))


def plain_value(value: Any) -> Any:
    """A value of the driver's as one of Python's.

    Dates, times and durations are texts by ISO 8601, points what makes them in Cypher, and of an
    embedding only its length is told.
    """
    if isinstance(value, Mapping):
        return {key: _named(key, each) for key, each in value.items()}
    if is_vector(value):
        return f"a vector of {len(value)} numbers"
    if hasattr(value, "iso_format"):
        return value.iso_format()
    if isinstance(value, Point):
        return _point(value)
    return [plain_value(each) for each in value] if isinstance(value, list | tuple) else value


def _named(name: str, value: Any) -> Any:
    return f"a vector of {len(value)} numbers" if is_vector(value, name) else plain_value(value)


def _point(point: Point) -> str:
    """What makes the point in Cypher."""
    names = _GEOGRAPHIC.get(point.srid or 0, ("x", "y", "z"))
    parts = ", ".join(f"{name}: {number}" for name, number in zip(names, point, strict=False))
    return f"point({{{parts}}})"


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
