"""What a failed statement tells: of itself, of the memory, of a database that ended."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from neo4j.exceptions import DriverError, Neo4jError

from kgdb import halted_database
from kgdb.disk import Disk
from kgdb.errors import (
    ArgumentRefused,
    DatabaseError,
    EntityNotFound,
    GraphNotFound,
    KgdbError,
    TimedOut,
)
from kgdb.graph.connection.reasons import first_line
from kgdb.wording import short

if TYPE_CHECKING:
    import neo4j

_NO_ENTITY = re.compile(r"no entit(?:y|ies) '((?:[^'\\]|\\.)*)'.* takes ids ")
_FINDS_IDS = ": kgdb.entities.link finds the ids of a name"
"""How the plugin tells of ids that are not there."""

_NO_GRAPH = re.compile(r"no graph '((?:[^'\\]|\\.)*)'; ")
"""How it tells of a graph that is not there: with the names of all that are."""

_REFUSED = "Neo.ClientError.Procedure.ProcedureCallFailed"
_WRAPPED = re.compile(r"Failed to invoke procedure `kgdb\.[\w.]+`: Caused by: ([\w.]+): ")
_BY_KGDB = "io.github.kgdb.KgdbException"

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
) -> KgdbError:
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
        return _of_the_statement(error)
    return DatabaseError(first_line(error))


def _of_the_statement(error: Neo4jError) -> KgdbError:
    """Why the statement failed: too slow, a mistake of the caller, or whatever the server says."""
    told = first_line(error)
    if "TimedOut" in (error.code or ""):
        return TimedOut(told)
    if unknown := _NO_ENTITY.search(told):
        message = told.removesuffix(_FINDS_IDS)
        return EntityNotFound(message, hint=names_hint([_unquoted(unknown[1])]))
    if not _is_refusal(error):
        return DatabaseError(told)
    if gone := _NO_GRAPH.search(told):
        return GraphNotFound(
            f"There is no graph {short(_unquoted(gone[1]))}.", hint="kgdb graphs lists them."
        )
    return ArgumentRefused(told)


def _is_refusal(error: Neo4jError) -> bool:
    """Whether a procedure of kgdb refused what it was given, and did not fail by a bug."""
    message = error.message or ""
    wrapped = _WRAPPED.match(message)
    is_own = message.startswith("kgdb.") if wrapped is None else wrapped[1] == _BY_KGDB
    return error.code == _REFUSED and is_own


def _unquoted(name: str) -> str:
    return name.replace("\\'", "'")


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
