"""The constraints and indexes of every graph, loaded or adopted."""

from __future__ import annotations

from contextlib import suppress

from neo4j.exceptions import Neo4jError

from kgdb.errors import DatabaseError
from kgdb.graph.connection.catalog import BOOKKEEPING_CONSTRAINTS
from kgdb.graph.connection.database import Database

_MAX_WAIT_S = 6 * 3600
"""Seconds to wait for the indexes of a graph."""


_NAME_TAKEN = "Neo.ClientError.Schema.IndexWithNameAlreadyExists"


def write_constraints(database: Database) -> None:
    """Create the constraints of the bookkeeping, and the names used by graphs of thought."""
    graph, relation = BOOKKEEPING_CONSTRAINTS
    write_constraint(database, "load/constraint_graph", graph)
    write_constraint(database, "load/constraint_relation", relation)
    database.write("load/thought_names")


def drop_constraints(database: Database) -> None:
    """Drop the constraints of the bookkeeping, after the last graph is gone."""
    for name in BOOKKEEPING_CONSTRAINTS:
        database.write("drop/constraint", constraint=name)


def write_constraint(database: Database, statement: str, name: str, /, **places: str) -> None:
    """Create the constraint of that name by the statement, if it does not exist.

    Neo4j creates the index of a constraint first. If the server or the client ends before the
    constraint exists, that index stays without an owner, and Neo4j refuses the constraint for ever.
    """
    try:
        database.write(statement, **places)
    except DatabaseError as error:
        if not isinstance(error.__cause__, Neo4jError) or error.__cause__.code != _NAME_TAKEN:
            raise
        with suppress(
            DatabaseError
        ):  # the earlier client may have created the constraint meanwhile
            database.write("drop/index", index=name)
        database.write(statement, **places)


def await_indexes(database: Database) -> None:
    """Wait until all indexes are complete."""
    database.write("await_indexes", {"seconds": _MAX_WAIT_S})
