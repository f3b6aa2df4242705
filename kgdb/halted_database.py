"""A database that stopped itself (Neo4j: "panic"): how it is recognised, and what is said of it.

The server goes on, and with it the database ``system``, which tells why; the database itself runs
nothing any more, not even a reading statement, until the server is restarted. The milder form: it
has closed itself to writing, as Neo4j does where a new file of the log finds no room in time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgdb.disk import Disk
from kgdb.errors import DatabaseError, DatabaseHalted

if TYPE_CHECKING:
    import neo4j

_NEEDS_RESTART = "critical error, and needs to be restarted"
_REFUSED = "Could not preallocate disk space for the transaction"
# What a statement is told that comes while the database stops itself, or that makes it do so.
_SUSPICIOUS = (
    _NEEDS_RESTART,
    "Could not append transaction",
    "Could not apply the transaction",
    _REFUSED,
    "No space left on device",
    "read only mode",
    "read-only mode",
)
CLOSED = "read only mode"
# With `out_of_disk_space_protection` Neo4j closes the database to writing where a new file of the
# log finds no room.
_DISK = ("No space left on device", "Disk quota exceeded", "read only mode")
_HEAP = ("OutOfMemory", "Java heap space", "GC overhead")
_PROBE_S = 5.0

BY_HAND = (
    "Look into that server's debug.log, free space on its disk if that is full, and restart it: "
    "nothing that was committed is lost. If it refuses to start because of unreadable bytes in its "
    "transaction log, set internal.dbms.tx_log.fail_on_corrupted_log_files=false for one start."
)


def may_be_halted(code: str | None, message: str | None) -> bool:
    """Whether an error of the server may come from a database that stopped itself."""
    internal = (code or "").startswith("Neo.DatabaseError.")
    return internal or any(part in (message or "") for part in _SUSPICIOUS)


def halt_reason(driver: neo4j.Driver, database: str, *, ours: bool) -> str | None:
    """Why the database stopped itself, or closed itself to writing, in Neo4j's words.

    ``None`` if it did neither. Only of a server that is ``ours`` it is known that nobody else
    closed it.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        _ask(driver, "RETURN 1", database)
    except Neo4jError as error:
        if _NEEDS_RESTART not in (error.message or ""):
            return None
    except DriverError:
        return None
    else:
        return CLOSED if ours and is_closed(driver, database) else None
    try:
        said = _shown(driver, database)["statusMessage"]
    except (DriverError, Neo4jError, LookupError):
        said = ""
    return said or "it does not say why"


def is_closed(driver: neo4j.Driver, database: str) -> bool:
    """Whether the database can only be read; Neo4j opens it again when it is restarted."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        return bool(_shown(driver, database)["access"] == "read-only")
    except (DriverError, Neo4jError, LookupError):
        return False


def _shown(driver: neo4j.Driver, database: str) -> neo4j.Record:
    rows = _ask(driver, "SHOW DATABASES YIELD name, access, statusMessage", "system")
    return {row["name"]: row for row in rows}[database]


def _ask(driver: neo4j.Driver, text: str, database: str) -> list[neo4j.Record]:
    with (
        driver.session(database=database) as session,
        session.begin_transaction(timeout=_PROBE_S) as transaction,
    ):
        return list(transaction.run(text))


def is_refused_for_space(message: str | None) -> bool:
    """Whether a transaction was refused, before it wrote anything, as the disk was full."""
    return _REFUSED in (message or "")


def no_space_error(uri: str, disk: Disk | None) -> DatabaseError:
    """The error for that: the database goes on, and can be read."""
    free_clause = f"; {disk.free_clause()}" if disk else ""
    missing = disk.bytes_to_start() - disk.free() if disk else 0
    least = f"at least {missing:,} bytes" if missing > 0 else "space"
    up = ", then run: kgdb up" if disk else " and restart the server"
    return DatabaseError(
        f"The disk of the database at {uri} is too full to write{free_clause}.",
        hint=f"Free {least} there{up}. The database can be read, and lost nothing.",
    )


def halt_error(reason: str, uri: str, disk: Disk | None) -> DatabaseHalted:
    """The error for a database that stopped itself for that reason."""
    what = "closed itself to writing" if reason == CLOSED else "stopped itself"
    return DatabaseHalted(
        f"The database at {uri} has {what}: {cause(reason, disk)}",
        hint=advice(reason, disk),
    )


def cause(reason: str, disk: Disk | None) -> str:
    """The reason as a sentence, with what is free now."""
    if any(part in reason for part in _DISK):
        if disk is None:
            return f"its disk was full ({reason})."
        return f"its disk was full ({reason}); {disk.free_clause()} now."
    if any(part in reason for part in _HEAP):
        return f"its heap was exhausted ({reason})."
    return f"{reason}."


def advice(reason: str, disk: Disk | None) -> str:
    """What to do about it."""
    if disk is None:
        return BY_HAND
    missing = disk.bytes_to_start() - disk.free()
    if missing > 0:
        return (
            f"Free {missing:,} bytes there, then run: kgdb up. Nothing that was committed is lost."
        )
    setting = "KGDB_HEAP=2g " if any(part in reason for part in _HEAP) else ""
    return f"{setting}kgdb up restarts it; nothing that was committed is lost."
