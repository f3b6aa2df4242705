"""What a failed statement tells: of itself, of the memory, of a database that ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from neo4j.exceptions import DriverError, Neo4jError

from kgdb import halted_database
from kgdb.disk import Disk
from kgdb.errors import DatabaseError
from kgdb.graph.connection.reasons import first_line
from kgdb.wording import short

if TYPE_CHECKING:
    import neo4j

_NO_ENTITY = re.compile(r"no entit(?:y|ies) '((?:[^'\\]|\\.)*)'.* takes ids ")
_FINDS_IDS = ": kgdb.entities.link finds the ids of a name"
"""How the plugin tells of ids that are not there."""

_HEAP = "server.memory.heap.max_size"
_OUT_OF_MEMORY = {
    "Neo.DatabaseError.General.OutOfMemoryError": _HEAP,
    "Neo.TransientError.General.OutOfMemoryError": _HEAP,
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": _HEAP,
    "Neo.TransientError.General.TransactionOutOfMemoryError": "db.memory.transaction.max",
}
"""Codes of statements that found no memory, and the setting that gives more of it."""


def failed(
    error: DriverError | Neo4jError,
    driver: neo4j.Driver,
    database: str,
    uri: str,
    disk: Disk | None,
) -> DatabaseError:
    """What a statement's failure tells of the database, if it does; else what it says."""
    if isinstance(error, Neo4jError):
        code = error.code or ""
        if code in _OUT_OF_MEMORY or "OutOfMemoryError" in (error.message or ""):
            return _out_of_memory(error, uri, disk)
        if halted_database.is_refused_for_space(error.message):
            return halted_database.no_space_error(uri, disk)
        if halted_database.may_be_halted(code, error.message):
            reason = halted_database.halt_reason(driver, database, ours=disk is not None)
            if reason is not None:
                return halted_database.halt_error(reason, uri, disk)
    told = first_line(error)
    if unknown := _NO_ENTITY.search(told):
        message = told.removesuffix(_FINDS_IDS)
        return DatabaseError(message, hint=names_hint([unknown[1].replace("\\'", "'")]))
    return DatabaseError(told)


def names_hint(unknown: Iterable[str]) -> str:
    """What to do where names were given in the place of ids; the first stands for all."""
    name = next(iter(unknown))
    return f"kg.link([{short(name)}]) finds the entities of a name; pass these instead of it."


def _out_of_memory(error: Neo4jError, uri: str, disk: Disk | None) -> DatabaseError:
    setting = _OUT_OF_MEMORY.get(error.code or "", _HEAP)
    more = (
        "give the server a larger heap by KGDB_HEAP (kgdb status shows the present one): "
        "kgdb down && KGDB_HEAP=2g kgdb up"
        if disk
        else f"raise {setting} in that server's neo4j.conf and restart it"
    )
    return DatabaseError(
        f"The memory of the server at {uri} was not enough for a statement: {first_line(error)}",
        hint=f"Ask for less at once, or {more}.",
    )
