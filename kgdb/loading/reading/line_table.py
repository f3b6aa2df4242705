"""A table that gets one row for each line, so that the place of a row tells the line's number."""

from __future__ import annotations

import duckdb

from kgdb.loading.reading.files import File
from kgdb.loading.reading.rejected_lines import REJECTS, TEXT, forget_rejects, keep_rejects
from kgdb.loading.reading.scan import options, scan
from kgdb.loading.scratch.sql_quoting import identifier, one_file

LONGEST = 1 << 24
"""Bytes of the longest line that is read; longer ones are rejected."""

# No text has these three control characters in a row; DuckDB takes them for a delimiter.
_NEVER = "chr(1) || chr(2) || chr(3)"


class LineTable:
    """Fills the table ``table`` with a row for each line, file after file.

    DuckDB keeps the order of a file's lines in the row ids of a table, however many threads read
    them, so a number need not be written beside every line; nothing may be deleted from the table
    before the last :meth:`reject`. ``source`` is the name that rejected lines are told under.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, table: str, source: str) -> None:
        self._connection = connection
        self._table = table
        self._source = source
        self._files = 0
        # From the row `first` on: which file it is, and what to add to a row's id for its line.
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE reading_places "
            "(first BIGINT, number BIGINT, file VARCHAR, shift BIGINT)"
        )

    def append(self, file: File, row: str) -> None:
        """Add the lines of the file; ``row`` selects its row from the table ``lines``."""
        first = self._rows()

        def insert(file: File) -> None:
            forget_rejects(self._connection)
            self._connection.execute(
                f"INSERT INTO {identifier(self._table)} "
                "WITH lines AS NOT MATERIALIZED (SELECT line FROM read_csv("
                f"{one_file(file.path)}, delim = {_NEVER}, columns = {{'line': 'VARCHAR'}}, "
                f"header = false, quote = '', escape = '', auto_detect = false, {REJECTS}, "
                f"max_line_size = {LONGEST}{options(file)})) {row}"
            )

        scan(self._connection, file, insert)
        read = self._rows() - first
        self._files += 1
        keep_rejects(self._connection, self._source, file.name, read=read, lines=True)
        self._connection.execute(
            """
            INSERT INTO reading_places
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
        forget_rejects(self._connection)

    def places(self, rows: str) -> str:
        """A query: the rows of the table ``rows`` (with ``row``), each with ``file`` and ``line``.

        ``number`` is the file's, from 1.
        """
        return (
            f"SELECT rows.*, number, file, row + shift AS line FROM {rows} AS rows "
            "ASOF JOIN (SELECT first, max(number) AS number, max_by(file, number) AS file, "
            "max_by(shift, number) AS shift FROM reading_places GROUP BY first) AS places "
            "ON rows.row >= places.first"
        )

    def reject(self, rows: str) -> None:
        """Tell the rows of the table ``rows`` (``row``, ``problem``, ``text``) as rejected."""
        self._connection.execute(
            f"INSERT INTO rejected SELECT $source, file, line, problem, left(text, {TEXT}) "
            f"FROM ({self.places(rows)}) ORDER BY row",
            {"source": self._source},
        )

    def close(self) -> None:
        """Forget where the lines were."""
        self._connection.execute("DROP TABLE reading_places")

    def _rows(self) -> int:
        query = f"SELECT count(*) FROM {identifier(self._table)}"
        return int(self._connection.execute(query).fetchall()[0][0])
