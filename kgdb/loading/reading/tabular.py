"""Tables that DuckDB reads by itself: delimited lines, CSV and Parquet."""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from difflib import get_close_matches
from pathlib import Path

import duckdb

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.line_numbers import number_lines
from kgdb.loading.reading.rejected_lines import REJECTS, collect_rejects, drop_rejects
from kgdb.loading.reading.scan import options, scan
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.disk_space import is_disk_full
from kgdb.loading.scratch.sql_quoting import identifier, literal, one_file
from kgdb.wording import brief, counted, listed, short

_MAX_LINE_BYTES = 1 << 24
_LINE_END = re.compile(rb"\r\n|\r|\n")
_EMPTY_LINES = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]+")
_NO_HIVE = "hive_partitioning = false"  # otherwise a folder head=x becomes a column
_OPTIONS = frozenset({"head", "relation", "tail", "id"})


def read_delimited(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> None:
    """Create the table from lines with exactly the source's columns.

    Quoting is off: in such files a quotation mark is part of a name.
    """
    _create(connection, source.table, source.columns)
    for file in files:
        with file.without_lines(source.skip) as rest:
            _append(
                connection, source, rest, source.columns, "header = false, quote = '', escape = ''"
            )


def read_csv(connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]) -> None:
    """Create the table from CSV (RFC 4180); a file's missing columns are NULL."""
    with ExitStack() as stack:
        rests = [
            stack.enter_context(_from_header(stack.enter_context(file.without_lines(source.skip))))
            for file in files
        ]
        headers = [_header(source, rest) for rest in rests]
        columns: dict[str, str] = {}
        for header in headers:
            for column in header:
                columns.setdefault(column.casefold(), column)
        _create(connection, source.table, tuple(columns.values()))
        dialect = f"header = {str(source.header).lower()}, quote = '\"', escape = '\"'"
        for rest, header in zip(rests, headers, strict=True):
            _append(connection, source, rest, header, dialect)


def read_parquet(
    connection: duckdb.DuckDBPyConnection, source: Source, paths: Sequence[Path]
) -> None:
    """Create the table from Parquet files, with their columns and types."""
    names = ", ".join(one_file(path) for path in paths)
    query = f"SELECT * FROM read_parquet([{names}], union_by_name = true, {_NO_HIVE})"
    try:
        for path in paths:
            require(source, path, _columns(connection, path))
        connection.execute(f"CREATE TABLE {identifier(source.table)} AS {query}")
    except duckdb.Error as error:
        if is_disk_full(error):
            raise
        files = ", ".join(str(path) for path in paths)
        problem = str(error).split("\n")[0]
        raise LoadError(
            f"{files} cannot be read as Parquet: {problem}",
            hint="The file may be truncated or damaged: download or copy it again.",
        ) from error


def _columns(connection: duckdb.DuckDBPyConnection, path: Path) -> list[str]:
    """The columns of a Parquet file; DuckDB would silently rename a duplicate."""
    schema = connection.execute(
        f"SELECT name, num_children FROM parquet_schema({one_file(path)})"
    ).fetchall()
    columns: list[str] = []
    inside = 0
    for name, children in schema[1:]:  # the first row is the table; children follow their parent
        if inside:
            inside -= 1
        else:
            columns.append(name)
        inside += children or 0
    seen: dict[str, str] = {}
    for column in columns:
        other = seen.setdefault(column.casefold(), column)
        if other is not column:
            raise UsageError(
                f"{path} has the columns {short(other)} and {short(column)}, which are the "
                "same column name.",
                hint="Rename one of them: SQL ignores upper and lower case.",
            )
    return columns


def require(source: Source, file: Path, columns: Sequence[str]) -> None:
    """Raise :class:`UsageError` if a required column is missing from the file's columns."""
    by_folded_name = {column.casefold(): column for column in columns}
    for column in source.columns:
        if column.casefold() not in by_folded_name:
            near = get_close_matches(column.casefold(), by_folded_name, n=1, cutoff=0.5)
            meant = f" Did you mean {short(by_folded_name[near[0]])}?" if near else ""
            raise UsageError(
                f"{file} has no column {short(column)}.{meant} It has: {listed(columns)}.",
                hint=_how_to_name(source, column),
            )


