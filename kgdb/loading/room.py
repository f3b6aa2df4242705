"""A disk that fills up while a source is read: told as what it is, whoever notices it first."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from kgdb.errors import LoadError

_CODES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# The last is DuckDB's own limit: nine tenths of what was free in its folder at the beginning.
_SAID = (
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "max_temp_directory_size",
)


def is_full(error: BaseException) -> bool:
    """Whether the error says that there is no room left on a disk."""
    if isinstance(error, duckdb.Error):
        return any(said in str(error) for said in _SAID)
    return isinstance(error, OSError) and error.errno in _CODES


@contextmanager
def room_in(
    work: Path, told_by: tuple[type[Exception], ...] = (duckdb.Error, OSError)
) -> Iterator[None]:
    """Name the folder, and what to do, where errors of these kinds say that its disk is full."""
    try:
        yield
    except told_by as error:
        if not is_full(error):
            raise
        raise LoadError(
            f"There is no room left in {work} for what does not fit into the memory and for the "
            f"files to import; {shutil.disk_usage(work).free:,} bytes are free.",
            hint="Free space there, or name a folder on a larger disk with --work, and give the "
            "same command again. Nothing of it is shown as loaded, and what was written there is "
            "removed.",
        ) from error
