"""Checks of text arguments, at the edge of the API.

An argument that is bytes, a number, ``None`` or half of a character raises an error with its name,
its value and the expected value. So no invalid text reaches a model or a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgdb.errors import UsageError
from kgdb.wording import short

_SURROGATE_HINT = (
    "It contains half of a character (a lone surrogate), which bytes that are not UTF-8 leave "
    "behind: decode the bytes again, or remove it."
)


def text(name: str, value: object, expected: str = "a text", *, empty: bool = False) -> str:
    """The value of the argument ``name``, checked to be a text.

    Raises :class:`UsageError` for any other value, and for the empty text unless ``empty`` is true.
    """
    return _checked(f"{name} is", value, expected, empty)


def optional_text(name: str, value: object, expected: str = "a text") -> str | None:
    """The value of an optional argument, checked to be a text or ``None``."""
    return None if value is None else text(name, value, f"{expected}, or None")


def texts(name: str, values: object, expected: str = "texts", *, empty: bool = False) -> list[str]:
    """The values of the argument ``name``, checked to be texts.

    A single text raises too: its letters would count as the values.
    """
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | bytearray | Mapping):
        lone = isinstance(values, str)
        raise UsageError(
            f"{name} is {short(values)}; expected a list of {expected}.",
            hint=f"Write [{short(values)}]." if lone else None,
        )
    return [_checked(f"{name} contains", value, expected, empty) for value in values]


def is_valid_utf8(value: str) -> bool:
    """Whether the text can be encoded: it contains no half of a character."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(start: str, value: object, expected: str, empty: bool) -> str:
    if not isinstance(value, str):
        is_bytes = isinstance(value, bytes | bytearray)
        raise UsageError(
            f"{start} {short(value)}; expected {expected}.",
            hint='Decode them first: .decode("utf-8").' if is_bytes else None,
        )
    if not value and not empty:
        raise UsageError(f"{start} the empty text; expected {expected}.")
    if not is_valid_utf8(value):
        raise UsageError(
            f"{start} {short(value)}, which is not valid UTF-8; expected {expected}.",
            hint=_SURROGATE_HINT,
        )
    return value
