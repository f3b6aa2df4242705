"""The disk that the database of a local server lies on, and how much of it has to stay free.

A database that finds no room for its transaction log stops itself. It is never to come so far: who
writes much through kgdb looks here first.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from kgdb.errors import ServerError

_MIB = 1 << 20

LOG_FILE = 16 * _MIB
"""Bytes of one file of a database's transaction log, taken from the disk when it is begun."""

CHECKPOINT_S = 15
"""Seconds after which a database that is written to writes out what only its log holds."""

START_RESERVE = 48 * _MIB
"""Bytes that a start needs: new files of the logs of both databases, indexes, what Java writes."""

_FIRST_START = 128 * _MIB
_LOG_FILES = "neostore.transaction.db.*"


@dataclass(frozen=True, slots=True)
class Disk:
    """Where the database of one local server lies: ``data`` is what its instance calls so."""

    data: Path
    log: Path

    def free(self) -> int:
        """Bytes that are free now."""
        return shutil.disk_usage(self.data).free

    def log_size(self) -> int:
        """Bytes of the transaction log.

        What of it no checkpoint has passed yet is to be written to the store as well.
        """
        size = 0
        for path in self.log.glob(_LOG_FILES):
            try:
                size += path.stat().st_size
            except FileNotFoundError:
                continue  # a checkpoint has removed it
        return size

    def bytes_to_start(self) -> int:
        """Bytes that must be free for a start, which may have to repeat what the log says."""
        return START_RESERVE + self.log_size() if self.log.exists() else _FIRST_START

    def can_start(self) -> bool:
        """Whether there is room for a start."""
        return self.free() >= self.bytes_to_start()

    def free_clause(self) -> str:
        """How much is free, as a clause."""
        return f"{self.free():,} bytes are free on the disk of {self.data}"


def require_start_space(disk: Disk) -> None:
    """Raise :class:`ServerError` unless the disk has room for a start."""
    needed, free = disk.bytes_to_start(), disk.free()
    if free < needed:
        raise ServerError(
            f"The disk of {disk.data} is full: {free:,} bytes are free, and to start the database "
            f"{needed:,} are needed.",
            hint=f"Free {needed - free:,} bytes there, then run: kgdb up. What was committed is "
            "kept.",
        )
