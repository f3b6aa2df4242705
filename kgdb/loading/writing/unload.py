"""Removes a graph from the database: its nodes, its bookkeeping, its indexes."""

from __future__ import annotations

from kgdb.graph.connection.catalog import REMOVING, GraphInfo, list_graphs
from kgdb.graph.connection.database import Database
from kgdb.loading.writing.disk_guard import ENTITY, DiskGuard, unloading_guard
from kgdb.loading.writing.gds_pagerank import drop_leftover_projections
from kgdb.loading.writing.load_job import BATCH
from kgdb.loading.writing.schema import drop_constraints
from kgdb.progress import Progress, Report, silent


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
    database.write("drop/constraint", constraint=graph.id_constraint)
    # The constraint's index is without an owner if the load ended before the constraint existed.
    indexes = (graph.id_constraint, graph.fulltext_index, graph.name_index, graph.embedding_index)
    for index in indexes:
        database.write("drop/index", index=index)
    drop_leftover_projections(database, graph.name)
    database.write("unload/bookkeeping", {"name": graph.name})
    if not list_graphs(database):
        drop_constraints(database)


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
