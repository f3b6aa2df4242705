"""Turtle, TriG, RDF/XML and JSON-LD, converted to N-Quads by pyoxigraph.

A syntax error in these formats cannot be skipped, because later statements may depend on the bad
one. So the whole file is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import duckdb
import pyoxigraph as rdf

from kgdb.errors import LoadError
from kgdb.loading.reading.checked_xml import CheckedXml
from kgdb.loading.reading.files import File
from kgdb.loading.reading.input_limits import MAX_DEPTH, too_deep
from kgdb.loading.reading.json_values import CheckedJson
from kgdb.loading.reading.ntriples import annotations_of, read_ntriples
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.sql_quoting import identifier

_STEP = 100_000
_LAST = "9223372036854775807"  # blank nodes that only annotations have come last
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_REMOTE_CONTEXT = "LoadDocumentCallback"
"""Part of pyoxigraph's error for a context of JSON-LD that it would have to download."""


RDF_FORMATS = {
    "turtle": rdf.RdfFormat.TURTLE,
    "trig": rdf.RdfFormat.TRIG,
    "rdfxml": rdf.RdfFormat.RDF_XML,
    "jsonld": rdf.RdfFormat.JSON_LD,
}
"""The formats, as pyoxigraph names them."""

_WITH_BASE = frozenset({"rdfxml", "jsonld"})
"""Formats whose relative IRIs are relative to the file: documents name their own parts so."""


def read_rdf(connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]) -> None:
    """Create the tables of triples; raise :class:`LoadError` at the first syntax error.

    Blank nodes of all files are numbered by their first occurrence in the table.
    """
    with ExitStack() as stack:
        quads = [stack.enter_context(_as_nquads(file, source.format)) for file in files]
        read_ntriples(connection, source, quads)
    _refuse_rejected(connection, source.table, RDF_FORMATS[source.format].name)
    _number_blank_nodes(connection, source.table)


def _as_nquads(file: File, format: str) -> AbstractContextManager[File]:
    syntax = RDF_FORMATS[format]
    base = f"file:///{quote(file.name.name)}" if format in _WITH_BASE else None

    def write(stream: BinaryIO, copy: BinaryIO) -> None:
        with _explaining_syntax(file, syntax.name):
            text: Any = _checked(format, file, stream)
            quads = rdf.parse(text, format=syntax, base_iri=base)
            rdf.serialize(_counted(quads, file), copy, format=rdf.RdfFormat.N_QUADS)

    return file.converted(write)


@contextmanager
def _explaining_syntax(file: File, name: str) -> Iterator[None]:
    try:
        yield
    except SyntaxError as error:
        raise _not_this_format(file, name, error) from error
    except MemoryError as error:  # the parser's buffer has a limit
        raise LoadError(
            f"{file.name} contains an IRI, a name or a text of more than 16 MiB.",
            hint='Perhaps a quotation mark (or """) is not closed. kgdb cannot skip an error '
            f"in {name}: correct the file.",
        ) from error


def _not_this_format(file: File, name: str, error: SyntaxError) -> LoadError:
    if _REMOTE_CONTEXT in str(error.msg):
        return LoadError(
            f"{file.name} takes its @context from the web, and kgdb reads no file from there.",
            hint="Write the context into the file. For schema.org, replace "
            '"@context": "https://schema.org" by "@context": {"@vocab": "http://schema.org/"}.',
        )
    place = f", line {error.lineno}, column {error.offset}" if error.lineno else ""
    return LoadError(
        f"{file.name}{place}: this is not {name}: {error.msg}",
        hint=f"kgdb cannot skip a syntax error in {name}. Correct the file, or convert it "
        "to N-Triples, where kgdb can skip single lines.",
    )


def _checked(format: str, file: File, stream: BinaryIO) -> _Whole | CheckedJson | _Xml:
    """The stream for the parser, which has no limits of its own."""
    match format:
        case "rdfxml":
            return _Xml(CheckedXml(file, stream).blocks())
        case "jsonld":
            return CheckedJson(file.name, _Whole(file.name, stream))
        case _:
            return _Whole(file.name, stream)


class _Xml:
    """Blocks of XML as a stream; each is at most as long as what the parser asks for."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def read(self, size: int) -> bytes:
        block = self._rest or next(self._blocks, b"")
        self._rest = block[size:]
        return block[:size]


class _Whole:
    r"""The bytes without a byte order mark, and with a final space.

    The parser reads the mark as a name, and truncates a name with an escape at the very end of a
    file (``e:Inc\..``). Triples within triples without end would end the process.
    """

    def __init__(self, name: Path, stream: BinaryIO) -> None:
        self._name = name
        self._stream = stream
        self._open_triples = 0
        self._begun = self._ended = False

    def read(self, size: int) -> bytes:
        block = self._stream.read(size)
        if not self._begun:
            self._begun = True
            while len(block) < len(_BYTE_ORDER_MARK) and (more := self._stream.read(1)):
                block += more
            block = block.removeprefix(_BYTE_ORDER_MARK) or self._stream.read(size)
        if not block and not self._ended:
            self._ended = True
            return b" "
        opened = [part.count(b"<<(") for part in block.split(b")>>")]
        opened[0] += self._open_triples
        self._open_triples = opened[-1]
        if max(opened) > MAX_DEPTH:
            raise too_deep(self._name)
        return block


def _counted(quads: Any, file: File) -> Iterator[Any]:
    for done, quad in enumerate(quads, start=1):
        if getattr(quad.object, "direction", None):
            raise LoadError(
                f"{file.name} has a text with a direction, which kgdb does not read: {quad}",
                hint="Omit the direction of texts ('@en--ltr').",
            )
        yield quad
        if done % _STEP == 0:
            file.report_progress("parsing", done, "triples")


def _refuse_rejected(connection: duckdb.DuckDBPyConnection, table: str, name: str) -> None:
    """Raise for an unreadable line of the converted file: its number is not that of the source."""
    rejected = connection.execute(
        "SELECT file, problem, text FROM rejected WHERE source = ? LIMIT 1", [table]
    ).fetchone()
    if rejected:
        file, problem, text = rejected
        raise LoadError(
            f"{file} has a statement that {problem}: {text}",
            hint=f"kgdb cannot skip a statement of {name}: correct it, or convert it to N-Triples.",
        )


def _number_blank_nodes(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Replace the labels of blank nodes by numbers: the parser generates random labels."""
    name, notes = identifier(table), identifier(annotations_of(table))
    places = [
        (name, "subject", "starts_with(subject, '_:')", "2 * rowid"),
        (name, "object", "kind = 'blank'", "2 * rowid + 1"),
        (notes, "subject", "starts_with(subject, '_:')", _LAST),
        (notes, "object", "kind = 'blank'", _LAST),
        (notes, "value", "value_kind = 'blank'", _LAST),
        (notes, "reifier", "starts_with(reifier, '_:')", _LAST),
    ]
    found = " UNION ALL ".join(
        f"SELECT {column} AS label, {position} AS position FROM {where} WHERE {blank}"
        for where, column, blank, position in places
    )
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE reading_blanks AS "
        "SELECT label, '_:b' || row_number() OVER (ORDER BY min(position), min(row)) AS numbered "
        f"FROM (SELECT *, row_number() OVER () AS row FROM ({found})) GROUP BY label"
    )
    for where, column, blank, _ in places:
        connection.execute(
            f"UPDATE {where} SET {column} = numbered FROM reading_blanks "
            f"WHERE {blank} AND {column} = label"
        )
    connection.execute("DROP TABLE reading_blanks")
