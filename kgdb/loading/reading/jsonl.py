"""JSON lines, one object each; also one array of objects, or objects of several lines each."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

import duckdb
import numpy as np

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.input_limits import MAX_DEPTH
from kgdb.loading.reading.json_values import JsonStream, is_deep, json_value
from kgdb.loading.reading.scan import LineTable
from kgdb.loading.reading.source import Source
from kgdb.loading.reading.tabular import require
from kgdb.loading.scratch.sql_quoting import identifier, literal
from kgdb.wording import short

MAX_KEYS = 1_000
"""The limit for different keys: with more keys, the keys are rather data than column names."""

_LINES = "reading_objects"
_STEP = 50_000
_ARRAY = re.compile(rb"\[\s*(?:[{\]]|$)")
_OPEN = re.compile(rb"\{\s*(?:\"(?:[^\"\\]|\\.)*\"\s*:.*)?", re.DOTALL)
"""A first line that begins an object."""

_OPENED = "strlen(line) - strlen(replace(replace(line, '[', ''), '{', ''))"
_IS_DEEP = f"CASE WHEN {_OPENED} > {MAX_DEPTH} THEN reading_is_deep(line) ELSE false END"
_REPEATS_KEY = "len(list_distinct(json_keys(line))) < len(json_keys(line))"


def read_jsonl(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> None:
    """Create the table with one text column per key; nested values are kept as JSON."""
    connection.create_function("reading_is_deep", is_deep, ["VARCHAR"], "BOOLEAN")
    try:
        lines = _objects(connection, source, files)
    finally:
        connection.remove_function("reading_is_deep")
    columns = _columns(connection, source, files)
    inner = _inner(source, columns)
    require(source, files[0].name, [*columns, *inner])
    structure = json.dumps(dict.fromkeys(columns, "VARCHAR"))
    paths = "".join(
        f", line ->> {literal(path)} AS {identifier(column)}" for column, path in inner.items()
    )
    connection.execute(
        f"CREATE TABLE {identifier(source.table)} AS "
        f"SELECT unnest(object), * EXCLUDE (object, line) FROM "
        f"(SELECT json_transform(line, {literal(structure)}) AS object, line{paths} "
        f"FROM {_LINES} WHERE object)"
    )
    lines.close()
    connection.execute(f"DROP TABLE {_LINES}")


def _objects(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> LineTable:
    """The table of lines, marked where they are objects; all others are rejected."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {_LINES} (line VARCHAR, object BOOLEAN)")
    lines = LineTable(connection, _LINES, source.table)
    documents: dict[str, array[int]] = {}
    for file in files:
        with _in_lines(connection, file, documents) as readable:
            # A CASE: json_type fails for a line that is not JSON.
            lines.append(
                readable,
                "SELECT line, CASE WHEN trim(line) = '' OR line IS NULL THEN NULL "
                f"WHEN json_valid(line) "
                f"THEN json_type(line) = 'OBJECT' AND NOT {_REPEATS_KEY} AND NOT {_IS_DEEP} "
                "ELSE false END FROM lines",
            )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE reading_bad AS SELECT rowid AS row, "
        "CASE WHEN NOT json_valid(line) THEN 'is not valid JSON' "
        f"WHEN {_IS_DEEP} THEN 'is nested more than {MAX_DEPTH} levels deep' "
        "WHEN json_type(line) = 'OBJECT' THEN 'has a key twice' "
        "ELSE 'is JSON, but not an object' END AS problem, line AS text "
        f"FROM {_LINES} WHERE NOT object"
    )
    lines.reject("reading_bad")
    connection.execute("DROP TABLE reading_bad")
    for name, numbers in documents.items():
        _number_lines(connection, source.table, name, numbers)
    return lines


def _columns(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> list[str]:
    """The keys of all objects, in the order of their first appearance."""
    names = ", ".join(str(file.name) for file in files)
    connection.execute(
        f"SELECT keys FROM (SELECT rowid AS row, json_keys(line) AS keys FROM {_LINES} "
        "WHERE object) GROUP BY keys ORDER BY min(row)"
    )
    columns: dict[str, None] = {}
    while rows := connection.fetchmany(1_000):
        for (keys,) in rows:
            columns.update(dict.fromkeys(keys))
        if "" in columns:
            raise UsageError(
                f"Objects in {names} have a key without a name, which cannot name a column.",
                hint="Rename the key, or delete it: jq -c 'del(.[\"\"])'",
            )
        if len(columns) > MAX_KEYS:
            raise LoadError(
                f"The objects in {names} have more than {MAX_KEYS:,} different keys.",
                hint="Keys become columns: store data in values, not in keys.",
            )
    if not columns:
        raise LoadError(
            f"{names}: no line is a JSON object with a key.", hint=f"Expected {source.expected}."
        )
    folded: dict[str, str] = {}
    for column in columns:
        other = folded.setdefault(column.casefold(), column)
        if other != column:
            raise UsageError(
                f"The objects in {names} have the keys {short(other)} and {short(column)}, which "
                "are the same column name.",
                hint="Rename one of them: SQL ignores upper and lower case.",
            )
    return list(columns)


def _inner(source: Source, columns: Sequence[str]) -> dict[str, str]:
    """Required columns such as ``subject.id`` that are keys of objects inside, with their paths."""
    known = {column.casefold() for column in columns}
    inner = {}
    for column in source.columns:
        first, *rest = column.split(".")
        if rest and column.casefold() not in known and first in columns:
            keys = (part.replace('"', '""') for part in (first, *rest))
            inner[column] = "$" + "".join(f'."{key}"' for key in keys)
    return inner


@contextmanager
def _in_lines(
    connection: duckdb.DuckDBPyConnection, file: File, documents: dict[str, array[int]]
) -> Iterator[File]:
    """The file with one value a line; ``documents`` gets the true line of each in a document."""
    if not _is_document(file.head):
        with file.for_duckdb(connection) as readable:
            yield readable
        return
    numbers = array("q")

    def write(stream: BinaryIO, lines: BinaryIO) -> None:
        document = JsonStream(file.name, stream)
        for _ in document.values():
            # A line end in JSON is a space: within a text it is written as \\n.
            line = document.raw.replace("\n", " ").replace("\r", " ")
            lines.write(line.encode("utf-8", "replace") + b"\n")
            numbers.append(document.line)
            if len(numbers) % _STEP == 0:
                file.report_progress("reading", len(numbers), "objects")

    with file.converted(write) as lines:
        documents[str(file.name)] = numbers
        yield lines


def _is_document(head: bytes) -> bool:
    """Whether the file is one array, or objects that end on another line than they begin."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"["):
        return _ARRAY.match(text) is not None
    first, feed, _ = text.partition(b"\n")
    if not (text.startswith(b"{") and feed) or _OPEN.fullmatch(first) is None:
        return False
    try:
        json_value(first.decode())
    except (json.JSONDecodeError, UnicodeDecodeError):
        return True
    except ValueError:  # a value of JSON all the same, which is refused as a line
        return False
    return False


def _number_lines(
    connection: duckdb.DuckDBPyConnection, table: str, file: str, numbers: array[int]
) -> None:
    """Replace the numbers of rejected values of a document by those of their lines."""
    connection.register(
        "reading_numbers",
        {"value": np.arange(1, len(numbers) + 1), "number": np.array(numbers, dtype=np.int64)},
    )
    try:
        connection.execute(
            "UPDATE rejected SET line = number FROM reading_numbers "
            "WHERE source = ? AND file = ? AND line = value",
            [table, file],
        )
    finally:
        connection.unregister("reading_numbers")
