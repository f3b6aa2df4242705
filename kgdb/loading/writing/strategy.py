"""The strategy of a load: an offline import into an empty local server, or batches over Bolt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal

from kgdb.errors import UsageError
from kgdb.graph import Database, list_graphs
from kgdb.language import Encoder
from kgdb.loading.preparing.prepared_source import PreparedSource
from kgdb.loading.writing.embeddings import RelationEncoding
from kgdb.loading.writing.graph_load import LoadResult, load
from kgdb.loading.writing.import_files import write_files
from kgdb.progress import Message, Report, silent
from kgdb.runtime import ImportOptions, LocalServer

LoadMode = Literal["auto", "offline", "online"]

Connect = Callable[[], AbstractContextManager[Database]]

IMPORT_FROM = 100_000
"""From this many triples on, an import is faster although it restarts the server."""


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
