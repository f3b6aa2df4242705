"""Stops a load or an unload before the disk of a local server's database is full.

A database whose disk fills up stops itself, for all its graphs. So there has to be room, before
each step, for what the step writes, for what the database has not written out yet, and for some
more, so that it can be stopped and started.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any

from kgdb.disk import CHECKPOINT_S, LOG_FILE, START_KEEPS, Disk
from kgdb.errors import LoadError
from kgdb.graph.database import Database
from kgdb.wording import short

_MIB = 1 << 20
_LATE_S = 15.0  # Neo4j looks every ten seconds whether a checkpoint is due
_POLL_S = 0.2

UNLOAD_KEEPS = START_KEEPS + 16 * _MIB
"""Bytes that stay free in an unload."""

LOAD_KEEPS = UNLOAD_KEEPS + 48 * _MIB
"""Bytes that stay free in a load: an unload can still be done where a load cannot."""

# Measured upper bounds: bytes of the log and of the store for a row, and for each byte of its text.
_ROW = 800
_TEXT_FACTOR = 3
ENTITY = 2_000
"""Bytes of log that removing an entity may take: it has some relationships."""


class DiskGuard:
    """Looks at the disk of a database before each step; without a known disk it does nothing."""

    def __init__(self, database: Database, keeps: int, doing: str, again: str) -> None:
        """``doing`` begins the error's sentence, and ``again`` tells what to do with free space."""
        self._disk = database.disk
        self._keeps = keeps
        self._doing = doing
        self._again = again

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Require room for writing these rows."""
        if self._disk is not None:
            self.room(sum(_ROW + _TEXT_FACTOR * _text(row) for row in rows))

    def room(self, size: int) -> None:
        """Require room for ``size`` bytes; raises :class:`LoadError` where there is not.

        The database is waited for where it may write out what is pending, and remove its log.
        """
        if self._disk is None:
            return
        until = time.monotonic() + CHECKPOINT_S + _LATE_S
        while (missing := self._missing(self._disk, size)) > 0:
            if self._disk.log_size() < LOG_FILE + _MIB or time.monotonic() > until:
                free = self._disk.free()
                raise LoadError(
                    f"{self._doing} stopped before the disk of {self._disk.data} is full, which "
                    f"would stop the database: {free:,} bytes are free, and {free + missing:,} are "
                    "needed to go on.",
                    hint=f"Free {missing:,} bytes there, and {self._again}",
                )
            time.sleep(_POLL_S)

    def _missing(self, disk: Disk, size: int) -> int:
        # All of the log may be pending: what it says is not in the store yet.
        return self._keeps + size + disk.log_size() - disk.free()


def loading_guard(database: Database, name: str) -> DiskGuard:
    """That of a load."""
    return DiskGuard(
        database,
        LOAD_KEEPS,
        f"Loading {short(name)}",
        "give the same command again: it goes on where it stopped. Nothing of the graph is shown "
        "as loaded until then, and the other graphs can be used.",
    )


def unloading_guard(database: Database, name: str) -> DiskGuard:
    """That of an unload."""
    return DiskGuard(
        database,
        UNLOAD_KEEPS,
        f"Removing {short(name)}",
        "give the same command again: it removes the rest.",
    )


def _text(row: Mapping[str, Any]) -> int:
    size = 0
    for value in row.values():
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, list | tuple):
            size += sum(len(each) if isinstance(each, str) else 8 for each in value)
    return size
