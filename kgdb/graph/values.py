"""How the values of options are read: each reader takes a name for its messages, and the value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kgdb.errors import UsageError
from kgdb.model import Step

_LARGEST = 2**31 - 1


def specs(name: str, value: Any) -> list[str]:
    """A list of relations, each ``"r"`` or ``"^r"``."""
    found = [str(spec) if isinstance(spec, Step) else spec for spec in items(name, value)]
    for spec in found:
        if not isinstance(spec, str) or not spec.removeprefix("^"):
            raise UsageError(f"{name} holds {spec!r}; expected a relation's name, or ^ and a name.")
    return found


def number(name: str, value: Any) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{name} is {value!r}; expected a finite number.")
    return float(value)


def items(name: str, value: Any) -> list[Any]:
    """A list that is no text and no map."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise UsageError(f"{name} is {value!r}; expected a list.", hint=f"Write [{value!r}].")
    return list(value)


def texts(name: str, value: Any) -> list[str]:
    """A list of texts that are not empty."""
    found = items(name, value)
    for text in found:
        if not isinstance(text, str) or not text:
            raise UsageError(f"{name} holds {text!r}; expected texts that are not empty.")
    return found


def sources(name: str, value: Any) -> list[str]:
    """One or more ids."""
    sources = texts(name, value)
    if not sources:
        raise UsageError(f"{name} is empty; expected one or more ids, or None for all nodes.")
    return sources


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"{name} is {value!r}; expected True or False.")
    return value


def direction(*allowed: str) -> Callable[[str, Any], str]:
    """Reads one of these words."""

    def read(name: str, value: Any) -> str:
        if value not in allowed:
            raise UsageError(f"{name} is {value!r}; expected {' or '.join(map(repr, allowed))}.")
        return str(value)

    return read


def integer(least: int, most: int = _LARGEST) -> Callable[[str, Any], int]:
    """Reads a whole number in a range."""

    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise UsageError(f"{name} is {value!r}; expected a whole number {_span(least, most)}.")
        return value

    return read


def _span(least: int, most: int) -> str:
    return f"from {least} on" if most >= _LARGEST else f"from {least} to {most}"


def share(name: str, value: Any) -> float:
    """A number from 0 to less than 1."""
    share = number(name, value)
    if not 0 <= share < 1:
        raise UsageError(f"{name} is {value!r}; expected a number from 0 to less than 1.")
    return share


def text(name: str, value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise UsageError(f"{name} is {value!r}; expected a text that is not empty.")
    return value


def weight(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    weight = number(name, value)
    if not 0 <= weight <= 1:
        raise UsageError(f"{name} is {value!r}; expected a number from 0 to 1.")
    return weight


def not_negative(name: str, value: Any) -> float:
    """A number from 0 on."""
    found = number(name, value)
    if found < 0:
        raise UsageError(f"{name} is {value!r}; expected 0 or more.")
    return found
