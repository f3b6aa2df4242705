"""How the values of options are read: each reader takes a name for its messages, and the value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kgdb import text_arguments
from kgdb.errors import UsageError
from kgdb.values import Entity, Step
from kgdb.wording import short

_LARGEST = 2**31 - 1
_SPEC = "a relation's name, or ^ and a name"


Nodes = Sequence[str | Entity]
"""Entities, or their ids."""


def entity_id(node: Any) -> Any:
    """The id of an entity, or of a result that is about one; anything else as it is."""
    node = getattr(node, "entity", node)
    return node.id if isinstance(node, Entity) else node


def specs(name: str, value: Any) -> list[str]:
    """A list of relations, each ``"r"`` or ``"^r"``."""
    given = [str(spec) if isinstance(spec, Step) else spec for spec in items(name, value)]
    found = text_arguments.texts(name, given, _SPEC)
    if "^" in found:
        raise UsageError(f"{name} holds '^'; expected {_SPEC}.")
    return found


def number(name: str, value: Any) -> float:
    """A finite number."""
    try:
        found = math.nan if isinstance(value, bool | str) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise UsageError(f"{name} is {short(value)}; expected a finite number.")
    return found


def items(name: str, value: Any) -> list[Any]:
    """A list that is no text and no map."""
    if isinstance(value, str | bytes | bytearray | Mapping) or not isinstance(value, Iterable):
        lone = isinstance(value, str)
        raise UsageError(
            f"{name} is {short(value)}; expected a list.",
            hint=f"Write [{short(value)}]." if lone else None,
        )
    return list(value)


def names(name: str, value: Any) -> list[str]:
    """A list of texts that are not empty."""
    return text_arguments.texts(name, items(name, value), "texts that are not empty")


def sources(name: str, value: Any) -> list[str]:
    """One or more ids."""
    sources = names(name, [entity_id(source) for source in items(name, value)])
    if not sources:
        raise UsageError(f"{name} is empty; expected one or more ids, or None for all nodes.")
    return sources


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise UsageError(f"{name} is {short(value)}; expected True or False.")
    return value


def direction(*allowed: str) -> Callable[[str, Any], str]:
    """Reads one of these words."""

    def read(name: str, value: Any) -> str:
        if value not in allowed:
            raise UsageError(
                f"{name} is {short(value)}; expected {' or '.join(map(short, allowed))}."
            )
        return str(value)

    return read


def integer(least: int, most: int = _LARGEST) -> Callable[[str, Any], int]:
    """Reads a whole number in a range."""

    def read(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise UsageError(
                f"{name} is {short(value)}; expected a whole number {_span(least, most)}."
            )
        return value

    return read


def _span(least: int, most: int) -> str:
    return f"from {least} on" if most >= _LARGEST else f"from {least} to {most}"


def share(name: str, value: Any) -> float:
    """A number from 0 to less than 1."""
    share = number(name, value)
    if not 0 <= share < 1:
        raise UsageError(f"{name} is {short(value)}; expected a number from 0 to less than 1.")
    return share


def text(name: str, value: Any) -> str:
    """A text that is not empty."""
    return text_arguments.text(name, value, "a text that is not empty")


def weight(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    weight = number(name, value)
    if not 0 <= weight <= 1:
        raise UsageError(f"{name} is {short(value)}; expected a number from 0 to 1.")
    return weight


def not_negative(name: str, value: Any) -> float:
    """A number from 0 on."""
    found = number(name, value)
    if found < 0:
        raise UsageError(f"{name} is {short(value)}; expected 0 or more.")
    return found
