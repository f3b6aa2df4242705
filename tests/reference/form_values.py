"""How values of a form compare and reduce, by definition: no code is shared with kgdb."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from kgdb.graph.forms.operators import Condition

_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def flat(value: Any) -> list[Any]:
    """A property's values as a list."""
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def text(value: Any) -> str:
    """A value as the database writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def seconds(value: Any) -> Fraction | None:
    """How long a duration is, with months of a twelfth of a mean year."""
    found = re.fullmatch(
        r"(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?"
        r"(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?",
        text(value),
    )
    if not found or not any(found.groups()[1:]):
        return None
    month = Fraction(31_556_952, 12)
    units = (12 * month, month, 7 * 86_400, 86_400, 3_600, 60, 1)
    numbers = (Fraction(part or 0) for part in found.groups()[1:])
    whole = sum((n * unit for n, unit in zip(numbers, units, strict=True)), Fraction(0))
    return -whole if found[1] else whole


def period(value: Any) -> tuple[date, date] | None:
    """The first and the last day of what a date stands for."""
    found = re.fullmatch(r"(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?", text(value))
    if not found:
        return None
    year, month, day = (int(part) if part else None for part in found.groups())
    if month is None:
        return date(year, 1, 1), date(year, 12, 31)  # type: ignore[arg-type]
    if day is None:
        after = date(year + month // 12, month % 12 + 1, 1)  # type: ignore[operator]
        return date(year, month, 1), date.fromordinal(after.toordinal() - 1)  # type: ignore[arg-type]
    return (date(year, month, day),) * 2  # type: ignore[arg-type]


def number(value: Any) -> Fraction | None:
    """A number, whichever way it is written."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Fraction(value)
    try:
        return Fraction(text(value).strip())
    except ValueError:
        return None


def ordered(kind: str, value: Any) -> Any:
    """What a value of a type is ranked by; ``None`` where it is of another."""
    if kind == "date":
        days = period(value)
        return days and days[0]
    return seconds(value) if kind == "duration" else number(value)


def fulfils(kind: str, value: Any, condition: Condition) -> bool:
    """Whether one value is as the condition wants it."""
    op, wanted = condition.op, condition.value
    if op == "contains":
        return text(wanted).lower() in text(value).lower()
    if op == "starts with":
        return text(value).lower().startswith(text(wanted).lower())
    if kind == "date":
        first, days = period(value), period(wanted)
        if first is None or days is None:
            return False
        low, high = days
        mine: Any = first[0]
    elif kind in ("integer", "float", "duration"):
        mine, low = ordered(kind, value), ordered(kind, wanted)
        high = low
    else:
        mine, low = text(value).lower(), text(wanted).lower()  # type: ignore[assignment]
        high = low
    if mine is None:
        return False
    if op in ("=", "!="):
        return (low <= mine <= high) == (op == "=")
    return bool(_ORDER[op](mine, low if op in ("<", ">=") else high))


def compared(mine: int, op: str, wanted: Any) -> bool:
    """Whether a whole number is as it is to be."""
    wanted = number(wanted)
    if op in ("=", "!="):
        return (mine == wanted) == (op == "=")
    return bool(_ORDER[op](mine, wanted))


def reduced(kind: str, function: str, values: Sequence[Any]) -> Any:
    """One number from many; ``None`` from none. A date is any text of that first day."""
    pairs = [(key, value) for value in values if (key := ordered(kind, value)) is not None]
    if not pairs:
        return None
    keys = [key for key, _ in pairs]
    if kind in ("date", "duration"):
        best = min(keys) if function == "min" else max(keys)
        return frozenset(text(value) for key, value in pairs if key == best)
    if function == "mean":
        return sum(keys) / len(keys)
    return {"sum": sum, "min": min, "max": max}[function](keys)
