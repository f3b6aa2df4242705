"""The disk of a local server's database, and the space that has to stay free on it.

A database without space for its transaction log stops itself. So every large write of kgdb checks
the disk here first.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ServerError

_MIB = 1 << 20

LOG_FILE = 16 * _MIB
"""Bytes of one file of the transaction log, allocated when the file is created."""

CHECKPOINT_S = 15
"""Seconds between checkpoints: then the changes in the log are written to the store."""

START_RESERVE = 48 * _MIB
"""Bytes that a start needs: log files of both databases, indexes, files of Java."""

_FIRST_START = 128 * _MIB
_LOG_FILES = "neostore.transaction.db.*"


@dataclass(frozen=True, slots=True)
class Disk:
    """The disk of one local server: ``data`` is the data folder, ``log`` the transaction log."""

    data: Path
    log: Path

    def free(self) -> int:
        """Free bytes now."""
        return shutil.disk_usage(self.data).free

    def log_size(self) -> int:
        """Bytes of the transaction log.

        Changes after the last checkpoint still have to be written to the store too.
        """
        size = 0
        for path in self.log.glob(_LOG_FILES):
            try:
                size += path.stat().st_size
            except FileNotFoundError:
                continue  # a checkpoint has deleted it
        return size

    def bytes_to_start(self) -> int:
        """Bytes that a start needs; it may have to write all changes of the log to the store."""
        return START_RESERVE + self.log_size() if self.log.exists() else _FIRST_START

    def can_start(self) -> bool:
        """Whether the disk has space for a start."""
        return self.free() >= self.bytes_to_start()

    def free_clause(self) -> str:
        """The free space, as a clause of a message."""
        return f"{self.free():,} bytes are free on the disk of {self.data}"


def require_start_space(disk: Disk) -> None:
    """Raise :class:`ServerError` unless the disk has space for a start."""
    needed, free = disk.bytes_to_start(), disk.free()
    if free < needed:
        raise ServerError(
            f"The disk of {disk.data} is full: {free:,} bytes are free, and the database needs "
            f"{needed:,} to start.",
            hint=f"Free {needed - free:,} bytes there, then run: kgdb up. All committed data are "
            "safe.",
        )
