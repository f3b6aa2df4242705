"""The lines that could not be read: one row each, with the file, the line and the problem."""

from __future__ import annotations

from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.wording import counted, plural

TEXT = 200
"""Characters of a line that are kept to show it."""

REJECTS = "store_rejects = true, rejects_limit = 0, rejects_scan = 'reading_scans', "
REJECTS += "rejects_table = 'reading_errors'"
"""Options of DuckDB's CSV reader that make it go on after a bad line, and keep it."""

PROBLEM = "split_part(problem, ': ', 1)"
"""What is wrong with a line, without what was found there."""

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
    """Make the table ``rejected``, if it is not there."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS rejected "
        "(source VARCHAR, file VARCHAR, line BIGINT, problem VARCHAR, text VARCHAR)"
    )


def forget_rejects(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop what the CSV reader noted about the file before."""
    connection.execute("DROP TABLE IF EXISTS reading_errors")
    connection.execute("DROP TABLE IF EXISTS reading_scans")


def keep_rejects(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    file: Path,
    *,
    read: int,
    lines: bool = False,
) -> None:
    """Add the lines that the CSV reader refused to ``rejected``.

    ``read`` is the number of lines that it accepted; with ``lines`` it was made to read whole
    lines. Raises :class:`LoadError` when most of the file is not UTF-8.
    """
    # Of CSV, records are numbered beside the lines that they start on.
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
        f"min({problem}), left(trim(min(csv_line), chr(10) || chr(13)), {TEXT}) "
        "FROM reading_errors GROUP BY line, record ORDER BY line"
    )
