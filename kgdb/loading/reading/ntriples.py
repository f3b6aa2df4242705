"""N-Triples and N-Quads.

DuckDB splits lines of the common form, many at a time. pyoxigraph parses all other lines, one by
one: among them the statements about triples (RDF-star) and those of a named graph (N-Quads).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import duckdb

from kgdb.loading.reading.files import File
from kgdb.loading.reading.ntriples_lines import XSD_STRING, MalformedLine, parse_line
from kgdb.loading.reading.reification import REIFIES, annotate
from kgdb.loading.reading.scan import LineTable
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.sql_quoting import identifier, literal

COLUMNS = ("subject", "predicate", "object", "kind", "datatype", "language")
"""The text columns of a table of triples; ``kind`` is the kind of the object."""

IRI = r'<[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*>'
_LITERAL = (
    r'"[^"\\\x01]*(?:\\[tbnrf"\x27\\][^"\\\x01]*)*"'
    rf"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^{IRI})?"
)
SIMPLE_LABEL = "_:[A-Za-z0-9]+"
"""Patterns of the terms in lines of the common form."""

_ESCAPES = {
    r"\t": "chr(9)",
    r"\b": "chr(8)",
    r"\n": "chr(10)",
    r"\r": "chr(13)",
    r"\f": "chr(12)",
    r"\"": "chr(34)",
    r"\'": "chr(39)",
}
"""One-letter escapes, with DuckDB expressions for their characters."""

ANNOTATIONS = (
    *COLUMNS,
    "key",
    *(f"value{part}" for part in ("", "_kind", "_datatype", "_language")),
    "reifier",
)
"""The text columns of the table of annotations: a triple, and what is said about it.

``key`` is the predicate that says it, or :data:`GRAPH`, and ``value`` its object, or the graph.
``reifier`` is the node that stands for the triple, if there is one: what is said of several nodes
is said of several facts.
"""

GRAPH = "graph"
"""The key of the annotation that names the graph of a triple."""

_TRIPLE = dict.fromkeys(COLUMNS, "VARCHAR")
_PARSED = json.dumps({**_TRIPLE, "graph": "VARCHAR", "about": _TRIPLE})
"""The structure of a parsed line. It is passed as JSON: DuckDB takes long to convert a dict."""

_UNKNOWN, _BAD, _NOTHING = "?", "!", "-"
"""Kinds of lines that are not triples: not parsed yet, malformed, blank or a comment."""


def read_ntriples(
    connection: duckdb.DuckDBPyConnection, source: Source, files: Sequence[File]
) -> None:
    """Create the table from the files; malformed lines go to ``rejected``.

    :func:`annotations_of` names a second table, with what the files say about their triples.
    """
    table = source.table
    columns = ", ".join(f"{column} VARCHAR" for column in COLUMNS)
    connection.execute(f"CREATE TABLE {identifier(table)} ({columns})")
    columns = ", ".join(f"{column} VARCHAR" for column in ANNOTATIONS)
    connection.execute(f"CREATE OR REPLACE TABLE {identifier(annotations_of(table))} ({columns})")
    lines = LineTable(connection, table, table)
    for number, file in enumerate(files, start=1):
        label = f"_:{number}-" if len(files) > 1 else "_:"
        with file.for_duckdb(connection) as readable:
            blanks = b"_:" in file.head
            lines.append(readable, _row(_separator(file.head), label, blanks=blanks))
    _parse_rest(
        connection, table, lines, several=len(files) > 1, relative_iris=source.relative_iris
    )
    lines.close()


def annotations_of(table: str) -> str:
    """The name of the table of annotations that belongs to a table of triples."""
    return f"{table}_annotations"


def _separator(head: bytes) -> str:
    """The separator of the terms, tab or space, in most lines of the file's beginning."""
    lines = head.split(b"\n")
    return "\t" if 2 * sum(b">\t" in line for line in lines) > len(lines) else " "


