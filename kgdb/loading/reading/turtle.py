"""Turtle, converted to N-Triples.

A syntax error in Turtle cannot be skipped, because later statements may depend on the bad one. So
the whole file is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, BinaryIO

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File, explaining_errors
from kgdb.loading.reading.ntriples import read_ntriples
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.optional_packages import optional
from kgdb.progress import Progress

_STEP = 100_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_turtle(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[File]) -> None:
    """Create the table of triples; raise :class:`LoadError` at the first syntax error.

    Blank nodes of all files are numbered by their first occurrence in the table.
    """
    with ExitStack() as stack:
        converted = [stack.enter_context(_as_ntriples(file, i)) for i, file in enumerate(files)]
        read_ntriples(connection, table, converted, source_name=table)
    _refuse_rejected(connection, table)
    _number_blank_nodes(connection, table)


@contextmanager
def _as_ntriples(file: File, position: int) -> Iterator[File]:
    rdf = optional("pyoxigraph", "rdf")
    target = file.work / f"turtle-{position}.nt"
    try:
        try:
            with explaining_errors(file.name), file.open() as stream:
                triples = rdf.parse(_Whole(stream), format=rdf.RdfFormat.TURTLE)
                rdf.serialize(_counted(triples, file), str(target), format=rdf.RdfFormat.N_TRIPLES)
        except SyntaxError as error:
            raise LoadError(
                f"{file.name}, line {error.lineno}, column {error.offset}: "
                f"this is not Turtle: {error.msg}",
                hint="kgdb cannot skip a syntax error in Turtle. Correct the file, or convert it "
                "to N-Triples, where kgdb can skip single lines.",
            ) from error
        except MemoryError as error:
            raise LoadError(
                f"{file.name} contains an IRI, a name or a text of more than 16 MiB.",
                hint='Perhaps a quotation mark (or """) is not closed. kgdb cannot skip an error '
                "in Turtle: correct the file.",
            ) from error
        with target.open("rb") as plain:
            head = plain.read(1 << 16)
        yield replace(file, path=target, compression="none", head=head)
    finally:
        target.unlink(missing_ok=True)


class _Whole:
    r"""The bytes without a byte order mark, and with a final space.

    The parser reads the mark as a name, and truncates a name with an escape at the very end of a
    file (``e:Inc\..``).
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
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
        return block


def _counted(triples: Any, file: File) -> Iterator[Any]:
    for done, triple in enumerate(triples, start=1):
        if hasattr(triple.object, "predicate") or getattr(triple.object, "direction", None):
            raise LoadError(
                f"{file.name} uses RDF 1.2, which kgdb does not read: {triple}",
                hint="Replace triples about triples ('<< … >>', '{| … |}') by triples of a node "
                "for the fact, and omit the direction of texts ('@en--ltr').",
            )
        yield triple
        if done % _STEP == 0:
            file.report(Progress(f"parsing {file.name.name}", done, None, "triples"))


def _refuse_rejected(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Raise for an unreadable line of the converted file: its number is not that of the source."""
    rejected = connection.execute(
        "SELECT file, problem, text FROM rejected WHERE source = ? LIMIT 1", [table]
    ).fetchone()
    if rejected:
        file, problem, text = rejected
        raise LoadError(
            f"{file} has a statement that {problem}: {text}",
            hint="kgdb cannot skip a statement of Turtle: correct it, or convert it to N-Triples.",
        )


def _number_blank_nodes(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Replace the labels of blank nodes by numbers: the parser generates random labels."""
    name = identifier(table)
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE reading_blanks AS
        SELECT label, '_:b' || row_number() OVER (ORDER BY min(position)) AS numbered
        FROM (SELECT subject AS label, 2 * rowid AS position FROM {name}
              WHERE starts_with(subject, '_:')
              UNION ALL
              SELECT object, 2 * rowid + 1 FROM {name} WHERE kind = 'blank')
        GROUP BY label
        """
    )
    connection.execute(
        f"UPDATE {name} SET subject = numbered FROM reading_blanks WHERE subject = label"
    )
    connection.execute(
        f"UPDATE {name} SET object = numbered FROM reading_blanks "
        "WHERE kind = 'blank' AND object = label"
    )
    connection.execute("DROP TABLE reading_blanks")
