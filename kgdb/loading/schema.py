"""The constraints and indexes that every graph needs, however it came into the database."""

from __future__ import annotations

from kgdb.graph.database import Database

_LONGEST_WAIT = 6 * 3600
"""Seconds for the indexes of a graph to be filled."""


def write_constraints(database: Database) -> None:
    """Those of the bookkeeping, and the names that graphs of thought are written with."""
    for constraint in ("load_constraint_graph", "load_constraint_relation"):
        database.write(constraint)
    database.write("load_thought_names")


def await_indexes(database: Database) -> None:
    """Wait until all indexes hold what is in the database."""
    database.write("await_indexes", {"seconds": _LONGEST_WAIT})