def _row(separator: str, label: str, *, blanks: bool, carried: str = "") -> str:
    """A SELECT that makes a row of the table from each line.

    ``blanks``: whether the file has blank nodes, which cost an extra check of every line.
    ``carried``: further columns of ``lines``, each after a comma, which the row has behind its own.
    """
    tab = separator == "\t"
    gap = r"\t" if tab else " "
    resource = f"(?:{IRI}|{SIMPLE_LABEL})" if blanks else IRI
    # A tab in a literal would add a field: such a line is parsed.
    text = _LITERAL.replace(r"\x01", r"\x01\t") if tab else _LITERAL
    pattern = f"{resource}{gap}{IRI}{gap}(?:{resource}|{text}){gap}\\."
    value = "fields[3]" if tab else f"array_to_string(fields[3:-2], {literal(separator)})"
    tag = "split_part(value, '\"', -1)"
    body = f"substr(value, 2, length(value) - length({tag}) - 2)"
    blank_kind = "WHEN starts_with(value, '_') THEN 'blank'" if blanks else ""
    blank_value = f"WHEN kind = 'blank' THEN {_labelled('value', label)}" if blanks else ""
    subject = _inner("fields[1]")
    if blanks:
        subject = (
            f"CASE WHEN starts_with(fields[1], '_') THEN {_labelled('fields[1]', label)} "
            f"ELSE {subject} END"
        )
    # Any other line is stored whole in the subject column; its other columns have no meaning.
    return f"""
        SELECT
            CASE WHEN simple THEN {subject} ELSE line END AS subject,
            {_inner("fields[2]")} AS predicate,
            CASE WHEN kind = 'iri' THEN {_inner("value")}
                 {blank_value}
                 WHEN kind = '{_UNKNOWN}' THEN NULL
                 WHEN contains(value, '\\') THEN {_unescape(body)}
                 ELSE {body} END AS object,
            kind,
            CASE WHEN kind = 'literal' AND ends_with(value, '>')
                 THEN nullif(substr({tag}, 4, length({tag}) - 4), '{XSD_STRING}') END AS datatype,
            CASE WHEN kind = 'literal' AND NOT ends_with(value, '>') AND NOT ends_with(value, '"')
                 THEN substr({tag}, 2) END AS language{carried}
        FROM (SELECT line, simple, fields, value{carried},
                     CASE WHEN simple IS NOT TRUE THEN '{_UNKNOWN}'
                          WHEN starts_with(value, '<') THEN 'iri'
                          {blank_kind}
                          ELSE 'literal' END AS kind
              FROM (SELECT line, simple, fields, {value} AS value{carried}
                    FROM (SELECT line{carried}, CASE WHEN {_plain(separator)} THEN true
                                 ELSE regexp_full_match(line, {literal(pattern)}) END AS simple,
                                 string_split(line, {literal(separator)}) AS fields
                          FROM lines)))"""


def _plain(separator: str) -> str:
    """A condition for lines of three http IRIs: a regular expression takes twice as long."""
    tab = separator == "\t"
    three = separator.join(["<http://%>"] * 3)
    # to_json adds a backslash before tabs, quotation marks and other control characters.
    longer = 5 if tab else 2
    once = "<>" if tab else "<> "
    never = " {}|^`" if tab else "{}|^`"
    return " AND ".join(
        [
            f"line LIKE {literal(f'{three}{separator}.')}",
            f"strlen(to_json(line)) = strlen(line) + {longer}",
            *(f"line NOT LIKE {literal(f'%{sign}' * 4 + '%')}" for sign in once),
            *(f"NOT contains(line, {literal(sign)})" for sign in never),
        ]
    )


def _inner(field: str) -> str:
    return f"substr({field}, 2, length({field}) - 2)"


def _labelled(field: str, label: str) -> str:
    return f"{literal(label)} || substr({field}, 3)"


def _unescape(text: str) -> str:
    # First a doubled backslash becomes a character that no such line contains.
    aside = f"replace({text}, '\\\\', chr(1))"
    for escape, character in _ESCAPES.items():
        aside = f"replace({aside}, {literal(escape)}, {character})"
    return f"replace({aside}, chr(1), '\\')"


