"""The table of the elements of graph files, one row each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_files.elements import (
    Element,
    LeftOut,
    Node,
    Property,
    Relationship,
    Skipped,
)
from kgdb.loading.reading.graph_files.gexf import read_gexf
from kgdb.loading.reading.graph_files.graphml import read_graphml
from kgdb.loading.reading.graph_files.node_link import read_node_link
from kgdb.loading.reading.graph_files.obo import read_obo
from kgdb.loading.reading.input_limits import Allowance
from kgdb.loading.reading.rejected_lines import TEXT_LENGTH
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.sql_quoting import identifier, one_file
from kgdb.progress import Progress

_Reader = Callable[[File, BinaryIO], Iterator[Element]]

GRAPH_FORMATS: dict[str, _Reader] = {
    "graphml": read_graphml,
    "gexf": read_gexf,
    "node-link": read_node_link,
    "obo": read_obo,
}
"""The reader of each format. It gets an open file, and yields what the file holds, in its order."""

COLUMNS = {
    "element": "VARCHAR",
    "id": "VARCHAR",
    "labels": "VARCHAR[]",
    "head": "VARCHAR",
    "relation": "VARCHAR",
    "tail": "VARCHAR",
    "directed": "BOOLEAN",
    "properties": "STRUCT(key VARCHAR, value VARCHAR, datatype VARCHAR)[]",
}
"""The columns of the table; ``element`` says which of them are set.

It is ``node``, ``relationship``, or ``left out``: then ``id`` is what, and the value of the only
property how often.
"""

_JSON = json.JSONEncoder(ensure_ascii=False)
_STEP = 50_000
_SKIPPED = 1_000
_BUFFER = 1 << 20  # bytes: DuckDB reserves some for each thread, so no more than needed


def read_graph_files(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> None:
    """Create the table of the files' nodes and relationships; others go to ``rejected``."""
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    connection.execute(f"CREATE TABLE {identifier(source.table)} ({columns})")
    for number, file in enumerate(files):
        rows = file.work / f"elements-{number}.jsonl"
        try:
            longest = _write(connection, source, file, rows)
            if not longest:
                raise LoadError(
                    f"{file.name} has no node and no relationship.",
                    hint=f"Expected {source.expected}.",
                )
            types = ", ".join(f"{name}: '{kind}'" for name, kind in COLUMNS.items())
            connection.execute(
                f"INSERT INTO {identifier(source.table)} SELECT * FROM read_json("
                f"{one_file(rows)}, format = 'newline_delimited', columns = {{{types}}}, "
                f"maximum_object_size = {max(_BUFFER, longest)})"
            )
        finally:
            rows.unlink(missing_ok=True)


def _write(connection: duckdb.DuckDBPyConnection, source: Source, file: File, target: Path) -> int:
    """Write a row for each element of the file; returns the bytes of the longest, 0 without any."""
    skipped: list[Skipped] = []
    allowance = Allowance(file.path)  # each node has all the defaults that a file declares
    written = longest = refused = 0
    with (
        file.open() as stream,
        target.open("wb") as rows,
    ):
        for element in GRAPH_FORMATS[source.format](file, stream):
            if isinstance(element, Skipped):
                skipped.append(element)
                if len(skipped) >= _SKIPPED:
                    _reject(connection, source, file, skipped)
                    refused += len(skipped)
                    skipped.clear()
                continue
            row = _JSON.encode(_row(element)).encode("utf-8", "replace")
            allowance.take(len(row) + 1)
            rows.write(row + b"\n")
            if not isinstance(element, LeftOut):
                longest = max(longest, len(row) + 1)
            written += 1
            if written % _STEP == 0:
                file.report(Progress(f"reading {file.name.name}", written, None, "elements"))
    if skipped:
        _reject(connection, source, file, skipped)
    return longest or refused + len(skipped)


def _reject(
    connection: duckdb.DuckDBPyConnection, source: Source, file: File, skipped: Sequence[Skipped]
) -> None:
    connection.executemany(
        "INSERT INTO rejected VALUES (?, ?, ?, ?, ?)",
        [
            [source.table, str(file.name), each.line, each.problem, _stored(each.text)]
            for each in skipped
        ],
    )


def _stored(text: str) -> str:
    """The beginning of a text, without the halves of characters that JSON can escape."""
    return text[:TEXT_LENGTH].encode("utf-8", "replace").decode()


def _row(element: Node | Relationship | LeftOut) -> dict[str, Any]:
    if isinstance(element, LeftOut):
        number = Property("number", str(element.number))
        return {"element": "left out", "id": element.what, "properties": _structs([number])}
    if isinstance(element, Node):
        return {
            "element": "node",
            "id": element.id,
            "labels": element.labels,
            "properties": _structs(element.properties),
        }
    return {
        "element": "relationship",
        "head": element.head,
        "relation": element.relation,
        "tail": element.tail,
        "directed": element.directed,
        "properties": _structs(element.properties),
    }


def _structs(properties: Sequence[Property]) -> list[dict[str, str | None]]:
    return [
        {"key": each.key, "value": each.value, "datatype": each.datatype} for each in properties
    ]
