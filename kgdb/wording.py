"""How values, numbers and texts of others stand in a message: short, on one line, with a plural."""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 80
"""Characters of a value that a message shows: it may be a whole book."""

_MOST = 20
"""Names of a list that a message shows."""

_JOINERS = "\u200c\u200d"
"""Letters of some scripts, and emoji, are joined and kept apart by these."""


def short(value: object, longest: int = LONGEST) -> str:
    """A value as Python writes it, of a text at most ``longest`` characters."""
    if not isinstance(value, str | bytes):
        return brief(repr(value), longest)
    if len(value) <= longest:
        return repr(value)
    begun = repr(value[:longest])
    return f"{begun[:-1]}…{begun[-1]}"


def brief(text: str, longest: int = LONGEST) -> str:
    """A text without what is too much of it for a message."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def listed(names: Iterable[object], none: str = "none") -> str:
    """Names with commas between them, of very many only the first."""
    all_names = list(names)
    told = [brief(str(name)) for name in all_names[:_MOST]]
    if more := len(all_names) - len(told):
        told.append(f"and {more:,} more")
    return ", ".join(told) or none


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with what it counts: ``1 triple``, ``2,000 triples``."""
    return f"{number:,} {plural(number, one, many)}"


def plural(number: float, one: str, many: str | None = None) -> str:
    """The word for so many: a verb's form, or a noun after other words than the number."""
    return one if number == 1 else many or f"{one}s"


def in_units(number: int, units: str) -> str:
    """The same where only the word for many is known: ``1 entity`` of ``entities``."""
    return f"{number:,} {unit(number, units)}"


def unit(number: int | None, units: str) -> str:
    """The word for many, or for one where it is one."""
    if number != 1 or not units.islower():
        return units
    return f"{units.removesuffix('ies')}y" if units.endswith("ies") else units.removesuffix("s")


def one_line(text: str) -> str:
    """A text of the graph or a model as one line that cannot steer where it is shown."""
    return "".join(c if is_letter(c) else " " if c.isspace() else "\ufffd" for c in text)


def each_line(text: str) -> str:
    """The lines of a text, each as :func:`one_line` gives it."""
    return "\n".join(map(one_line, text.splitlines()))


def is_letter(character: str) -> bool:
    """Whether a character only shows itself, and steers nothing."""
    return character.isprintable() or character in _JOINERS
