"""Stops a load or an unload before the disk of a local server's database is full.

A database with a full disk stops itself, for all its graphs. So before each step the disk needs
space for the rows of the step, for the pending pages of the database, and a reserve, with which the
server can stop and start.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from kgdb.disk import CHECKPOINT_S, LOG_FILE, START_RESERVE, Disk
from kgdb.errors import LoadError
from kgdb.graph.connection.database import Database
from kgdb.wording import short

_MIB = 1 << 20
_LATE_S = 15.0  # Neo4j checks every ten seconds whether a checkpoint is due
_POLL_S = 0.2

UNLOAD_RESERVE = START_RESERVE + 16 * _MIB
"""Bytes that an unload leaves free."""

LOAD_RESERVE = UNLOAD_RESERVE + 48 * _MIB
"""Bytes that a load leaves free: an unload must be possible after a load has stopped."""

# Measured upper bounds: bytes of log and store per row, and per byte of its texts.
_ROW = 800
_TEXT_FACTOR = 3
ENTITY = 2_000
"""Bytes of log for deleting one entity with its relationships."""


class DiskGuard:
    """Checks the disk of a database before each step; does nothing if the disk is unknown."""

    def __init__(self, database: Database, reserve: int, action: str, retry: str) -> None:
        """``action`` is the subject of the error; ``retry`` is the hint after freeing space."""
        self._disk = database.disk
        self._reserve = reserve
        self._action = action
        self._retry = retry

    def require_for_rows(self, require_for_rows: Iterable[Mapping[str, Any]]) -> None:
        """Require space for writing these rows."""
        if self._disk is not None:
            self.require(sum(_ROW + _TEXT_FACTOR * _text(row) for row in require_for_rows))

    def require(self, size: int) -> None:
        """Require space for ``size`` bytes; raises :class:`LoadError` if the disk lacks it.

        First waits for a checkpoint of the database, which may delete a part of its log.
        """
        if self._disk is None:
            return
        until = time.monotonic() + CHECKPOINT_S + _LATE_S
        while (missing := self._missing(self._disk, size)) > 0:
            if self._disk.log_size() < LOG_FILE + _MIB or time.monotonic() > until:
                free = self._disk.free()
                raise LoadError(
                    f"{self._action} stopped, because a full disk would stop the database: the "
                    f"disk of {self._disk.data} has {free:,} bytes free; {free + missing:,} are "
                    "needed to continue.",
                    hint=f"Free {missing:,} bytes there, then {self._retry}",
                )
            time.sleep(_POLL_S)

    def _missing(self, disk: Disk, size: int) -> int:
        # All of the log may be pending: the store may not contain its changes yet.
        return self._reserve + size + disk.log_size() - disk.free()


def loading_guard(database: Database, name: str) -> DiskGuard:
    """The guard of a load."""
    return DiskGuard(
        database,
        LOAD_RESERVE,
        f"Loading {short(name)}",
        "run the same command again to resume. Until then the graph is not shown as loaded; the "
        "other graphs work.",
    )


def unloading_guard(database: Database, name: str) -> DiskGuard:
    """The guard of an unload."""
    return DiskGuard(
        database,
        UNLOAD_RESERVE,
        f"Removing {short(name)}",
        "run the same command again to remove the rest.",
    )


def _text(row: Mapping[str, Any]) -> int:
    size = 0
    for value in row.values():
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, list | tuple):
            size += sum(len(each) if isinstance(each, str) else 8 for each in value)
    return size
