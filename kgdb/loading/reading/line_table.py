"""A table with one row per line: the row ids give the line numbers."""

from __future__ import annotations

import duckdb

from kgdb.loading.reading.files import File
from kgdb.loading.reading.scan import (
    REJECTS,
    TEXT_LENGTH,
    collect_rejects,
    drop_rejects,
    options,
    scan,
)
from kgdb.loading.scratch.sql_quoting import identifier, one_file

MAX_LINE_BYTES = 1 << 24
"""The limit for the bytes of a line; longer lines are rejected."""

# A delimiter that no text contains: these three control characters in a row.
_NEVER = "chr(1) || chr(2) || chr(3)"


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
