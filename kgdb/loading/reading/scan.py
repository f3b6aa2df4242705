"""Scans of a file by DuckDB: its bad lines are kept, and it is converted where DuckDB fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File, MixedLineEnds
from kgdb.loading.scratch.disk_space import is_disk_full
from kgdb.loading.scratch.sql_quoting import identifier, literal, one_file
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

_NO_GZIP = "GZIP"
"""Part of DuckDB's error for gzip data with a comment or a header checksum, or trailing zeros."""

_MIXED = "state machine reached an invalid state"
"""Part of DuckDB's error for a file with different line ends."""

MAX_LINE_BYTES = 1 << 24
"""The limit for the bytes of a line; longer lines are rejected."""

# A delimiter that no text contains: these three control characters in a row.
_NEVER = "chr(1) || chr(2) || chr(3)"


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


class LineTable:
    """Fills the table ``table`` with a row for each line, file after file.

    With any number of threads, the row ids of a DuckDB table keep the order of a file's lines, so
    the table needs no column for line numbers. No row may be deleted before the last
    :meth:`reject`. Rejected lines are reported under the name ``source``.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, table: str, source: str) -> None:
        self._connection = connection
        self._table = table
        self._source = source
        self._files = 0
        # For the rows from `first` on: their file, and the shift from row id to line number.
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE reading_line_shifts "
            "(first BIGINT, number BIGINT, file VARCHAR, shift BIGINT)"
        )

    def append(self, file: File, row: str) -> None:
        """Add the lines of the file; ``row`` is a SELECT from ``lines`` for their rows."""
        first = self._rows()

        def insert(file: File) -> None:
            drop_rejects(self._connection)
            self._connection.execute(
                f"INSERT INTO {identifier(self._table)} "
                "WITH lines AS NOT MATERIALIZED (SELECT line FROM read_csv("
                f"{one_file(file.path)}, delim = {_NEVER}, columns = {{'line': 'VARCHAR'}}, "
                f"header = false, quote = '', escape = '', auto_detect = false, {REJECTS}, "
                f"max_line_size = {MAX_LINE_BYTES}{options(file)})) {row}"
            )

        scan(self._connection, file, insert)
        read = self._rows() - first
        self._files += 1
        collect_rejects(self._connection, self._source, file.name, read=read, lines=True)
        self._connection.execute(
            """
            INSERT INTO reading_line_shifts
            SELECT first, $number, $file, max(shift)
            FROM (SELECT $first AS first, 1 - $first AS shift
                  UNION ALL
                  SELECT $first + line - rank, 1 - $first + rank
                  FROM (SELECT line, row_number() OVER (ORDER BY line) AS rank
                        FROM (SELECT DISTINCT line FROM reading_errors)))
            GROUP BY first
            """,
            {"number": self._files, "file": str(file.name), "first": first},
        )
        drop_rejects(self._connection)

    def locate(self, rows: str) -> str:
        """A query that adds ``file`` and ``line`` to the rows of ``rows``, by their column ``row``.

        ``number`` is the number of the file, from 1.
        """
        return (
            f"SELECT rows.*, number, file, row + shift AS line FROM {rows} AS rows "
            "ASOF JOIN (SELECT first, max(number) AS number, max_by(file, number) AS file, "
            "max_by(shift, number) AS shift FROM reading_line_shifts GROUP BY first) AS shifts "
            "ON rows.row >= shifts.first"
        )

    def reject(self, rows: str) -> None:
        """Add the rows of the table ``rows`` (``row``, ``problem``, ``text``) to ``rejected``."""
        self._connection.execute(
            f"INSERT INTO rejected SELECT $source, file, line, problem, left(text, {TEXT_LENGTH}) "
            f"FROM ({self.locate(rows)}) ORDER BY row",
            {"source": self._source},
        )

    def close(self) -> None:
        """Drop the helper table."""
        self._connection.execute("DROP TABLE reading_line_shifts")

    def _rows(self) -> int:
        query = f"SELECT count(*) FROM {identifier(self._table)}"
        return int(self._connection.execute(query).fetchall()[0][0])
