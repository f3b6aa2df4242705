"""The one check of texts, where the API begins.

Whoever gives bytes, a number, ``None`` or half of a character in the place of a text is told which
argument it was, what it was and what was expected; nothing of it travels on to a model or a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kgdb.errors import UsageError
from kgdb.wording import short

_HALF = (
    "It holds half of a character (a lone surrogate), as bytes that are not UTF-8 leave one: "
    "decode it anew, or leave that out."
)


def text(name: str, value: object, expected: str = "a text", *, empty: bool = False) -> str:
    """The value of the argument ``name``, which is to be a text, not ``empty`` unless it may be.

    Raises :class:`UsageError` otherwise.
    """
    return _checked(f"{name} is", value, expected, empty)


def optional_text(name: str, value: object, expected: str = "a text") -> str | None:
    """The same for an argument that may be left out."""
    return None if value is None else text(name, value, f"{expected}, or None")


def texts(name: str, values: object, expected: str = "texts", *, empty: bool = False) -> list[str]:
    """Several of them. A lone text is a mistake: it would be read as its letters."""
    if not isinstance(values, Iterable) or isinstance(values, str | bytes | bytearray | Mapping):
        lone = isinstance(values, str)
        raise UsageError(
            f"{name} is {short(values)}; expected a list of {expected}.",
            hint=f"Write [{short(values)}]." if lone else None,
        )
    return [_checked(f"{name} holds", value, expected, empty) for value in values]


def is_whole(value: str) -> bool:
    """Whether a text has no half of a character in it, and so can be written and sent."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(begun: str, value: object, expected: str, empty: bool) -> str:
    if not isinstance(value, str):
        is_bytes = isinstance(value, bytes | bytearray)
        raise UsageError(
            f"{begun} {short(value)}; expected {expected}.",
            hint='Decode them first: .decode("utf-8").' if is_bytes else None,
        )
    if not value and not empty:
        raise UsageError(f"{begun} the empty text; expected {expected}.")
    if not is_whole(value):
        raise UsageError(
            f"{begun} {short(value)}, which is not valid UTF-8; expected {expected}.", hint=_HALF
        )
    return value
