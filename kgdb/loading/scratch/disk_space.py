"""Errors of a disk or a memory that is too small for a source, and DuckDB's memory limit."""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from kgdb.errors import LoadError, UsageError
from kgdb.text_arguments import text
from kgdb.wording import short

MEMORY = "3GB"
"""DuckDB's default memory limit: with it, the whole process stays below 4 GB."""

_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?) ?([kmgt]i?b)", re.IGNORECASE)
_UNITS = {
    f"{letter}{unit}": base**power
    for power, letter in enumerate("kmgt", 1)
    for unit, base in (("b", 1000), ("ib", 1024))
}
_MIN_BYTES = 50_000_000

_CODES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# The last is DuckDB's own limit: nine tenths of the space that was free at the beginning.
_FULL_DISK = (
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "max_temp_directory_size",
)


def memory_limit(size: str) -> int:
    """The bytes of a size such as ``3GB`` or ``400MB``.

    Raises :class:`UsageError` for another text, and for a size too small to read any source.
    """
    match = _SIZE.fullmatch(text("memory", size, "a size, such as 3GB", empty=True).strip())
    limit = float(match[1]) * _UNITS[match[2].lower()] if match else 0
    if limit < _MIN_BYTES:
        raise UsageError(
            f"memory is {short(size)}; expected a size of {_MIN_BYTES // 1_000_000}MB or more.",
            hint="Write a number and its unit, such as 3GB. 400MB are enough for any text file.",
        )
    return int(limit)


def is_out_of_space(error: BaseException) -> bool:
    """Whether the error reports a full disk, or that DuckDB reached its memory limit."""
    return is_disk_full(error) or isinstance(error, duckdb.OutOfMemoryException)


def is_disk_full(error: BaseException) -> bool:
    """Whether the error reports a full disk."""
    if isinstance(error, duckdb.Error):
        return any(part in str(error) for part in _FULL_DISK)
    return isinstance(error, OSError) and error.errno in _CODES


@contextmanager
def explaining_full_disk(
    temp_folder: Path, kinds: tuple[type[Exception], ...] = (duckdb.Error, OSError)
) -> Iterator[None]:
    """Turn errors of these kinds about a full disk or memory into a :class:`LoadError`."""
    try:
        yield
    except kinds as error:
        if not is_out_of_space(error):
            raise
        if not is_disk_full(error):
            raise LoadError(
                f"DuckDB's memory limit is too low: {str(error).splitlines()[0]}",
                hint="Raise the limit with --memory, then run the same command again. The graph "
                "is not shown as loaded.",
            ) from error
        raise LoadError(
            f"The disk of {temp_folder} is full: {shutil.disk_usage(temp_folder).free:,} bytes are "
            "free. kgdb stores tables there that do not fit into memory, and the files to import.",
            hint="Free space there, or name a folder on a larger disk with --temp-folder, then run "
            "the same command again. kgdb has deleted its files there and does not show the graph "
            "as loaded.",
        ) from error
