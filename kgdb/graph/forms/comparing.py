"""How values compare: by a key in Cypher, and by the bounds of a form's value."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.connection.statements import Statement, statement
from kgdb.graph.forms.operators import Value
from kgdb.graph.schema import ValueType
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
    "boolean": "boolean",
    "text": "text",
    "mixed": "text",
}
ORDERED = frozenset({"number", "date"})

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?")


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
            hint="Expected a property with numbers or dates.",
        )
    return kind


def key(kind: str) -> Statement:
    """The key of ``x`` in Cypher."""
    return statement(f"forms/key/{kind}")


def bounds(kind: str, value: Value, name: str) -> Bounds:
    """The bounds of a value; raises :class:`UsageError` where it is not of the kind."""
    match kind:
        case "number" if not isinstance(value, bool):
            try:
                number = value if isinstance(value, int | float) else float(value)
            except ValueError:
                raise _other_kind(name, value, "a number") from None
            return Bounds(kind, number, number)
        case "date" if not isinstance(value, bool):
            found = _DATE.fullmatch(str(value))
            if not found:
                raise _other_kind(name, value, "a date: 1999, 1999-03 or 1999-03-31")
            year, month, day = (int(part) if part else None for part in found.groups())
            assert year is not None  # noqa: S101 - the pattern has it
            last = calendar.monthrange(year or 1, month or 12)[1] if (month or 12) <= 12 else 31
            low = date_key(year, month or 1, day or 1)
            return Bounds(kind, low, date_key(year, month or 12, day or last))
        case "boolean" if isinstance(value, bool):
            return Bounds(kind, value, value)
        case "text":
            return Bounds(kind, str(value).lower(), str(value).lower())
    raise _other_kind(name, value, f"a {kind}")


def date_key(year: int, month: int, day: int) -> int:
    """A date as the number that it compares by."""
    return year * 10_000 + month * 100 + day


def date_of(key: int) -> str:
    """A date from its number."""
    return f"{key // 10_000:04}-{key // 100 % 100:02}-{key % 100:02}"


def _other_kind(name: str, value: Value, expected: str) -> UsageError:
    return UsageError(
        f"{short(name)} is compared with {short(value)}.", hint=f"Expected {expected}."
    )
