"""Line numbers of bad CSV records: DuckDB counts records, and fields may contain line ends."""

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
import numpy as np
from numpy.typing import NDArray

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.files import File, MixedLineEnds
from kgdb.loading.reading.scan import (
    MAX_LINE_BYTES,
    REJECTS,
    collect_rejects,
    drop_rejects,
    options,
    scan,
)
from kgdb.loading.reading.source import Source
from kgdb.loading.reading.unpacking import BLOCK
from kgdb.loading.scratch.disk_space import is_disk_full
from kgdb.loading.scratch.sql_quoting import identifier, literal, one_file
from kgdb.wording import brief, counted, listed, short

_LINE_END = re.compile(rb"\r\n|\r|\n")
_EMPTY_LINES = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]+")
_NO_HIVE = "hive_partitioning = false"  # otherwise a folder head=x becomes a column
_OPTIONS = frozenset({"head", "relation", "tail", "id"})


def number_lines(connection: duckdb.DuckDBPyConnection, file: File) -> None:
    """Set ``reading_errors.line`` to the first line of each bad record.

    The old value, the number of the record, moves to ``reading_errors.record``. Raises
    :class:`LoadError` for an unclosed quotation mark: later records cannot be separated.
    """
    # DuckDB counts the line ends of empty lines to the next record. In a file with \r\n it adds the
    # second byte of the line end before the record.
    half = "starts_with(csv_line, chr(10))::INT" if b"\r\n" in file.head else "0"
    errors = connection.execute(
        "SELECT line, min(line_byte_position + length(csv_line) "
        f"- length(ltrim(csv_line, chr(10) || chr(13))) - {half}) AS position "
        "FROM reading_errors GROUP BY line ORDER BY position"
    ).fetchnumpy()
    if not len(errors["line"]):
        return
    if _has_mixed_ends(file):
        raise MixedLineEnds
    numbers = file.skipped + _numbers(file, np.asarray(errors["position"], dtype=np.int64))
    connection.execute("ALTER TABLE reading_errors ADD COLUMN record BIGINT")
    connection.execute("UPDATE reading_errors SET record = line")
    connection.register("reading_numbers", {"record": errors["line"], "number": numbers})
    try:
        connection.execute(
            "UPDATE reading_errors SET line = number FROM reading_numbers AS numbers "
            "WHERE reading_errors.record = numbers.record"
        )
    finally:
        connection.unregister("reading_numbers")
    unclosed = connection.execute(
        "SELECT min(line) FROM reading_errors WHERE error_type = 'UNQUOTED VALUE' "
        "AND regexp_matches(trim(csv_line, chr(10) || chr(13)), '[\\n\\r]')"
    ).fetchall()[0][0]
    if unclosed is not None:
        raise LoadError(
            f"{file.name}, line {unclosed}: a quotation mark is not closed, so the records after "
            "it cannot be separated.",
            hint='Close the field with ", and write a " inside a field as "". If quotation marks '
            "are ordinary characters: kgdb load tsv … --set delimiter=, (in a loader file, "
            'format = "delimited").',
        )


def _numbers(file: File, positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The line number of each of the sorted byte positions."""
    numbers = np.empty(len(positions), dtype=np.int64)
    start, before, done, ended_by_return = 0, 1, 0, False
    with file.open() as stream:
        while done < len(positions) and (block := stream.read(BLOCK)):
            characters = np.frombuffer(block, dtype=np.uint8)
            returns, feeds = characters == ord("\r"), characters == ord("\n")
            # \r\n is one line end, at the position of its \r.
            feeds[1:] &= ~returns[:-1]
            feeds[0] &= not ended_by_return
            ended_by_return = bool(returns[-1])
            ends = start + np.flatnonzero(returns | feeds)
            start += len(block)
            reached = int(np.searchsorted(positions, start, side="right"))
            numbers[done:reached] = before + np.searchsorted(ends, positions[done:reached])
            before += len(ends)
            done = reached
    return numbers


def _has_mixed_ends(file: File) -> bool:
    """Whether the file has different line ends between records, not inside quoted fields."""
    feeds = returns = pairs = marks = 0
    rest = b""
    with file.open() as stream:
        while (feeds > pairs) + (returns > pairs) + (pairs > 0) < 2 and (
            block := stream.read(BLOCK)
        ):
            characters = np.frombuffer(block, dtype=np.uint8)
            before = marks + np.cumsum(characters == ord('"'))
            marks = int(before[-1])
            outside = rest + characters[before % 2 == 0].tobytes()
            # A final \r may be the first byte of \r\n.
            rest = outside[-1:] if outside.endswith(b"\r") else b""
            outside = outside.removesuffix(rest)
            feeds += outside.count(b"\n")
            returns += outside.count(b"\r")
            pairs += outside.count(b"\r\n")
    returns += len(rest)
    return (feeds > pairs) + (returns > pairs) + (pairs > 0) > 1


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
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> None:
    """Create the table from Parquet files, with their columns and types."""
    paths = [file.path for file in files]
    names = ", ".join(one_file(path) for path in paths)
    query = f"SELECT * FROM read_parquet([{names}], union_by_name = true, {_NO_HIVE})"
    try:
        for path in paths:
            require(source, path, _columns(connection, path))
        connection.execute(f"CREATE TABLE {identifier(source.table)} AS {query}")
    except duckdb.Error as error:
        if is_disk_full(error):
            raise
        problem = str(error).split("\n")[0]
        raise LoadError(
            f"{', '.join(map(str, paths))} cannot be read as Parquet: {problem}",
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
            f"max_line_size = {MAX_LINE_BYTES}{options(readable)})"
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
