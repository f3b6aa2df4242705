"""One way to let DuckDB scan a file, whatever its line ends, and to explain what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File, MixedLineEnds
from kgdb.loading.scratch.disk_space import is_full
from kgdb.loading.scratch.statement_progress import watched

_NO_GZIP = "GZIP"
"""In what DuckDB says of gzip data with a comment or a checksum in front, or zeros behind them."""

_MIXED = "state machine reached an invalid state"
"""What DuckDB says of a file with different line ends."""


def scan(connection: duckdb.DuckDBPyConnection, file: File, run: Callable[[File], None]) -> None:
    """Run what reads the file; once more unpacked or with even line ends, where it needs that.

    What the first run wrote is gone then.
    """
    try:
        try:
            size = file.path.stat().st_size
            with (
                watched(connection, f"reading {file.name.name}", size, "bytes", file.report),
                _undone_if_it_fails(connection),
            ):
                run(file)
        except (duckdb.InvalidInputException, MixedLineEnds) as error:
            if isinstance(error, duckdb.Error) and _MIXED not in str(error):
                raise
            with file.with_even_line_ends() as even:
                run(even)
    except duckdb.OutOfMemoryException as error:
        if is_full(error):
            raise
        raise LoadError(
            f"The memory that DuckDB may use is too small for {file.name}: {_first_line(error)}",
            hint="Give it more: 400MB (--memory) are enough to read a file of any length.",
        ) from error
    except duckdb.Error as error:
        if is_full(error):
            raise
        if file.compression == "gzip" and _NO_GZIP in str(error):
            with file.unpacked() as plain:
                scan(connection, plain, run)
            return
        raise LoadError(f"{file.name} cannot be read: {_first_line(error)}") from error


@contextmanager
def _undone_if_it_fails(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    connection.begin()
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # where the first one left nothing to undo
            connection.rollback()
        raise
    connection.commit()


def options(file: File) -> str:
    """Options of DuckDB's reader for what it would take from the path: compression, and columns.

    A folder called ``head=x`` would be a column ``head``.
    """
    return f", compression = '{file.compression}', hive_partitioning = false"


def _first_line(error: duckdb.Error) -> str:
    return str(error).split("\n")[0]
