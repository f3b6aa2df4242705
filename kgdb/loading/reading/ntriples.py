"""N-Triples and N-Quads.

Lines of the common form are taken apart by DuckDB, many at a time; whatever else there is goes
through the grammar, line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from kgdb.loading.reading.files import File
from kgdb.loading.reading.grammar import XSD_STRING, Malformed, parse_line
from kgdb.loading.reading.lines import LineTable
from kgdb.loading.reading.quoting import identifier, literal

COLUMNS = ("subject", "predicate", "object", "kind", "datatype", "language")
"""The columns of a table of triples, all texts; ``kind`` is that of the object."""

_IRI = r'<[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*>'
_LITERAL = (
    r'"[^"\\\x01]*(?:\\[tbnrf"\x27\\][^"\\\x01]*)*"'
    rf"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^{_IRI})?"
)
_SIMPLE_LABEL = "_:[A-Za-z0-9]+"

_ESCAPES = {
    r"\t": "chr(9)",
    r"\b": "chr(8)",
    r"\n": "chr(10)",
    r"\r": "chr(13)",
    r"\f": "chr(12)",
    r"\"": "chr(34)",
    r"\'": "chr(39)",
}
"""Escapes of one letter, as DuckDB's expressions of what they stand for."""

_PARSED = "STRUCT({})".format(", ".join(f"{column} VARCHAR" for column in COLUMNS))

_UNKNOWN, _BAD, _NOTHING = "?", "!", "-"
"""Kinds of lines that are not triples: not yet parsed, malformed, and blank or a comment."""


def read_ntriples(
    connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[File], *, told_as: str
) -> None:
    """Create the table from the files; malformed lines are told under the name ``told_as``."""
    columns = ", ".join(f"{column} VARCHAR" for column in COLUMNS)
    connection.execute(f"CREATE TABLE {identifier(table)} ({columns})")
    lines = LineTable(connection, table, told_as)
    for number, file in enumerate(files, start=1):
        label = f"_:{number}-" if len(files) > 1 else "_:"
        with file.for_duckdb() as readable:
            lines.append(readable, _row(_separator(file.head), label))
    _parse_rest(connection, table, lines, several=len(files) > 1)
    lines.close()


def _separator(head: bytes) -> str:
    """What stands between the terms: a tab or a space, as in most lines of the file's beginning."""
    lines = head.split(b"\n")
    return "\t" if 2 * sum(b">\t" in line for line in lines) > len(lines) else " "


def _row(separator: str, label: str) -> str:
    """A SELECT that makes a row of the table of each line."""
    gap = r"\t" if separator == "\t" else " "
    resource = f"(?:{_IRI}|{_SIMPLE_LABEL})"
    pattern = f"{resource}{gap}{_IRI}{gap}(?:{resource}|{_LITERAL}){gap}\\."
    if separator == "\t":
        # A tab within a literal would be one field more: such lines go the other way.
        pattern = pattern.replace(r'[^"\\\x01]*', r'[^"\\\x01\t]*')
    whole = f"array_to_string(fields[3:-2], {literal(separator)})"
    value = "fields[3]" if separator == "\t" else whole
    tag = "split_part(value, '\"', -1)"
    body = f"substr(value, 2, length(value) - length({tag}) - 2)"
    return f"""
        SELECT
            CASE WHEN NOT simple THEN line ELSE {_resource("fields[1]", label)} END AS subject,
            CASE WHEN simple THEN substr(fields[2], 2, length(fields[2]) - 2) END AS predicate,
            CASE WHEN NOT simple THEN NULL
                 WHEN value[1] <> '"' THEN {_resource("value", label)}
                 WHEN contains(value, '\\') THEN {_unescape(body)}
                 ELSE {body} END AS object,
            CASE WHEN NOT simple THEN '{_UNKNOWN}' WHEN value[1] = '<' THEN 'iri'
                 WHEN value[1] = '"' THEN 'literal' ELSE 'blank' END AS kind,
            CASE WHEN simple AND value[1] = '"' AND value[-1] = '>'
                 THEN nullif(substr({tag}, 4, length({tag}) - 4), '{XSD_STRING}') END AS datatype,
            CASE WHEN simple AND value[1] = '"' AND {tag}[1] = '@'
                 THEN substr({tag}, 2) END AS language
        FROM (SELECT line, simple, fields, CASE WHEN simple THEN {value} END AS value
              FROM (SELECT line, coalesce(simple, false) AS simple,
                           CASE WHEN simple THEN string_split(line, {literal(separator)}) END
                               AS fields
                    FROM (SELECT line, regexp_full_match(line, {literal(pattern)}) AS simple
                          FROM lines)))"""


def _resource(field: str, label: str) -> str:
    return (
        f"CASE WHEN {field}[1] = '<' THEN substr({field}, 2, length({field}) - 2) "
        f"ELSE {literal(label)} || substr({field}, 3) END"
    )


def _unescape(text: str) -> str:
    # A doubled backslash is set aside first, as a character that no such line has.
    aside = f"replace({text}, '\\\\', chr(1))"
    for escape, character in _ESCAPES.items():
        aside = f"replace({aside}, {literal(escape)}, {character})"
    return f"replace({aside}, chr(1), '\\')"


def _parse_rest(
    connection: duckdb.DuckDBPyConnection, table: str, lines: LineTable, *, several: bool
) -> None:
    """Parse the lines that are still whole, and take them out of the table."""
    name = identifier(table)
    connection.create_function(
        "reading_parse_line",
        _parsed,
        ["VARCHAR"],
        _PARSED,
        null_handling="special",
    )
    try:
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE reading_rest AS "
            "SELECT row, line AS text, reading_parse_line(line) AS parsed "
            f"FROM (SELECT rowid AS row, subject AS line FROM {name} WHERE kind = '{_UNKNOWN}')"
        )
    finally:
        connection.remove_function("reading_parse_line")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE reading_bad AS SELECT row, parsed.subject AS problem, text "
        f"FROM reading_rest WHERE parsed.kind = '{_BAD}'"
    )
    lines.reject("reading_bad")
    connection.execute(f"DELETE FROM {name} WHERE kind = '{_UNKNOWN}'")
    good = "SELECT row, parsed FROM reading_rest"
    good += f" WHERE parsed.kind NOT IN ('{_BAD}', '{_NOTHING}')"
    subject, value = "parsed.subject", "parsed.object"
    if several:
        good = lines.places(f"({good})")
        subject = _numbered(subject, "starts_with(parsed.subject, '_:')")
        value = _numbered(value, "parsed.kind = 'blank'")
    connection.execute(
        f"INSERT INTO {name} SELECT {subject}, parsed.predicate, {value}, parsed.kind, "
        f"parsed.datatype, parsed.language FROM ({good}) ORDER BY row"
    )
    connection.execute("DROP TABLE reading_bad")
    connection.execute("DROP TABLE reading_rest")


def _numbered(term: str, blank: str) -> str:
    return f"CASE WHEN {blank} THEN '_:' || number || '-' || substr({term}, 3) ELSE {term} END"


def _parsed(line: str | None) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    try:
        statement = parse_line(line or "")
    except Malformed as problem:
        row["kind"] = _BAD
        row["subject"] = str(problem)
        return row
    if statement is None:
        row["kind"] = _NOTHING
        return row
    return {column: getattr(statement, column) for column in COLUMNS}
