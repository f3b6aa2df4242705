"""The constraints and indexes that every graph needs, however it came into the database."""

from __future__ import annotations

from contextlib import suppress

from neo4j.exceptions import Neo4jError

from kgdb.errors import DatabaseError
from kgdb.graph.catalog import BOOKKEEPING_CONSTRAINTS
from kgdb.graph.database import Database

_LONGEST_WAIT = 6 * 3600
"""Seconds for the indexes of a graph to be filled."""


_NAME_TAKEN = "Neo.ClientError.Schema.IndexWithNameAlreadyExists"


def write_constraints(database: Database) -> None:
    """Those of the bookkeeping, and the names that graphs of thought are written with."""
    graph, relation = BOOKKEEPING_CONSTRAINTS
    write_constraint(database, "load_constraint_graph", graph)
    write_constraint(database, "load_constraint_relation", relation)
    database.write("load_thought_names")


def drop_constraints(database: Database) -> None:
    """Remove those of the bookkeeping, of which there is none any more."""
    for name in BOOKKEEPING_CONSTRAINTS:
        database.write("drop_constraint", constraint=name)


def write_constraint(database: Database, statement: str, name: str, /, **places: str) -> None:
    """Make the constraint of that name, if it is not there already, by a statement that makes it.

    Neo4j makes a constraint's index first, and leaves it behind, as nobody's, where the server or
    the client ends before the constraint is there. It would refuse the constraint for ever.
    """
    try:
        database.write(statement, **places)
    except DatabaseError as error:
        if not isinstance(error.__cause__, Neo4jError) or error.__cause__.code != _NAME_TAKEN:
            raise
        with suppress(DatabaseError):  # what was still at work may have made the constraint
            database.write("drop_index", index=name)
        database.write(statement, **places)


def await_indexes(database: Database) -> None:
    """Wait until all indexes hold what is in the database."""
    database.write("await_indexes", {"seconds": _LONGEST_WAIT})
