"""The PageRank of every entity, computed by Graph Data Science (GDS) while a graph is loaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from kgdb.errors import ConnectionFailed, DatabaseError, DatabaseHalted, UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.gds.projection import projected, whole
from kgdb.progress import Message, Report

PROPERTY = "pagerank"
"""The property of an entity that stores its PageRank."""


def write_pagerank(
    database: Database, graph: GraphInfo, token: str, write: Callable[[str], int], report: Report
) -> bool:
    """Project the graph and ``write`` the ranks; returns whether that was possible.

    ``token`` distinguishes this load from other loads of the graph. A server without GDS, or
    without enough memory for the projection, is no error: the graph is loaded without ranks.
    """
    if not database.has_gds:
        report(Message("The server has no Graph Data Science: loading without PageRank."))
        return False
    drop_leftover_projections(database, graph.name)
    with ExitStack() as stack:
        try:
            plan = whole(database, graph)
            name = _prefix(graph.name) + token
            projection = stack.enter_context(projected(database, graph, plan, name))
        except (ConnectionFailed, DatabaseHalted):
            raise
        except (UsageError, DatabaseError) as error:
            report(Message(f"Loading without PageRank: {error.message}"))
            return False
        write(projection.name)
    return True


def drop_leftover_projections(database: Database, graph: str) -> None:
    """Drop the projections that killed loads of the graph left in the server's memory."""
    if database.has_gds:
        database.write("load/projections_left", {"prefix": _prefix(graph), "failIfMissing": False})


def _prefix(graph: str) -> str:
    # Names of graphs have no colon, so prefixes of different graphs differ.
    return f"kgdb-load:{graph}:"
