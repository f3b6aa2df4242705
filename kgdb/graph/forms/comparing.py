"""How values compare: by a key in Cypher, and by the bounds of a form's value."""

from __future__ import annotations

import calendar
import math
import re
from dataclasses import dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.connection.statements import Statement, statement
from kgdb.graph.forms.operators import Comparator, Value
from kgdb.graph.value_types import DURATION, ValueType
from kgdb.wording import short

COMPARES = {
    "=": "equal",
    "!=": "other",
    "<": "less",
    "<=": "at_most",
    ">": "more",
    ">=": "at_least",
    "contains": "contains",
    "starts with": "starts_with",
}
KEYS = {
    "integer": "number",
    "float": "number",
    "date": "date",
    "time": "text",
    "duration": "duration",
    "boolean": "boolean",
    "text": "text",
    "mixed": "text",
}
ORDERED = frozenset({"number", "date", "duration"})

_SECONDS = {
    "Years": 12 * 2_629_746,  # of a mean month, as Neo4j takes it
    "Months": 2_629_746,
    "Weeks": 7 * 86_400,
    "Days": 86_400,
    "Hours": 3_600,
    "Minutes": 60,
    "Seconds": 1,
}

_DATE = re.compile(r"(-?\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the largest key that a value covers: of a year its first and its last day."""

    kind: str
    low: Any
    high: Any


def key_kind(type_name: ValueType, name: str, value: Value | None = None) -> str:
    """The kind of key by which values of a type compare.

    Where types are mixed, the value that is compared with decides.
    """
    if type_name == "mixed" and isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    if type_name not in KEYS:
        raise UsageError(
            f"Values of {short(name)} are of the type {type_name}: they do not compare."
        )
    return KEYS[type_name]


def ordered_kind(type_name: ValueType, name: str) -> str:
    """The same for values that are ranked or summed up."""
    kind = "number" if type_name == "mixed" else key_kind(type_name, name)
    if kind not in ORDERED:
        raise UsageError(
            f"Values of {short(name)} are of the type {type_name}.",
            hint="Expected a property with numbers, dates or durations.",
        )
    return kind


def key(kind: str) -> Statement:
    """The key of ``x`` in Cypher."""
    return statement(f"forms/key/{kind}")


def bounds(kind: str, value: Value, name: str) -> Bounds:
    """The bounds of a value; raises :class:`UsageError` where it is not of the kind."""
    match kind:
        case "number" if not isinstance(value, bool):
            number = _number(value, name)
            return Bounds(kind, number, number)
        case "date" if not isinstance(value, bool):
            low, high = _days(value, name)
            return Bounds(kind, low, high)
        case "duration" if not isinstance(value, bool):
            seconds = _seconds(value, name)
            return Bounds(kind, seconds, seconds)
        case "boolean" if isinstance(value, bool):
            return Bounds(kind, value, value)
        case "text":
            written = str(value).lower() if isinstance(value, bool) else str(value)
            return Bounds(kind, written, written)
    raise _other_kind(name, value, f"a {kind}")


def fulfils(key: Any, op: Comparator, limits: Bounds) -> bool:
    """Whether a value with that key is as the operator wants it."""
    match op:
        case "=":
            return bool(limits.low <= key <= limits.high)
        case "!=":
            return not limits.low <= key <= limits.high
        case "<":
            return bool(key < limits.low)
        case "<=":
            return bool(key <= limits.high)
        case ">":
            return bool(key > limits.high)
        case ">=":
            return bool(key >= limits.low)
    raise ValueError(op)


def _number(value: Value, name: str) -> int | float:
    if isinstance(value, int | float):
        return value
    try:
        return int(value)
    except ValueError:
        pass
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _other_kind(name, value, "a number")
    return number


def _seconds(value: Value, name: str) -> float:
    """A duration as the number that it compares by."""
    found = DURATION.fullmatch(str(value))
    if not found:
        raise _other_kind(name, value, "a duration: PT8H, P2D or P1Y6M")
    sign = -1 if found["sign"] == "-" else 1
    return sign * sum(float(found[unit] or 0) * size for unit, size in _SECONDS.items())


def _days(value: Value, name: str) -> tuple[int, int]:
    """The keys of the first and the last day of a year, a month or a day."""
    found = _DATE.fullmatch(str(value))
    if found:
        year = int(found[1])
        # Some sources write the month and the day as 00 where they know the year alone.
        month, day = (int(part or 0) or None for part in found.groups()[1:])
        # The calendar of Python starts with the year 1; leap years come again after 400.
        last = [calendar.monthrange(2000 + year % 400, m)[1] for m in range(1, 13)]
        if month is None:
            return _date_key(year, 1, 1), _date_key(year, 12, 31)
        if 1 <= month <= 12 and (day is None or 1 <= day <= last[month - 1]):
            return _date_key(year, month, day or 1), _date_key(year, month, day or last[month - 1])
    raise _other_kind(name, value, "a date: 1999, 1999-03 or 1999-03-31")


def _date_key(year: int, month: int, day: int) -> int:
    """A date as the number that it compares by."""
    return year * 10_000 + month * 100 + day


def _other_kind(name: str, value: Value, expected: str) -> UsageError:
    return UsageError(
        f"{short(name)} is compared with {short(value)}.", hint=f"Expected {expected}."
    )
