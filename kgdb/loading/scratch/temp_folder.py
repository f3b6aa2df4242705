"""Folders for what is needed only while a command runs; those of killed commands are removed."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import filelock

_PREFIX = "kgdb-work-"
_LOCK = "in-use"
_NEW_S = 60.0  # in the first moment of a lock nobody holds it yet


@contextmanager
def workplace(parent: Path | None = None) -> Iterator[Path]:
    """A new folder below ``parent`` (default: the system's for temporary files), gone at the end.

    A killed process leaves its folder behind, perhaps with many gigabytes, and the next one removes
    it: nobody holds its lock any more.
    """
    place = parent or Path(tempfile.gettempdir())
    _sweep(place)
    with (
        tempfile.TemporaryDirectory(prefix=_PREFIX, dir=place) as folder,
        filelock.FileLock(f"{folder}/{_LOCK}"),
    ):
        yield Path(folder)


def _sweep(place: Path) -> None:
    for lock in place.glob(f"{_PREFIX}*/{_LOCK}"):
        # It may be somebody else's, or gone by now.
        with suppress(OSError, filelock.Timeout):
            if time.time() - lock.stat().st_mtime > _NEW_S:
                with filelock.FileLock(lock, timeout=0):
                    shutil.rmtree(lock.parent, ignore_errors=True)