def _parse_rest(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    lines: LineTable,
    *,
    several: bool,
    relative_iris: bool,
) -> None:
    """Parse the unsplit lines, and replace them in the table."""
    name = identifier(table)
    _split_reifiers(connection, name, several=several)

    def parsed(line: str) -> str:
        return json.dumps(_parsed(line, relative_iris=relative_iris))

    connection.create_function("reading_parse_line", parsed, ["VARCHAR"], "VARCHAR")
    try:
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE reading_rest AS "
            "SELECT row, line AS text, "
            f"json_transform(reading_parse_line(line), {literal(_PARSED)}) AS parsed "
            f"FROM (SELECT rowid AS row, coalesce(subject, '') AS line FROM {name} "
            f"WHERE kind = '{_UNKNOWN}' AND rowid NOT IN (SELECT row FROM reading_reifiers))"
        )
    finally:
        connection.remove_function("reading_parse_line")
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE reading_bad AS SELECT row, parsed.subject AS problem, text "
        f"FROM reading_rest WHERE parsed.kind = '{_BAD}'"
    )
    lines.reject("reading_bad")
    connection.execute(f"DELETE FROM {name} WHERE kind = '{_UNKNOWN}'")
    connection.execute(f"DELETE FROM reading_rest WHERE parsed.kind IN ('{_BAD}', '{_NOTHING}')")
    rest = f"({lines.locate('reading_rest')})" if several else "reading_rest"
    triple, about = (_terms(each, several=several) for each in ("parsed", "parsed.about"))
    key = literal(GRAPH)
    graph = (
        _numbered("parsed.graph", "starts_with(parsed.graph, '_:')") if several else "parsed.graph"
    )
    graph_kind = "if(starts_with(parsed.graph, '_:'), 'blank', 'iri')"
    value = ", ".join(triple[2:])
    # Each kind of statement with its place: about no triple, about one in its subject, and the
    # names that RDF 1.2 gives to triples.
    connection.execute(
        f"INSERT INTO {name} SELECT {', '.join(triple)} FROM {rest} "
        "WHERE parsed.about IS NULL ORDER BY row"
    )
    notes = identifier(annotations_of(table))
    connection.execute(
        f"INSERT INTO {notes} SELECT {', '.join(triple)}, {key}, {graph}, {graph_kind}, "
        "NULL, NULL, NULL "
        f"FROM {rest} WHERE parsed.about IS NULL AND parsed.graph IS NOT NULL ORDER BY row"
    )
    connection.execute(
        f"INSERT INTO {notes} SELECT {', '.join(about)}, parsed.predicate, {value}, NULL "
        f"FROM {rest} WHERE parsed.about IS NOT NULL AND parsed.kind <> 'triple' ORDER BY row"
    )
    connection.execute(
        f"INSERT INTO reading_reifiers SELECT row, {triple[0]}, {', '.join(about)} "
        f"FROM {rest} WHERE parsed.kind = 'triple' AND parsed.predicate = {literal(REIFIES)}"
    )
    connection.execute("ALTER TABLE reading_reifiers DROP COLUMN row")
    annotate(connection, table, annotations_of(table))
    for each in ("reading_bad", "reading_rest", "reading_reifiers"):
        connection.execute(f"DROP TABLE {each}")


def _split_reifiers(connection: duckdb.DuckDBPyConnection, name: str, *, several: bool) -> None:
    """Split the common form of the lines that name a triple: exports have one for many facts.

    They become ``reading_reifiers``. With several files they are parsed: blank nodes then need the
    number of their file.
    """
    pattern = rf"^({IRI}|{SIMPLE_LABEL}) <{REIFIES}> <<\( (.*) \)>> \.$"
    split = _row(" ", "_:", blanks=True, carried=", row, node")
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE reading_reifiers AS
        WITH lines AS (
            SELECT row, parts.node AS node, parts.triple || ' .' AS line
            FROM (SELECT rowid AS row,
                         regexp_extract(subject, {literal(pattern)}, ['node', 'triple']) AS parts
                  FROM {name}
                  WHERE {"false" if several else f"kind = '{_UNKNOWN}'"}
                    AND contains(subject, '{REIFIES}> <<( '))
            WHERE parts.node <> '')
        SELECT row, if(starts_with(node, '<'), {_inner("node")}, node) AS reifier,
               {", ".join(COLUMNS)}
        FROM ({split}) WHERE kind <> '{_UNKNOWN}'
        """
    )


def _terms(row: str, *, several: bool) -> list[str]:
    """The columns of a parsed triple; with several files, blank nodes carry the file's number."""
    subject, value = f"{row}.subject", f"{row}.object"
    if several:
        subject = _numbered(subject, f"starts_with({subject}, '_:')")
        value = _numbered(value, f"{row}.kind = 'blank'")
    rest = (f"{row}.{column}" for column in COLUMNS[3:])
    return [subject, f"{row}.predicate", value, *rest]


def _numbered(term: str, blank: str) -> str:
    return f"CASE WHEN {blank} THEN '_:' || number || '-' || substr({term}, 3) ELSE {term} END"


def _parsed(line: str, *, relative_iris: bool) -> dict[str, Any]:
    nothing = dict.fromkeys((*COLUMNS, "graph", "about"))
    try:
        row = parse_line(line, relative_iris=relative_iris)
    except MalformedLine as problem:
        return {**nothing, "kind": _BAD, "subject": str(problem)}
    return row or {**nothing, "kind": _NOTHING}
