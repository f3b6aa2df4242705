"""Corpora as JSON Lines: a file appears as a whole, and an error names the file and the line."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from kgdb.errors import UsageError
from kgdb.text_arguments import is_valid_utf8
from kgdb.wording import short

_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row in the words of an error: its ``name``, an ``example`` and its ``maker``."""

    name: str
    example: str
    maker: str
    page: str


def number(given: Any, name: str, highest: float) -> float:
    """A number between minus ``highest`` and that; raises TypeError or ValueError."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise TypeError(f"{name} is {short(given)}, where a number is expected")
    if not math.isfinite(given) or abs(given) > highest:
        raise ValueError(f"{name} is {short(given)}; expected from {-highest:g} to {highest:g}")
    return float(given)


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write the file; the number of its rows. A file that cannot be finished is not left."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    count = 0
    try:
        with part.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return count


def read_lines(
    path: Path, parse: Callable[[Mapping[str, Any]], _Row], kind: RowKind
) -> Iterator[_Row]:
    """The rows of a file. ``parse`` raises ValueError, KeyError or TypeError for what is none.

    Raises :class:`kgdb.errors.UsageError` for a line that is no row, naming it, and for a file that
    cannot be read or has no row at all.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise UsageError(
            f"The corpus {short(str(path))} cannot be read: {error.strerror}.",
            hint=f"{kind.maker} writes one.",
        ) from None
    is_empty = True
    with file:
        for number, line in enumerate(file, 1):
            if line.strip():
                is_empty = False
                yield _parsed(path, number, line, parse, kind)
    if is_empty:
        raise UsageError(
            f"The corpus {short(str(path))} is empty.", hint=f"{kind.maker} writes one."
        )


def _parsed(
    path: Path,
    number: int,
    line: bytes,
    parse: Callable[[Mapping[str, Any]], _Row],
    kind: RowKind,
) -> _Row:
    try:
        given = json.loads(line.rstrip(b"\r\n").decode("utf-8"))
        if not isinstance(given, Mapping):
            raise TypeError("a JSON object is expected")
        return parse(given)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        hint = f"Expected {kind.example}, as {kind.page} describes."
        if not line.endswith(b"\n"):
            hint += " It is the last line, without an end: the file may be cut off. Make it again."
        raise UsageError(
            f"Line {number:,} of {short(str(path))} is no {kind.name}: {reason}. It reads "
            f"{short(line.decode('utf-8', 'replace').strip())}.",
            hint=hint,
        ) from None


def text(given: Mapping[str, Any], key: str, otherwise: str | None = None) -> str:
    """The text of a key. Without ``otherwise``, the key has to be there."""
    return _text(given[key] if otherwise is None else given.get(key, otherwise), key)


def texts(given: Mapping[str, Any], key: str, *, required: bool = False) -> tuple[str, ...]:
    """The list of texts of a key; one that is required is not empty."""
    value = given[key] if required else given.get(key, [])
    listed = text_list(value, key)
    if required and not listed:
        raise ValueError(f"its {key} is an empty list")
    return listed


def text_list(value: object, key: str) -> tuple[str, ...]:
    """The texts of a list."""
    if not isinstance(value, list):
        raise TypeError(f"{key} is {short(value)}, where a list of texts is expected")
    return tuple(_text(each, key) for each in value)


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{key} is {short(value)}, where a text is expected")
    if not is_valid_utf8(value):
        raise ValueError(f"{key} holds half of a character")
    return value
