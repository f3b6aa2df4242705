"""The row file of an evaluation: one row per question, read again by a resumed run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

from kgdb.errors import UsageError
from kgdb.evaluation.result_rows import FileRow
from kgdb.wording import short

_ROW_START = b'{"id": "'
_R = TypeVar("_R", bound=FileRow)


def read_rows(path: Path, kind: type[_R], run: str | None = None) -> dict[str, _R]:
    """The rows of the file by the ids of their questions; the last row of an id counts.

    An unfinished last row of an interrupted run is removed from the file. Raises
    :class:`UsageError` if the file is not a row file, or has rows of another run than ``run``.
    """
    rows: dict[str, _R] = {}
    *lines, unfinished = path.read_bytes().split(b"\n") if path.exists() else [b""]
    for number, line in enumerate(lines, 1):
        row = _row(line, kind)
        if row is None:
            raise _not_a_row(path, number)
        rows[row.id] = row
    if unfinished:
        # Only the beginning of a row may be removed: the file may have other content.
        begins = unfinished.startswith(_ROW_START[: len(unfinished)])
        if not begins or (_is_json(unfinished) and _row(unfinished, kind) is None):
            raise _not_a_row(path, len(lines) + 1)
    other = next((row.run for row in rows.values() if run and row.run != run), None)
    if run and other:
        raise UsageError(
            f"{path} has rows of another run: {short(other)}, not {short(run)}.",
            hint="Name another file for the rows.",
        )
    if unfinished:
        os.truncate(path, path.stat().st_size - len(unfinished))
    return rows


@contextmanager
def open_rows(path: Path | None) -> Iterator[Callable[[FileRow], None]]:
    """A function that appends a row to the file at once; without a path it does nothing."""
    if path is None:
        yield lambda _: None
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Half of a character has no UTF-8: it becomes its JSON escape.
        file = path.open("a", encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"Rows cannot be written to {path}: {error.strerror}.") from error
    with file:

        def write(row: FileRow) -> None:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            file.flush()

        yield write


def _row(line: bytes, kind: type[_R]) -> _R | None:
    try:
        values: dict[str, Any] = json.loads(line)
        types = {field.name: str(field.type) for field in fields(kind)}
        numbers = [name for name, type_ in types.items() if type_ in ("int", "float", "bool")]
        # Older rows lack newer measures.
        if all(isinstance(values[name], int | float) for name in numbers if name in values):
            return kind(**values)
    except (ValueError, TypeError, KeyError):
        pass
    return None


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _not_a_row(path: Path, number: int) -> UsageError:
    return UsageError(
        f"{path}, line {number}, is not a row of such an evaluation.",
        hint="Name another file for the rows.",
    )
