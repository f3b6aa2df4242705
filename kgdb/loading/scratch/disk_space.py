"""A disk or a memory that is too small for a source: told as what it is, whoever notices it."""

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
_LEAST = 50_000_000  # bytes

_CODES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# The last is DuckDB's own limit: nine tenths of what was free in its folder at the beginning.
_SAID = (
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "max_temp_directory_size",
)


def memory_limit(size: str) -> int:
    """The bytes of a size such as ``3GB`` or ``400MB``.

    Raises :class:`UsageError` for what is none, and for less than anything could be read with.
    """
    found = _SIZE.fullmatch(text("memory", size, "a size, such as 3GB", empty=True).strip())
    given = float(found[1]) * _UNITS[found[2].lower()] if found else 0
    if given < _LEAST:
        raise UsageError(
            f"memory is {short(size)}; expected a size from {_LEAST // 1_000_000}MB on.",
            hint="Write a number and its unit, such as 3GB; from 400MB on any text can be read.",
        )
    return int(given)


def lacks_room(error: BaseException) -> bool:
    """Whether the error says that a disk, or the memory that DuckDB may use, is too small."""
    return is_full(error) or isinstance(error, duckdb.OutOfMemoryException)


def is_full(error: BaseException) -> bool:
    """Whether the error says that there is no room left on a disk."""
    if isinstance(error, duckdb.Error):
        return any(said in str(error) for said in _SAID)
    return isinstance(error, OSError) and error.errno in _CODES


@contextmanager
def room_in(
    work: Path, told_by: tuple[type[Exception], ...] = (duckdb.Error, OSError)
) -> Iterator[None]:
    """Say what to do where errors of these kinds tell of a full disk, or of too little memory."""
    try:
        yield
    except told_by as error:
        if not lacks_room(error):
            raise
        if not is_full(error):
            raise LoadError(
                f"The memory that DuckDB may use is too small: {str(error).splitlines()[0]}",
                hint="Give it more with --memory, and give the same command again. Nothing of it "
                "is shown as loaded.",
            ) from error
        raise LoadError(
            f"There is no room left in {work} for what does not fit into the memory and for the "
            f"files to import; {shutil.disk_usage(work).free:,} bytes are free.",
            hint="Free space there, or name a folder on a larger disk with --work, and give the "
            "same command again. Nothing of it is shown as loaded, and what was written there is "
            "removed.",
        ) from error
