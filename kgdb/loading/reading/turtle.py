"""Turtle, by way of N-Triples.

A mistake in Turtle cannot be skipped: what follows it may depend on it, so the file is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import duckdb

from kgdb.errors import LoadError
from kgdb.extras import optional
from kgdb.loading.quoting import identifier
from kgdb.loading.reading.files import File, explained
from kgdb.loading.reading.ntriples import read_ntriples
from kgdb.progress import Progress

_STEP = 100_000


def read_turtle(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[File]) -> None:
    """Create the table of triples; raise :class:`LoadError` at the first mistake.

    Blank nodes are numbered by their first appearance in the table, over all files.
    """
    with ExitStack() as stack:
        converted = [stack.enter_context(_as_ntriples(file, i)) for i, file in enumerate(files)]
        read_ntriples(connection, table, converted, told_as=table)
    _number_blank_nodes(connection, table)


@contextmanager
def _as_ntriples(file: File, position: int) -> Iterator[File]:
    rdf = optional("pyoxigraph", "rdf")
    target = file.work / f"turtle-{position}.nt"
    try:
        try:
            with explained(file.name), file.open() as stream:
                triples = rdf.parse(stream, format=rdf.RdfFormat.TURTLE)
                rdf.serialize(_counted(triples, file), str(target), format=rdf.RdfFormat.N_TRIPLES)
        except SyntaxError as error:
            raise LoadError(
                f"{file.name}, line {error.lineno}, column {error.offset}: "
                f"this is not Turtle: {error.msg}",
                hint="A mistake in Turtle makes the rest unsure, so nothing of the file is read. "
                "Mend it, or use N-Triples, where single lines can be left out.",
            ) from error
        with target.open("rb") as plain:
            head = plain.read(1 << 16)
        yield replace(file, path=target, compression="none", head=head)
    finally:
        target.unlink(missing_ok=True)


def _counted(triples: Any, file: File) -> Iterator[Any]:
    for done, triple in enumerate(triples, start=1):
        yield triple
        if done % _STEP == 0:
            file.report(Progress(f"parsing {file.name.name}", done, None, "triples"))


def _number_blank_nodes(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Replace labels, some of which the parser invents anew each time, by numbers."""
    name = identifier(table)
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE reading_blanks AS
        SELECT label, '_:b' || row_number() OVER (ORDER BY min(place)) AS numbered
        FROM (SELECT subject AS label, 2 * rowid AS place FROM {name}
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
