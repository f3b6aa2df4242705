"""Values, numbers and foreign texts in messages: short, on one line, with the right plural."""

from __future__ import annotations

import html
from collections.abc import Iterable

MAX_LENGTH = 80
"""Characters of a value in a message; the value itself may be a whole book."""

_MAX_NAMES = 20
"""Names of a list in a message."""

_JOINERS = "\u200c\u200d"
"""These characters join or separate letters of some scripts, and emoji."""


def short(value: object, max_length: int = MAX_LENGTH) -> str:
    """The value as Python writes it, shortened to about ``max_length`` characters."""
    if not isinstance(value, str | bytes):
        return brief(repr(value), max_length)
    if len(value) <= max_length:
        return repr(value)
    quoted = repr(value[:max_length])
    return f"{quoted[:-1]}…{quoted[-1]}"


def brief(text: str, max_length: int = MAX_LENGTH) -> str:
    """The text, cut to ``max_length`` characters."""
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


def listed(names: Iterable[object], none: str = "none") -> str:
    """The names with commas between them; of very many names only the first."""
    all_names = list(names)
    shown = [brief(str(name)) for name in all_names[:_MAX_NAMES]]
    if more := len(all_names) - len(shown):
        shown.append(f"and {more:,} more")
    return ", ".join(shown) or none


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 triple``, ``2,000 triples``."""
    return f"{number:,} {plural(number, one, many)}"


def plural(number: float, one: str, many: str | None = None) -> str:
    """The form of a noun or verb for that number, without the number."""
    return one if number == 1 else many or f"{one}s"


def in_units(number: int, units: str) -> str:
    """A number with its noun, given the plural: ``1 entity`` for ``entities``."""
    return f"{number:,} {unit(number, units)}"


def unit(number: int | None, units: str) -> str:
    """The plural, or for one the singular derived from it."""
    if number != 1 or not units.islower():
        return units
    return f"{units.removesuffix('ies')}y" if units.endswith("ies") else units.removesuffix("s")


def value_text(value: object) -> str:
    """A value of an answer: yes or no, a number with its thousands apart, or the text itself.

    Of a list, its values with commas between.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.10g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_text, value))
    return str(value)


def one_line(text: str) -> str:
    """A foreign text as one line without control characters."""
    return "".join(c if is_letter(c) else " " if c.isspace() else "\ufffd" for c in text)


def each_line(text: str) -> str:
    """The lines of a text, each as :func:`one_line` gives it."""
    return "\n".join(map(one_line, text.splitlines()))


def escaped(text: str) -> str:
    """A foreign text for HTML, as one line: none of it is markup."""
    return html.escape(one_line(text))


def is_letter(character: str) -> bool:
    """Whether the character is visible and controls nothing."""
    return character.isprintable() or character in _JOINERS
