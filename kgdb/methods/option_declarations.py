"""The options of methods, each declared once: its type, range and help beside its default.

A method's options are a frozen dataclass below :class:`MethodOptions`::

    k1: Annotated[int, Range(1, 10_000), "relation paths that are kept, the paper's K1"] = 100

From this one line come what ``--set`` accepts, the errors, and the tables of ``kgdb answer
--methods``, of the chat and of the documentation. A :class:`Group` beside the help puts options
below one heading.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from kgdb.errors import UsageError
from kgdb.text_arguments import text
from kgdb.wording import short

_BOOLEANS = {"true": True, "yes": True, "on": True, "1": True} | {
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from ``low`` to ``high``; with ``exclusive``, ``high`` is not one of them."""

    low: float
    high: float = math.inf
    exclusive: bool = False

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high and not (self.exclusive and value == self.high)

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"{self.low:,} or more"
        return f"{self.low:,} to {'less than ' if self.exclusive else ''}{self.high:,}"


@dataclass(frozen=True, slots=True)
class Group:
    """The heading that options stand below in a table."""

    title: str


@dataclass(frozen=True, slots=True)
class Declaration:
    """One option as its dataclass declares it."""

    name: str
    type: Any
    default: Any
    range: Range | None
    help: str
    group: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option as tables show it: ``takes`` says which values it accepts."""

    name: str
    takes: str
    default: str
    help: str
    group: str


class MethodOptions:
    """The base of all options of methods: it refuses a number outside the declared range."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for option in declarations(type(self)):
            value = getattr(self, option.name)
            # None stands for a value that is worked out later.
            if option.range is not None and value is not None and value not in option.range:
                raise UsageError(f"{option.name} is {value}; expected {option.range}.")


_Options = TypeVar("_Options", bound=MethodOptions)

# Options that several methods have.
ProofPaths = Annotated[int, Range(1, 1000), "paths that are kept as the proof of each answer"]
MaxEvidence = Annotated[
    int, Range(1, 10_000), "pieces of evidence that the language model reads at most"
]
AllowUnsupported = Annotated[
    bool, "keep answers of the language model that no evidence proves, marked as unsupported"
]
ClosedWorld = Annotated[bool, "claims: judge as false what the graph does not hold"]
PreferenceWeight = Annotated[
    float, Range(0, 10), "weight of the language model's preference, if the model chooses"
]
MinSimilarity = Annotated[
    float,
    Range(0, 1),
    "similarity to the question that a chain needs to give answers, if no model reads",
]


def declarations(kind: type[MethodOptions]) -> tuple[Declaration, ...]:
    """The options that a dataclass declares or inherits, in their order."""
    types = get_type_hints(kind, include_extras=True)
    return tuple(
        _declaration(field.name, types[field.name], field.default)
        for field in fields(kind)  # type: ignore[arg-type]  # all of them are dataclasses
    )


def takes_any_text(option: Declaration) -> bool:
    """Whether the option takes a text that is not one of a few: it may be the path of a file."""
    return _without_none(option.type)[0] is str


def describe(kind: type[MethodOptions]) -> tuple[Option, ...]:
    """The options of a method, as tables show them."""
    return tuple(
        Option(option.name, _takes(option), _default(option.default), option.help, option.group)
        for option in declarations(kind)
    )


def parse(kind: type[_Options], given: Mapping[str, Any], owner: str) -> _Options:
    """The dataclass ``kind`` with the values ``given``; texts are read as the declared types.

    Raises :class:`UsageError` for an unknown name, a value of another type or outside its range.
    """
    types = {option.name: option.type for option in declarations(kind)}
    for name in given:
        if name not in types:
            near = get_close_matches(name, types, 1)
            raise UsageError(
                f"There is no option {short(name)} of {owner}. Options are: {', '.join(types)}.",
                hint=f"Did you mean {near[0]}?" if near else None,
            )
    return kind(**{name: _value(name, value, types[name]) for name, value in given.items()})


def _declaration(name: str, annotated: Any, default: Any) -> Declaration:
    type_, *metadata = get_args(annotated)

    def first(kind: type[Any]) -> Any:
        return next((each for each in metadata if isinstance(each, kind)), None)

    group = first(Group)
    title = group.title if group else ""
    return Declaration(name, type_, default, first(Range), first(str) or "", title)


def _takes(option: Declaration) -> str:
    type_, optional = _without_none(option.type)
    if get_origin(type_) is Literal:
        takes = " | ".join(map(str, get_args(type_)))
    elif type_ is bool:
        takes = "true | false"
    else:
        takes = {int: "whole number", float: "number", str: "text"}[type_]
        takes += f", {option.range}" if option.range else ""
    return f"{takes}, or none" if optional else takes


def _default(default: Any) -> str:
    return str(default).lower() if default is None or isinstance(default, bool) else str(default)


def _without_none(type_: Any) -> tuple[Any, bool]:
    """The type, and whether ``None`` is allowed beside it."""
    if get_origin(type_) is UnionType and NoneType in get_args(type_):
        (other,) = (kind for kind in get_args(type_) if kind is not NoneType)
        return other, True
    return type_, False


def _value(name: str, value: Any, type_: Any) -> Any:
    if get_origin(type_) is Literal:
        allowed = get_args(type_)
        if isinstance(value, str) and value in allowed:
            return value
        raise UsageError(f"{name} is {short(value)}; expected {', '.join(map(str, allowed))}.")
    type_, optional = _without_none(type_)
    if optional and (value is None or (isinstance(value, str) and value.lower() == "none")):
        return None
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
    """A number, or the text of one; a whole number where the option takes only these."""
    try:
        if isinstance(value, bool | bytes):
            raise ValueError
        found = type_(value)
        if found == value or isinstance(value, str):
            return found
    except (TypeError, ValueError, OverflowError):
        pass
    number = "a whole number" if type_ is int else "a number"
    raise UsageError(f"{name} is {short(value)}; expected {number}.")
