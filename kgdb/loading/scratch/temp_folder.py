"""Temporary folders; each command also deletes the folders that killed commands left behind."""

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
_NEW_S = 1.0  # a new lock file is not locked in its first moment


@contextmanager
def new_temp_folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder below ``parent`` (default: the system's temporary folder), deleted at the end.

    A killed process leaves its folder behind, perhaps with many gigabytes. The next call deletes
    such folders: no process holds their locks.
    """
    parent = parent or Path(tempfile.gettempdir())
    _delete_abandoned(parent)
    with (
        tempfile.TemporaryDirectory(prefix=_PREFIX, dir=parent) as folder,
        filelock.FileLock(f"{folder}/{_LOCK}"),
    ):
        yield Path(folder)


def _delete_abandoned(parent: Path) -> None:
    for lock in parent.glob(f"{_PREFIX}*/{_LOCK}"):
        # It may belong to another user, or be deleted already.
        with suppress(OSError, filelock.Timeout):
            if time.time() - lock.stat().st_mtime > _NEW_S:
                with filelock.FileLock(lock, timeout=0):
                    shutil.rmtree(lock.parent, ignore_errors=True)
