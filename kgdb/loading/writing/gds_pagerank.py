"""The PageRank of every entity, computed by Graph Data Science (GDS) while a graph is loaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from kgdb.errors import ConnectionFailed, DatabaseError, DatabaseHalted, UsageError
from kgdb.graph.catalog import GraphInfo
from kgdb.graph.database import Database
from kgdb.graph.projection import projected, whole
from kgdb.progress import Message, Report

PROPERTY = "pagerank"
"""The property of the entities that holds it."""


def write_pagerank(
    database: Database, graph: GraphInfo, attempt: str, write: Callable[[str], int], report: Report
) -> bool:
    """Project the graph and ``write`` the ranks from there; whether that was possible.

    ``attempt`` tells this load from others of the same graph. A server without GDS, or with too
    little memory for the projection, is no error: the graph is loaded without ranks.
    """
    if not database.has_gds:
        report(Message("The server has no Graph Data Science: loading without PageRank."))
        return False
    drop_left_projections(database, graph.name)
    with ExitStack() as stack:
        try:
            plan = whole(database, graph)
            name = _prefix(graph.name) + attempt
            projection = stack.enter_context(projected(database, graph, plan, name))
        except (ConnectionFailed, DatabaseHalted):
            raise
        except (UsageError, DatabaseError) as error:
            report(Message(f"Loading without PageRank: {error.message}"))
            return False
        write(projection.name)
    return True


def drop_left_projections(database: Database, graph: str) -> None:
    """Drop what loads of the graph left in the server's memory when they were killed."""
    if database.has_gds:
        database.write("load_projections_left", {"prefix": _prefix(graph), "failIfMissing": False})


def _prefix(graph: str) -> str:
    # No graph's name has a colon in it.
    return f"kgdb-load:{graph}:"
