"""Scans of a file by DuckDB: its bad lines are kept, and it is converted where DuckDB fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File, MixedLineEnds
from kgdb.loading.scratch.disk_space import is_disk_full
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.loading.scratch.statement_progress import reporting_progress
from kgdb.wording import counted, plural

TEXT_LENGTH = 200
"""Characters of a rejected line that are kept."""

REJECTS = "store_rejects = true, rejects_limit = 0, rejects_scan = 'reading_scans', "
REJECTS += "rejects_table = 'reading_errors'"
"""Options of DuckDB's CSV reader: continue after a bad line, and store it."""

PROBLEM = "split_part(problem, ': ', 1)"
"""An SQL expression for the problem of a line, without the value that caused it."""

_FEW = 10

_PROBLEMS = """
    CASE error_type
        WHEN 'INVALID ENCODING' THEN 'is not UTF-8'
        WHEN 'LINE SIZE OVER MAXIMUM' THEN 'is too long'
        WHEN 'UNQUOTED VALUE' THEN 'has a quotation mark that does not close or is misplaced'
        WHEN 'TOO MANY COLUMNS' THEN 'too many columns'
        WHEN 'TOO FEW COLUMNS' THEN 'missing columns'
        ELSE lower(error_type)
    END"""


def create_rejected(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table ``rejected``, if it does not exist."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS rejected "
        "(source VARCHAR, file VARCHAR, line BIGINT, problem VARCHAR, text VARCHAR)"
    )


def drop_rejects(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop the error tables that the CSV reader wrote for the previous file."""
    connection.execute("DROP TABLE IF EXISTS reading_errors")
    connection.execute("DROP TABLE IF EXISTS reading_scans")


def collect_rejects(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    file: Path,
    *,
    read: int,
    lines: bool = False,
) -> None:
    """Move the errors of the CSV reader to ``rejected``.

    ``read`` is the number of accepted lines; with ``lines`` the reader read whole lines. Raises
    :class:`LoadError` if most lines of the file are not UTF-8.
    """
    # Only CSV files have numbers of records besides line numbers.
    connection.execute("ALTER TABLE reading_errors ADD COLUMN IF NOT EXISTS record BIGINT")
    refused, encoding = connection.execute(
        "SELECT count(DISTINCT coalesce(record, line)), "
        "count(DISTINCT coalesce(record, line)) FILTER (error_type = 'INVALID ENCODING') "
        "FROM reading_errors"
    ).fetchall()[0]
    if encoding >= _FEW and 2 * encoding > read + refused:
        raise LoadError(
            f"{file} is not UTF-8: {encoding:,} of its {counted(read + refused, 'line')} "
            f"{plural(encoding, 'is', 'are')} not.",
            hint="It may be Latin-1 (Windows-1252). Convert it, for example: "
            f"iconv -f WINDOWS-1252 -t UTF-8 {file.name} > converted",
        )
    problem = _PROBLEMS
    if lines:
        problem = problem.replace("'too many columns'", "'holds control characters'")
    connection.execute(
        f"INSERT INTO rejected SELECT {literal(table)}, {literal(str(file))}, line, "
        f"min({problem}), left(trim(min(csv_line), chr(10) || chr(13)), {TEXT_LENGTH}) "
        "FROM reading_errors GROUP BY line, record ORDER BY line"
    )


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
