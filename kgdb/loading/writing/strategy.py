"""The way into a database: import into an empty server of ours, or batches over Bolt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal

from kgdb.errors import UsageError
from kgdb.graph import Database, list_graphs
from kgdb.language import Encoder
from kgdb.loading.preparing.prepared_source import Prepared
from kgdb.loading.writing.import_files import write_files
from kgdb.loading.writing.load import LoadResult, load
from kgdb.loading.writing.relation_encoding import RelationsAhead
from kgdb.progress import Message, Report, silent
from kgdb.runtime import ImportOptions, LocalServer

Way = Literal["auto", "offline", "online"]

Connect = Callable[[], AbstractContextManager[Database]]

WORTHWHILE = 100_000
"""Triples from which an import is faster, though the server has to be stopped for it."""


def load_somehow(
    prepared: Prepared,
    server: LocalServer | None,
    connect: Connect,
    *,
    way: Way = "auto",
    replace: bool = False,
    pagerank: bool = True,
    encoder: Callable[[], Encoder] | None = None,
    report: Report = silent,
) -> LoadResult:
    """Load by the way that is asked for, or the faster one of those that are open.

    ``server`` is the local server that ``connect`` connects to, started when needed, or ``None``:
    another one, which is not ours to stop. Raises :class:`UsageError` where ``way`` is
    ``"offline"`` and the server is not ours, or not empty; else as :func:`load`.
    """
    if way == "offline" and server is None:
        raise UsageError(
            "The server is not run by kgdb: it cannot be loaded offline.",
            hint="Leave --way out, or unset NEO4J_URI to use the local server.",
        )
    ahead = RelationsAhead(prepared, encoder)
    if server and (way == "offline" or (way == "auto" and prepared.counts.triples >= WORTHWHILE)):
        if server.is_empty(report):
            _fill(prepared, server, ahead, pagerank=pagerank, report=report)
        elif way == "offline" and not _is_known(prepared, connect):
            raise UsageError(
                "The database is not empty: an import would replace all that is in it.",
                hint="Leave --way out to load beside what is there, or empty it: kgdb reset",
            )
    with connect() as database:
        return load(
            prepared,
            database,
            replace=replace,
            pagerank=pagerank,
            ahead=ahead,
            report=report,
        )


def _is_known(prepared: Prepared, connect: Connect) -> bool:
    """Whether the same source is there, loaded or not yet: then nothing has to be imported."""
    with connect() as database:
        return any(
            graph.name == prepared.spec.name and graph.sha256 == prepared.sha256
            for graph in list_graphs(database)
        )


def _fill(
    prepared: Prepared,
    server: LocalServer,
    ahead: RelationsAhead,
    *,
    pagerank: bool,
    report: Report,
) -> None:
    """Import the data; the graph is then marked as loading, and gone on with over Bolt."""
    files = write_files(prepared, ranked=pagerank, report=report)
    ahead.begin()
    report(Message("Importing …"))
    counts = prepared.counts
    # The graph has a node of its own.
    rows = counts.entities + counts.literals + 1, counts.triples
    server.import_store(
        files.nodes,
        files.relationships,
        options=ImportOptions(multiline=files.multiline, rows=rows, longest=files.longest),
        report=report,
    )