def _how_to_name(source: Source, column: str) -> str:
    """A hint for a missing column: how to name it with a shipped loader, and in a loader file.

    The options of the shipped loaders have the names of their columns.
    """
    setting = f"--set {column if column in _OPTIONS else 'OPTION'}=COLUMN"
    hint = (
        f"The table {short(source.table)} needs {listed(source.columns)}. If the column "
        f"has another name: {setting} with csv, jsonl and parquet; in a loader file, `columns`."
    )
    if source.format == "csv":
        delimiter = _shell_quoted(source.delimiter)
        hint += f" If the file has no header line: kgdb load tsv … --set delimiter={delimiter}"
    return hint


def _shell_quoted(delimiter: str) -> str:
    """The delimiter as written in a shell after ``--set delimiter=``."""
    return "tab" if delimiter == "\t" else shlex.quote(delimiter)


def _create(connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> None:
    fields = ", ".join(f"{identifier(column)} VARCHAR" for column in columns)
    connection.execute(f"CREATE TABLE {identifier(table)} ({fields})")


def _append(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    file: File,
    columns: Sequence[str],
    dialect: str,
) -> None:
    types = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    read = 0

    def insert(readable: File) -> None:
        nonlocal read
        drop_rejects(connection)
        rows = connection.execute(
            f"INSERT INTO {identifier(source.table)} BY NAME SELECT * FROM read_csv("
            f"{one_file(readable.path)}, delim = {literal(source.delimiter)}, "
            f"columns = {{{types}}}, {dialect}, auto_detect = false, {REJECTS}, "
            f"max_line_size = {_MAX_LINE_BYTES}{options(readable)})"
        ).fetchall()
        read = rows[0][0]
        if source.format == "csv":
            number_lines(connection, readable)
        else:
            connection.execute("UPDATE reading_errors SET line = line + ?", [readable.skipped])

    with file.for_duckdb(connection) as readable:
        scan(connection, readable, insert)
    collect_rejects(connection, source.table, file.name, read=read)
    drop_rejects(connection)


def _from_header(file: File) -> AbstractContextManager[File]:
    """The file without leading empty lines: DuckDB would read the first one as the header."""
    empty = _EMPTY_LINES.match(file.head)
    return file.without_lines(len(_LINE_END.findall(empty[0])) if empty else 0)


def _header(source: Source, file: File) -> list[str]:
    text = file.head.decode("utf-8-sig", errors="replace")
    records = csv.reader(io.StringIO(text, newline=""), delimiter=source.delimiter)
    header = next((record for record in records if record), [])
    if source.names:
        if source.header and len(header) != len(source.names):
            raise UsageError(
                f"{file.name} has {counted(len(header), 'column')} in its first line; the loader "
                f"names {len(source.names)}: {listed(source.names)}.",
                hint="List every column in `names`, and check `delimiter`.",
            )
        require(source, file.name, source.names)
        return list(source.names)
    if not any(header):
        raise UsageError(
            f"{file.name} has no header line: its first line is empty.",
            hint=f"Expected {source.expected}.",
        )
    others = [sign for sign in ",;\t|" if len(header) == 1 and sign in header[0]]
    if others:
        raise UsageError(
            f"The header line of {file.name} has no {short(source.delimiter)}: "
            f"{brief(header[0], 200)}",
            hint=f"The delimiter may be {short(others[0])}: --set delimiter="
            f"{_shell_quoted(others[0])} with the loader csv; in a loader file, `delimiter`.",
        )
    seen: set[str] = set()
    for position, column in enumerate(header, start=1):
        if not column or column.casefold() in seen:
            problem = f"repeats the name {short(column)}" if column else "has no name"
            raise UsageError(
                f"{file.name}: column {position} of the header line {problem}: "
                f"{brief(source.delimiter.join(header), 200)}",
                hint="Every column needs a unique name (upper and lower case count as the same). "
                "kgdb load mine --init FILE drafts a loader file with unique names.",
            )
        seen.add(column.casefold())
    require(source, file.name, header)
    return header
