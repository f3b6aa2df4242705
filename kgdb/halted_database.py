"""A halted database: how kgdb recognises it and explains it.

Neo4j calls it a panic: the database refuses every statement, even a read, until the server
restarts. The server and its database ``system`` still run, and ``system`` knows the reason. In the
milder form the database only refuses writes, because a new log file did not fit on the disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgdb.disk import Disk
from kgdb.errors import DatabaseError, DatabaseHalted

if TYPE_CHECKING:
    import neo4j

_NEEDS_RESTART = "critical error, and needs to be restarted"
_NO_SPACE = "Could not preallocate disk space for the transaction"
# Parts of the errors of statements that run while the database stops, or that make it stop.
_HALT_SIGNS = (
    _NEEDS_RESTART,
    "Could not append transaction",
    "Could not apply the transaction",
    _NO_SPACE,
    "No space left on device",
    "read only mode",
    "read-only mode",
)
CLOSED = "read only mode"
# With `out_of_disk_space_protection` Neo4j refuses writes when a new log file does not fit on the
# disk.
_FULL_DISK = ("No space left on device", "Disk quota exceeded", "read only mode")
_HEAP = ("OutOfMemory", "Java heap space", "GC overhead")
_PROBE_S = 5.0

RESTART_ADVICE = (
    "Read the debug.log of that server, free space if its disk is full, and restart it: all "
    "committed data are safe. If it does not start because its transaction log has unreadable "
    "bytes, set internal.dbms.tx_log.fail_on_corrupted_log_files=false for one start."
)


def may_be_halted(code: str | None, message: str | None) -> bool:
    """Whether an error of the server may be caused by a halted database."""
    internal = (code or "").startswith("Neo.DatabaseError.")
    return internal or any(part in (message or "") for part in _HALT_SIGNS)


def halt_reason(driver: neo4j.Driver, database: str, *, ours: bool) -> str | None:
    """The reason why the database halted or refuses writes, in Neo4j's words; ``None`` if neither.

    ``ours``: kgdb runs the server. Only then a read-only database counts: in another server its
    administrator may have closed it.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        _run(driver, "RETURN 1", database)
    except Neo4jError as error:
        if _NEEDS_RESTART not in (error.message or ""):
            return None
    except DriverError:
        return None
    else:
        return CLOSED if ours and is_closed(driver, database) else None
    try:
        reason = _database_row(driver, database)["statusMessage"]
    except (DriverError, Neo4jError, LookupError):
        reason = ""
    return reason or "Neo4j gives no reason"


def is_closed(driver: neo4j.Driver, database: str) -> bool:
    """Whether the database is read-only; a restart of Neo4j makes it writable again."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        return bool(_database_row(driver, database)["access"] == "read-only")
    except (DriverError, Neo4jError, LookupError):
        return False


def _database_row(driver: neo4j.Driver, database: str) -> neo4j.Record:
    rows = _run(driver, "SHOW DATABASES YIELD name, access, statusMessage", "system")
    return {row["name"]: row for row in rows}[database]


def _run(driver: neo4j.Driver, text: str, database: str) -> list[neo4j.Record]:
    with (
        driver.session(database=database) as session,
        session.begin_transaction(timeout=_PROBE_S) as transaction,
    ):
        return list(transaction.run(text))


def is_refused_for_space(message: str | None) -> bool:
    """Whether Neo4j refused a transaction before its first write because the disk is full."""
    return _NO_SPACE in (message or "")


def no_space_error(uri: str, disk: Disk | None) -> DatabaseError:
    """The error for a refused transaction: the database still runs and answers reads."""
    free = f"; {disk.free_clause()}" if disk else ""
    missing = disk.bytes_to_start() - disk.free() if disk else 0
    needed = f"at least {missing:,} bytes" if missing > 0 else "space"
    restart = ", then run: kgdb up" if disk else " and restart the server"
    return DatabaseError(
        f"The disk of the database at {uri} is too full to write{free}.",
        hint=f"Free {needed} there{restart}. Reads still work, and no data are lost.",
    )


def halt_error(reason: str, uri: str, disk: Disk | None) -> DatabaseHalted:
    """The error for a database that halted for that reason."""
    state = "refuses writes" if reason == CLOSED else "has stopped itself"
    return DatabaseHalted(
        f"The database at {uri} {state}: {cause(reason, disk)}",
        hint=advice(reason, disk),
    )


def cause(reason: str, disk: Disk | None) -> str:
    """The reason as a sentence, with the free space of the disk."""
    if any(part in reason for part in _FULL_DISK):
        if disk is None:
            return f"its disk was full ({reason})."
        return f"its disk was full ({reason}); {disk.free_clause()} now."
    if any(part in reason for part in _HEAP):
        return f"its heap was exhausted ({reason})."
    return f"{reason}."


def advice(reason: str, disk: Disk | None) -> str:
    """The next step for the user."""
    if disk is None:
        return RESTART_ADVICE
    missing = disk.bytes_to_start() - disk.free()
    if missing > 0:
        return f"Free {missing:,} bytes there, then run: kgdb up. All committed data are safe."
    setting = "KGDB_HEAP=2g " if any(part in reason for part in _HEAP) else ""
    return f"Restart it with: {setting}kgdb up. All committed data are safe."
