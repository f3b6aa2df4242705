"""Removes a graph from the database: its nodes, its bookkeeping, its indexes."""

from __future__ import annotations

from kgdb.errors import UsageError
from kgdb.graph.connection.catalog import REMOVING, GraphInfo, fulltext_index, list_graphs
from kgdb.graph.connection.database import Database
from kgdb.loading.writing.disk_guard import ENTITY, DiskGuard, unloading_guard
from kgdb.loading.writing.graph_constraints import drop_constraints
from kgdb.loading.writing.load_job import BATCH
from kgdb.loading.writing.pageranks import drop_leftover_projections
from kgdb.progress import Progress, Report, silent
from kgdb.wording import short


def unload(database: Database, graph: GraphInfo, *, report: Report = silent) -> None:
    """Remove a graph, its bookkeeping and its indexes; after an interruption, call it again.

    The first step marks the graph as not ready, and stops a running load of it. The nodes of an
    adopted graph stay, whatever labels they have. With the last graph the constraints of the
    bookkeeping go too. Raises :class:`LoadError` if the disk of a local server has too little free
    space.
    """
    guard = unloading_guard(database, graph.name)
    guard.require(0)
    database.write("unload/begin", {"name": graph.name, "state": REMOVING})
    if not graph.adopted:
        remove_entities(database, graph, guard, report)
    for index in graph.own_indexes or _indexes(graph):
        # The index of a constraint has no owner if the load ended before the constraint existed.
        database.write("drop/constraint", constraint=index)
        database.write("drop/index", index=index)
    drop_leftover_projections(database, graph.name)
    database.write("unload/bookkeeping", {"name": graph.name})
    if not list_graphs(database):
        drop_constraints(database)


def unadopt(database: Database, graph: GraphInfo, *, report: Report = silent) -> None:
    """Give an adopted graph back: its bookkeeping and the indexes that kgdb created go.

    Nothing else changes: the nodes, relationships, indexes and constraints of its owner stay.
    Raises :class:`UsageError` for a graph that kgdb loaded.
    """
    if not graph.adopted:
        raise UsageError(
            f"The graph {short(graph.name)} is not adopted: kgdb loaded it.",
            hint=f"To delete its nodes, run: kgdb remove {graph.name}",
        )
    unload(database, graph, report=report)


def _indexes(graph: GraphInfo) -> tuple[str, ...]:
    """The constraint and the indexes of a graph by the names that kgdb gives them."""
    names = (graph.id_constraint, fulltext_index(graph.label), *graph.name_indexes)
    return (*names, graph.embedding_index)


def remove_entities(database: Database, graph: GraphInfo, guard: DiskGuard, report: Report) -> None:
    """Delete the entities and literals of a graph in batches; ``guard`` may stop it in between."""
    deleted = 0
    parameters = {"limit": BATCH}
    while True:
        guard.require(BATCH * ENTITY)
        rows = database.write("unload/entities", parameters, label=graph.label)
        if not (count := rows[0]["deleted"]):
            return
        deleted += count
        report(Progress("removing entities", deleted, graph.entities, "entities"))
