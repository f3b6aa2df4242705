"""Loads a prepared source: by an offline import into an empty local server, or over Bolt.

A load over Bolt makes a new graph, resumes or replaces one, or completes what was imported.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from neo4j.exceptions import ConstraintError

from kgdb.errors import DatabaseError, LoadError, UsageError
from kgdb.graph.connection.catalog import LOADING, READY, REMOVING, GraphInfo, list_graphs
from kgdb.graph.connection.database import Database
from kgdb.graph.retrieval.relation_vectors import RelationVectors
from kgdb.language import Encoder
from kgdb.loading.preparing.prepared_source import PreparedSource
from kgdb.loading.writing.disk_guard import loading_guard, unloading_guard
from kgdb.loading.writing.embeddings import RelationEncoding, write_relation_vectors
from kgdb.loading.writing.import_files import write_files
from kgdb.loading.writing.label_conflicts import (
    OTHER_LABEL,
    require_no_conflicts,
    require_unused_label,
)
from kgdb.loading.writing.load_job import IMPORTED, NOTHING, LoadJob, ResumePoint, write_missing
from kgdb.loading.writing.pageranks import PROPERTY, write_pagerank
from kgdb.loading.writing.unload import remove_entities, unload
from kgdb.progress import Message, Progress, Report, silent
from kgdb.runtime import ImportOptions, LocalServer
from kgdb.wording import short

_RANK, _INDEXED = 100, 300
"""About how many bytes an entity takes for its rank, and for its index entries."""

LoadMode = Literal["auto", "offline", "online"]
Connect = Callable[[], AbstractContextManager[Database]]
IMPORT_FROM = 100_000
"""From this many triples on, an import is faster although it restarts the server."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """``loaded`` is false if the same source was already loaded, so there was nothing to do."""

    graph: GraphInfo
    loaded: bool


def load(
    prepared: PreparedSource,
    database: Database,
    *,
    replace: bool = False,
    pagerank: bool = True,
    encoder: Callable[[], Encoder] | None = None,
    encoding: RelationEncoding | None = None,
    report: Report = silent,
) -> LoadResult:
    """Write the graph, its bookkeeping and its indexes, over Bolt.

    With ``pagerank``, if the server has Graph Data Science, each entity gets its PageRank. With an
    ``encoder``, each relation gets its embedding; ``encoding`` is a job that computes them already.
    If the same source is loaded, the call does nothing; if a load of it was interrupted, the call
    resumes it. Raises :class:`UsageError` if the name belongs to another source and ``replace`` is
    false, or if the label belongs to another graph or to nodes that kgdb did not load; raises
    :class:`LoadError` if the database fails, or another load takes over.
    """
    spec = prepared.spec
    current = _checked(prepared, database)
    encoding = encoding or RelationEncoding(prepared, encoder)
    job = LoadJob(prepared, database)
    guard = loading_guard(database, spec.name)
    try:
        while True:
            if current and is_loaded(prepared, current, replace=replace):
                return LoadResult(current, loaded=False)
            guard.require(0)
            encoding.start()
            start = _begin(job, current, report)
            if start is not None:
                break
            # Another process began or ended a load of that name meanwhile: check again.
            current = _checked(prepared, database)
        # After an import the constraint's index takes long, so it is built in the background. Only
        # batches need it first: they find their nodes by it.
        with ThreadPoolExecutor(1) as pool:
            if start.stage == IMPORTED:
                guard.require(prepared.counts.entities * _INDEXED)
            indexes = pool.submit(job.index)
            if start.stage == IMPORTED:
                job.constrain()
            else:
                indexes.result()
                write_missing(job, start, guard, report)
            if pagerank and not start.ranked:
                guard.require(prepared.counts.entities * _RANK)
            ranked = start.ranked or (pagerank and _write_pagerank(job, report))
            _describe(job, encoding, report)
            indexes.result()
        report(Message("Waiting for the indexes …"))
        return LoadResult(job.finish(pagerank=ranked), loaded=True)
    except DatabaseError as error:
        hint = "The graph is not shown as loaded. Run the same command again to resume."
        if isinstance(error.__cause__, ConstraintError):
            # A resumed load would meet the same constraint.
            hint += " First drop that constraint, or delete the conflicting node. To abandon the "
            hint += f"load: kgdb remove {spec.name}."
        raise LoadError(
            f"Loading {short(spec.name)} stopped: {error.message}", hint=_append_hint(error, hint)
        ) from error


def _checked(prepared: PreparedSource, database: Database) -> GraphInfo | None:
    """The graph of that name in the database; refuses conflicts with other content."""
    graphs = list_graphs(database)
    current = find_current(prepared, graphs)
    if current and current.sha256 == prepared.sha256:
        return current
    if not (current and current.label == prepared.spec.label):
        require_unused_label(database, prepared.spec.label)
    require_no_conflicts(prepared, database, graphs)
    return current


def _append_hint(error: DatabaseError, hint: str) -> str:
    """Both hints; the one about the database comes first."""
    return f"{error.hint} {hint}" if error.hint else hint


def find_current(prepared: PreparedSource, graphs: tuple[GraphInfo, ...]) -> GraphInfo | None:
    """The graph of that name in the database.

    Refuses the name of an adopted graph, and a label of another graph.
    """
    spec = prepared.spec
    existing = {graph.name: graph for graph in graphs}
    current = existing.pop(spec.name, None)
    if current and current.adopted:
        raise UsageError(
            f"The graph {short(spec.name)} is adopted; a load would not replace its nodes.",
            hint="Load under another name, or first remove the adopted graph with kgdb remove.",
        )
    source_labels = set(prepared.labels())
    for other in existing.values():
        if spec.label in other.labels:
            raise UsageError(
                f"The label {short(spec.label)} belongs to the graph {short(other.name)}.",
                hint=OTHER_LABEL,
            )
        if shared := sorted(source_labels.intersection(other.labels)):
            raise UsageError(
                f"The source labels entities {short(shared[0])}, which is a label of the "
                f"graph {short(other.name)}.",
                hint="Rename the label in the source, or load that graph under another name.",
            )
    return current


def is_loaded(prepared: PreparedSource, current: GraphInfo, *, replace: bool) -> bool:
    """Whether there is nothing to do; refuses to replace another source without ``replace``."""
    if current.sha256 == prepared.sha256:
        return current.state == READY
    if replace or current.state == REMOVING:
        return False
    if current.state == LOADING:
        # kgdb cannot know whether the other load still runs, here or on another machine.
        raise UsageError(
            f"Another source is being loaded as {short(current.name)}, or its load was "
            f"interrupted: {current.source}, or the same file with another version of its loader.",
            hint="Wait until kgdb graphs shows it as ready, or resume it with its own command. Or "
            "load this source under another name (--as NAME), or add --replace to end the other "
            "load and take its place.",
        )
    raise UsageError(
        f"The graph {short(prepared.spec.name)} is already loaded, from another source or with "
        f"another version of its loader ({current.source}).",
        hint="To replace it, run the same command with --replace.",
    )


def _describe(job: LoadJob, encoding: RelationEncoding, report: Report) -> None:
    """Write the bookkeeping nodes and the embeddings of the relations."""
    relations, vectors = encoding.result()
    job.describe_relations(relations)
    match vectors:
        case RelationVectors():
            write_relation_vectors(job.database, job.spec.name, vectors)
        case str(reason):
            report(Message(f"No embeddings of relations: {reason}"))


def _begin(job: LoadJob, current: GraphInfo | None, report: Report) -> ResumePoint | None:
    """Resume an interrupted load of the same source, or else announce the graph.

    ``None`` if the database no longer has ``current``: another process changed it.
    """
    if current and current.state == LOADING and (start := job.take_over()):
        if start.stage != NOTHING:
            if start.stage != IMPORTED:
                report(Message(f"Resuming the interrupted load of {short(current.name)} …"))
            return start
    else:
        if current and current.label != job.spec.label:
            unload(job.database, current, report=report)
            current = None
        # The token comes first: from now on the database refuses batches of earlier jobs.
        if not job.begin(current):
            return None
    if current:
        report(Message(f"Removing the earlier graph {short(current.name)} …"))
        guard = unloading_guard(job.database, current.name)
        remove_entities(job.database, current, guard, report)
    return ResumePoint()


def _write_pagerank(job: LoadJob, report: Report) -> bool:
    """Write the ranks of all entities; if that is impossible, report why and return false."""
    spec, counts = job.spec, job.prepared.counts
    graph = GraphInfo(
        name=spec.name,
        labels=(spec.label,),
        title=spec.title,
        state=LOADING,
        source=str(job.prepared.source),
        sha256=job.prepared.sha256,
        triples=counts.triples,
        entities=counts.entities,
        relations=counts.relations,
        loaded_at=None,
    )

    def write(projection: str) -> int:
        config = {"writeProperty": PROPERTY}
        return job.write("load/pagerank", {"projection": projection, "config": config})

    report(Progress("ranking entities", 0, counts.entities, "entities"))
    ranked = write_pagerank(job.database, graph, job.token, write, report)
    if ranked:
        report(Progress("ranking entities", counts.entities, counts.entities, "entities"))
    return ranked


def load_auto(
    prepared: PreparedSource,
    server: LocalServer | None,
    connect: Connect,
    *,
    mode: LoadMode = "auto",
    replace: bool = False,
    pagerank: bool = True,
    encoder: Callable[[], Encoder] | None = None,
    report: Report = silent,
) -> LoadResult:
    """Load a graph in the given mode; ``"auto"`` chooses the faster mode of the possible ones.

    ``server`` is the local server that ``connect`` connects to, or ``None`` for a server that kgdb
    does not run and so cannot stop. Raises :class:`UsageError` if ``mode`` is ``"offline"`` and
    the server is not local or not empty, and the errors of :func:`load`.
    """
    if mode == "offline" and server is None:
        raise UsageError(
            "kgdb does not run this server, so it cannot load offline.",
            hint="Omit --mode, or unset NEO4J_URI to use the local server.",
        )
    encoding = RelationEncoding(prepared, encoder)
    if server and (
        mode == "offline" or (mode == "auto" and prepared.counts.triples >= IMPORT_FROM)
    ):
        if server.is_empty(report):
            _import(prepared, server, encoding, pagerank=pagerank, report=report)
        elif mode == "offline" and not _has_source(prepared, connect):
            raise UsageError(
                "The database is not empty: an import would replace its content.",
                hint="Omit --mode to load beside the other graphs, or empty it: kgdb remove --all",
            )
    with connect() as database:
        return load(
            prepared,
            database,
            replace=replace,
            pagerank=pagerank,
            encoding=encoding,
            report=report,
        )


def _has_source(prepared: PreparedSource, connect: Connect) -> bool:
    """Whether the database has the same source, loaded or still loading: no import is needed."""
    with connect() as database:
        return any(
            graph.name == prepared.spec.name and graph.sha256 == prepared.sha256
            for graph in list_graphs(database)
        )


def _import(
    prepared: PreparedSource,
    server: LocalServer,
    encoding: RelationEncoding,
    *,
    pagerank: bool,
    report: Report,
) -> None:
    """Import the data. The graph is then marked as loading; :func:`load` continues over Bolt."""
    files = write_files(prepared, ranked=pagerank, report=report)
    encoding.start()
    report(Message("Importing …"))
    counts = prepared.counts
    # The graph has a node of its own.
    rows = counts.entities + counts.literals + 1, counts.triples
    server.import_store(
        files.nodes,
        files.relationships,
        options=ImportOptions(
            multiline=files.multiline, rows=rows, max_row_bytes=files.max_row_bytes
        ),
        report=report,
    )
