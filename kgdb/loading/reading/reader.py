"""Reads the files of one input table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import duckdb

from kgdb.loading.reading.files import find
from kgdb.loading.reading.graph_elements import read_elements
from kgdb.loading.reading.ntriples import annotations_of
from kgdb.loading.reading.scan import create_rejected
from kgdb.loading.reading.source import FORMATS, Source
from kgdb.progress import Message, Report, silent


def read(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    paths: Sequence[Path],
    work: Path,
    *,
    report: Report = silent,
) -> None:
    """Create the table from the files, and add every unreadable line to ``rejected``.

    ``rejected`` has the columns ``source`` (the table), ``file``, ``line`` (from 1), ``problem``
    and ``text`` (its beginning). ``work`` is an existing folder for temporary files, with space for
    the unpacked files. No transaction may be open. Raises :class:`UsageError` or
    :class:`LoadError` for an unexpected format or a truncated file; then the table is incomplete.
    """
    source.check()
    create_rejected(connection)
    files = [find(path, source, work, report) for path in paths]
    for file in files:
        report(Message(f"Reading {file.name} …"))
    form = FORMATS[source.format]
    module, _, function = form.reader.partition(":")
    reader = getattr(import_module(f"kgdb.loading.reading.{module}"), function)
    with _keeping_row_order(connection):
        if form.elements:
            read_elements(connection, source, files, reader)
        else:
            reader(connection, source, files)


def tables_of(source: Source) -> tuple[str, ...]:
    """The tables that :func:`read` creates: for RDF, one of annotations beside that of triples."""
    if FORMATS[source.format].annotates:
        return source.table, annotations_of(source.table)
    return (source.table,)


@contextmanager
def _keeping_row_order(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Make DuckDB keep the rows in the order of the lines, for the line numbers."""
    setting = "SELECT current_setting('preserve_insertion_order')"
    before = connection.execute(setting).fetchall()[0][0]
    connection.execute("SET preserve_insertion_order = true")
    yield
    # Not in a finally clause: after an error the connection may refuse every statement.
    connection.execute(f"SET preserve_insertion_order = {'true' if before else 'false'}")
