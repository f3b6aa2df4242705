"""The elements of a graph file: nodes and relationships with typed properties, and their table."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.input_limits import Allowance
from kgdb.loading.reading.scan import TEXT_LENGTH
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.sql_quoting import identifier, one_file

_XSD = "http://www.w3.org/2001/XMLSchema#"
INTEGER, DOUBLE, BOOLEAN = f"{_XSD}integer", f"{_XSD}double", f"{_XSD}boolean"
DATE, DATETIME, ANY_URI = f"{_XSD}date", f"{_XSD}dateTime", f"{_XSD}anyURI"

_INTEGER = re.compile(r"[+-]?[0-9]+")
_DOUBLE = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_BOOLEANS = {"true": "true", "false": "false", "1": "true", "0": "false"}
_DATE_START = re.compile(r"-?[0-9]{4}-")
_DATE = re.compile(r"-?[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DATETIME = re.compile(
    r"-?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?"
    r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_KINDS = (
    dict.fromkeys("int integer long short byte biginteger".split(), INTEGER)
    | dict.fromkeys("float double decimal bigdecimal".split(), DOUBLE)
    | dict.fromkeys("boolean bool".split(), BOOLEAN)
    | {"anyuri": ANY_URI}
)
"""The datatype of each declared type, in lower case; all others are texts."""

_FORMS = {INTEGER: _INTEGER, DOUBLE: _DOUBLE, ANY_URI: re.compile(r"\S+")}
_NO_VALUES = frozenset({"nan", "inf", "-inf", "+inf", "infinity", "-infinity"})
"""What programs write for a number that a node does not have, in lower case."""

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


@dataclass(frozen=True, slots=True)
class Property:
    """One value of a property; ``datatype`` is an XML Schema IRI, ``None`` for a text.

    A property with several values is several of these.
    """

    key: str
    value: str
    datatype: str | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A node; ``labels`` are its kinds, if the format has a place of its own for these."""

    id: str
    labels: tuple[str, ...] = ()
    properties: tuple[Property, ...] = ()


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship with its properties.

    ``relation`` is ``None`` if the format has no place of its own for the type of a relationship:
    the loader then chooses a property for it.
    """

    head: str
    tail: str
    relation: str | None = None
    directed: bool = True
    properties: tuple[Property, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """An element that is neither a node nor a relationship; ``line`` is ``None`` if unknown."""

    line: int | None
    problem: str
    text: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the file has and its reader takes nothing of, for a note: how often it occurs."""

    what: str
    number: int


Element = Node | Relationship | Skipped | LeftOut


def text_property(key: str, text: str) -> Property:
    """A property from a text without a declared type: a date is recognised by its form."""
    if _DATE_START.match(text):
        if _DATE.fullmatch(text):
            return Property(key, text, DATE)
        if _DATETIME.fullmatch(text):
            return Property(key, text.replace(" ", "T", 1), DATETIME)
    return Property(key, text)


def declared_property(key: str, text: str, kind: str) -> Property | None:
    """A property from a text of a declared type, such as ``int`` or ``double``.

    A value that its declared type does not allow is a text. Returns ``None`` for no value: an
    empty one, or a number that is none (``NaN``).
    """
    stripped = text.strip()
    kind = _KINDS.get(kind, "")
    if not stripped or (kind == DOUBLE and stripped.lower() in _NO_VALUES):
        return None
    if kind == BOOLEAN and (value := _BOOLEANS.get(stripped.lower())):
        return Property(key, value, BOOLEAN)
    if kind in _FORMS and _FORMS[kind].fullmatch(stripped):
        return Property(key, stripped.removeprefix("+"), kind)
    return text_property(key, text)


def json_properties(values: Iterable[tuple[str, Any]]) -> Iterator[Property]:
    """The properties in pairs of a key and a JSON value.

    A list gives a value for each item; the keys of an object inside follow that of the property
    after a dot (``address.city``). ``null``, ``NaN`` and empty texts are no values.
    """
    for key, value in values:
        match value:
            case None | "":
                continue
            case bool():
                yield Property(key, "true" if value else "false", BOOLEAN)
            case int():
                yield Property(key, str(value), INTEGER)
            case float():
                if math.isfinite(value):
                    yield Property(key, repr(value), DOUBLE)
            case str():
                yield text_property(key, value)
            case list():
                yield from json_properties((key, item) for item in value)
            case _:
                yield from json_properties(
                    (f"{key}.{inner}" if inner else key, item) for inner, item in value.items()
                )


def id_text(value: Any) -> str | None:
    """The id that a JSON value is: a text, or a number as JSON writes it; ``None`` for no id.

    A list, as networkx writes a tuple, is an id too.
    """
    match value:
        case None | "" | {}:
            return None
        case str():
            return value
        case float() if value.is_integer():
            return str(int(value))  # pandas writes 2 as 2.0 in a column with gaps
        case _:
            return json.dumps(value, ensure_ascii=False)


ElementReader = Callable[[File, BinaryIO], Iterator[Element]]
"""The reader of a format. It gets an open file, and yields what the file holds, in its order."""


def read_elements(
    connection: duckdb.DuckDBPyConnection,
    source: Source,
    files: Sequence[File],
    reader: ElementReader,
) -> None:
    """Create the table of the files' nodes and relationships; others go to ``rejected``."""
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    connection.execute(f"CREATE TABLE {identifier(source.table)} ({columns})")
    types = ", ".join(f"{name}: '{kind}'" for name, kind in COLUMNS.items())
    for file in files:
        writer = _Writer(connection, source, file, reader)
        with file.converted(writer.write) as rows:
            connection.execute(
                f"INSERT INTO {identifier(source.table)} SELECT * FROM read_json("
                f"{one_file(rows.path)}, format = 'newline_delimited', columns = {{{types}}}, "
                f"maximum_object_size = {max(_BUFFER, writer.longest)})"
            )


class _Writer:
    """Writes a row for each element of a file; ``longest`` are the bytes of the longest."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        source: Source,
        file: File,
        reader: ElementReader,
    ) -> None:
        self._connection = connection
        self._source = source
        self._file = file
        self._reader = reader
        self.longest = 0

    def write(self, stream: BinaryIO, rows: BinaryIO) -> None:
        skipped: list[Skipped] = []
        allowance = Allowance(self._file.path)  # each node has all the defaults of the file
        written = refused = 0
        for element in self._reader(self._file, stream):
            if isinstance(element, Skipped):
                skipped.append(element)
                refused += 1
                if len(skipped) >= _SKIPPED:
                    self._reject(skipped)
                    skipped.clear()
                continue
            row = _JSON.encode(_row(element)).encode("utf-8", "replace")
            allowance.take(len(row) + 1)
            rows.write(row + b"\n")
            if not isinstance(element, LeftOut):
                self.longest = max(self.longest, len(row) + 1)
            written += 1
            if written % _STEP == 0:
                self._file.report_progress("reading", written, "elements")
        if skipped:
            self._reject(skipped)
        if not (self.longest or refused):
            raise LoadError(
                f"{self._file.name} has no node and no relationship.",
                hint=f"Expected {self._source.expected}.",
            )

    def _reject(self, skipped: Sequence[Skipped]) -> None:
        name = str(self._file.name)
        self._connection.executemany(
            "INSERT INTO rejected VALUES (?, ?, ?, ?, ?)",
            [
                [self._source.table, name, each.line, each.problem, _stored(each.text)]
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
