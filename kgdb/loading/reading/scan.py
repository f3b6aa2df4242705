"""Scans of a file by DuckDB, repeated with converted line ends or unpacked where needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File, MixedLineEnds
from kgdb.loading.scratch.disk_space import is_disk_full
from kgdb.loading.scratch.statement_progress import reporting_progress

_NO_GZIP = "GZIP"
"""Part of DuckDB's error for gzip data with a comment or a header checksum, or trailing zeros."""

_MIXED = "state machine reached an invalid state"
"""Part of DuckDB's error for a file with different line ends."""


def scan(connection: duckdb.DuckDBPyConnection, file: File, run: Callable[[File], None]) -> None:
    """Run a reader of the file; if it fails, run it again on a converted copy.

    The copy is unpacked or has uniform line ends. The rows of the first run are rolled back.
    """
    try:
        try:
            size = file.path.stat().st_size
            with (
                reporting_progress(
                    connection, f"reading {file.name.name}", size, "bytes", file.report
                ),
                _rolled_back_on_error(connection),
            ):
                run(file)
        except (duckdb.InvalidInputException, MixedLineEnds) as error:
            if isinstance(error, duckdb.Error) and _MIXED not in str(error):
                raise
            with file.with_even_line_ends() as even:
                run(even)
    except duckdb.OutOfMemoryException as error:
        if is_disk_full(error):
            raise
        raise LoadError(
            f"DuckDB's memory limit is too low for {file.name}: {_first_line(error)}",
            hint="Raise it with --memory: 400MB are enough for a text file of any length.",
        ) from error
    except duckdb.Error as error:
        if is_disk_full(error):
            raise
        if file.compression == "gzip" and _NO_GZIP in str(error):
            with file.unpacked() as plain:
                scan(connection, plain, run)
            return
        raise LoadError(f"{file.name} cannot be read: {_first_line(error)}") from error


@contextmanager
def _rolled_back_on_error(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    connection.begin()
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # the failed statement may have ended the transaction
            connection.rollback()
        raise
    connection.commit()


def options(file: File) -> str:
    """Options that keep DuckDB from guessing the compression and columns from the path.

    Otherwise a folder ``head=x`` would become a column ``head``.
    """
    return f", compression = '{file.compression}', hive_partitioning = false"


def _first_line(error: duckdb.Error) -> str:
    return str(error).split("\n")[0]
