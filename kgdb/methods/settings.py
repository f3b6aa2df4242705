"""Options of a method by their names, as the command line and configuration give them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from kgdb.errors import UsageError
from kgdb.text_arguments import text
from kgdb.wording import short

_O = TypeVar("_O")

_BOOLEANS = {"true": True, "yes": True, "on": True, "1": True} | {
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def parse(kind: type[_O], given: Mapping[str, Any], owner: str) -> _O:
    """The dataclass ``kind`` with what is given; a text is read as the field's type wants it.

    Raises :class:`UsageError` for a name that is no field, and for a value of another type.
    """
    types = get_type_hints(kind)
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, 1)
            raise UsageError(
                f"There is no option {short(name)} of {owner}. Options are: {', '.join(names)}.",
                hint=f"Did you mean {near[0]}?" if near else None,
            )
    return kind(**{name: _value(name, value, types[name]) for name, value in given.items()})


def check_ranges(options: Any, *ranges: tuple[str, float, float]) -> None:
    """Raises :class:`UsageError` for the first option outside its range (name, least, most).

    ``None`` stands for a value that is worked out later.
    """
    for name, low, high in ranges:
        value = getattr(options, name)
        if value is not None and not low <= value <= high:
            raise UsageError(f"{name} is {value}; expected {low} to {high}.")


def _value(name: str, value: Any, type_: Any) -> Any:
    if get_origin(type_) is Literal:
        allowed = get_args(type_)
        if isinstance(value, str) and value in allowed:
            return value
        raise UsageError(f"{name} is {short(value)}; expected {', '.join(map(str, allowed))}.")
    if get_origin(type_) is UnionType and NoneType in get_args(type_):
        if value is None or (isinstance(value, str) and value.lower() == "none"):
            return None
        (type_,) = (kind for kind in get_args(type_) if kind is not NoneType)
    if type_ is str:
        return text(name, value, empty=True)
    if type_ is bool:
        return _boolean(name, value)
    return _number(name, value, type_)


def _boolean(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in _BOOLEANS:
        return _BOOLEANS[value.lower()]
    raise UsageError(f"{name} is {short(value)}; expected true or false.")


def _number(name: str, value: Any, type_: type[int] | type[float]) -> int | float:
    """A number, or the text of one; a whole one where the option's are."""
    try:
        if isinstance(value, bool | bytes):
            raise ValueError
        found = type_(value)
        if found == value or isinstance(value, str):
            return found
    except (TypeError, ValueError, OverflowError):
        pass
    whole = "a whole number" if type_ is int and not isinstance(value, str) else "a number"
    raise UsageError(f"{name} is {short(value)}; expected {whole}.")
