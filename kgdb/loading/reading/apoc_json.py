"""JSON of nodes and relationships, as APOC exports it, and as Neo4j Browser exports results.

APOC writes lines by default. Its other forms (one object with nodes and rels, an array, a row for
each result of a query) and those of Neo4j Browser are rewritten as such lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, BinaryIO

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.json_values import JsonStream, json_value
from kgdb.loading.reading.jsonl import read_jsonl
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.sql_quoting import identifier

APOC_COLUMNS = ("type", "id", "labels", "properties", "label", "start", "end")
"""The columns of the table: those of a node and of a relationship, whose type is its label."""

_PARTS = {"nodes", "rels", "relationships"}
_DOCUMENT = re.compile(rb'\{\s*"(?:nodes|rels|relationships)"\s*:')
_ELEMENT = re.compile(rb'\{\s*(?:"id"\s*:\s*"[^"]*"\s*,\s*)?"type"\s*:\s*"(?:node|relationship)"')
_STEP = 50_000


def read_apoc(connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]) -> None:
    """Create the table with :data:`APOC_COLUMNS` and further keys, as texts of JSON."""
    with ExitStack() as stack:
        lines = [stack.enter_context(_as_lines(file)) for file in files]
        read_jsonl(connection, replace(source, columns=("type", "id")), lines)
    for column in APOC_COLUMNS:
        connection.execute(
            f"ALTER TABLE {identifier(source.table)} ADD COLUMN IF NOT EXISTS "
            f"{identifier(column)} VARCHAR"
        )


def _as_lines(file: File) -> AbstractContextManager[File]:
    """The file itself if it has an element in each line, else a copy of that form."""
    return nullcontext(file) if _has_lines(file.head) else file.converted(partial(_write, file))


def _write(file: File, stream: BinaryIO, lines: BinaryIO) -> None:
    written = 0
    for element in _once(_elements(JsonStream(file.name, stream), file)):
        lines.write(json.dumps(element, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        written += 1
        if written % _STEP == 0:
            file.report_progress("reading", written, "elements")
    if not written:
        raise LoadError(
            f"{file.name} has no node and no relationship of Neo4j.",
            hint="Expected an export of APOC: CALL apoc.export.json.all('graph.json', {}). "
            "For other objects: kgdb load jsonl.",
        )


def _has_lines(head: bytes) -> bool:
    """Whether the first line is a node or a relationship, or no JSON of another form."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = text.partition(b"\n")[0]
    try:
        element = json_value(first.decode())
    except ValueError:
        # A line may be longer than the head.
        return b"\n" not in text and bool(_ELEMENT.match(text))
    return isinstance(element, dict) and (
        element.get("type") in ("node", "relationship")
        or not (any(_found(element)) or _DOCUMENT.match(text))
    )


def _elements(document: JsonStream, file: File) -> Iterator[dict[str, Any]]:
    if _DOCUMENT.match(file.head.removeprefix(b"\xef\xbb\xbf").lstrip()):
        for key, value in document.pieces():
            if key in _PARTS:
                yield from _found(value)
    else:
        for value in document.values():
            yield from _found(value)


def _found(value: Any) -> Iterator[dict[str, Any]]:
    """The nodes and relationships anywhere in a value, as APOC writes them."""
    if isinstance(value, list):
        for item in value:
            yield from _found(item)
    elif isinstance(value, dict):
        if value.get("type") in ("node", "relationship") and "id" in value:
            yield value
        elif "identity" in value and "labels" in value:  # Neo4j Browser
            yield {
                "type": "node",
                "id": str(value["identity"]),
                "labels": value["labels"],
                "properties": value.get("properties", {}),
            }
        elif "identity" in value and {"start", "end", "type"} <= value.keys():
            yield {
                "type": "relationship",
                "id": str(value["identity"]),
                "label": value["type"],
                "properties": value.get("properties", {}),
                "start": {"id": str(value["start"])},
                "end": {"id": str(value["end"])},
            }
        else:
            for item in value.values():
                yield from _found(item)


def _once(elements: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Each element once; the ends of relationships are nodes, even where no row has them."""
    nodes: set[str] = set()
    relationships: set[str] = set()
    ends: dict[str, dict[str, Any]] = {}
    for element in elements:
        known = nodes if element["type"] == "node" else relationships
        id = str(element["id"])
        if id in known:
            continue
        known.add(id)
        yield element
        if element["type"] == "relationship":
            for end in (element.get("start"), element.get("end")):
                if isinstance(end, dict) and "id" in end:
                    ends.setdefault(str(end["id"]), end)
    for id, end in ends.items():
        if id not in nodes:
            yield {**end, "type": "node"}
