"""JSON lines: one object each."""

from __future__ import annotations

import json
from collections.abc import Sequence

import duckdb

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.line_table import LineTable
from kgdb.loading.reading.source import Source
from kgdb.loading.reading.tabular import require
from kgdb.loading.scratch.sql_quoting import identifier, literal
from kgdb.wording import short

MAX_KEYS = 1_000
"""The limit for different keys: with more keys, the keys are rather data than column names."""

_LINES = "reading_objects"
_REPEATS_KEY = "len(list_distinct(json_keys(line))) < len(json_keys(line))"


def read_jsonl(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> None:
    """Create the table with one text column per key; nested values are kept as JSON."""
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {_LINES} (line VARCHAR, object BOOLEAN)")
    lines = LineTable(connection, _LINES, source.table)
    for file in files:
        with file.for_duckdb() as readable:
            # A CASE: json_type fails for a line that is not JSON.
            lines.append(
                readable,
                "SELECT line, CASE WHEN trim(line) = '' OR line IS NULL THEN NULL "
                f"WHEN json_valid(line) "
                f"THEN json_type(line) = 'OBJECT' AND NOT {_REPEATS_KEY} "
                "ELSE false END FROM lines",
            )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE reading_bad AS SELECT rowid AS row, "
        "CASE WHEN NOT json_valid(line) THEN 'is not valid JSON' "
        "WHEN json_type(line) = 'OBJECT' THEN 'has a key twice' "
        "ELSE 'is JSON, but not an object' END AS problem, line AS text "
        f"FROM {_LINES} WHERE NOT object"
    )
    lines.reject("reading_bad")
    connection.execute("DROP TABLE reading_bad")
    columns = _columns(connection, source, files)
    structure = json.dumps(dict.fromkeys(columns, "VARCHAR"))
    connection.execute(
        f"CREATE TABLE {identifier(source.table)} AS SELECT unnest(object) FROM "
        f"(SELECT json_transform(line, {literal(structure)}) AS object "
        f"FROM {_LINES} WHERE object)"
    )
    lines.close()
    connection.execute(f"DROP TABLE {_LINES}")


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
    require(source, files[0].name, list(columns))
    return list(columns)
