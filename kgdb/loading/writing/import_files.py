"""Writes the CSV files of an offline import.

They contain the graph's bookkeeping node, marked as loading. So whatever happens after the import,
the database knows the graph, shows it as not ready, and the same command resumes the load.
"""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from kgdb.errors import UsageError
from kgdb.loading.preparing.prepared_source import PreparedSource
from kgdb.loading.preparing.relationship_properties import Qualifier
from kgdb.loading.scratch.disk_space import explaining_full_disk
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.loading.scratch.statement_progress import reporting_progress
from kgdb.loading.writing.load_job import IMPORTED, properties
from kgdb.loading.writing.pageranks import MAX_TRIPLES, PROPERTY, pagerank
from kgdb.progress import Message, Report
from kgdb.runtime import ARRAY_DELIMITER, ImportOptions, Inputs, file_arguments

_DENSE_DEGREE = 50  # from this degree on Neo4j groups the relationships of a node by type
# Sorting relationships by type makes an import several times faster. The importer keeps a list of
# the types of each dense node, in order of arrival, and walks it twice for each relationship; that
# is three times faster if the entries of a list lie side by side. So the file begins with one
# relationship per type of each dense node, node by node, frequent types first. A few nodes too many
# do no harm: counting the exact degrees would take longer than sorting the extra nodes.
_IN_ORDER = f"""
    WITH ends AS (
        SELECT head AS node, relation, rowid AS position FROM triples
        UNION ALL SELECT tail, relation, rowid FROM triples
    ), dense AS (
        SELECT number AS node FROM entities WHERE mentions >= {_DENSE_DEGREE}
    ), first AS (
        SELECT position, min(node) AS node FROM (
            SELECT node, min(position) AS position FROM ends SEMI JOIN dense USING (node)
            GROUP BY node, relation
        ) GROUP BY position
    ), types AS (
        SELECT number, id, (row_number() OVER (ORDER BY count DESC, number))::INTEGER AS rank
        FROM relation_types
    )
    SELECT head, tail, types.id AS type{{qualifiers}} FROM triples
    JOIN types ON types.number = triples.relation
    LEFT JOIN first ON first.position = triples.rowid
    ORDER BY first.node NULLS LAST, types.rank
    """
_ROW_OVERHEAD = 10_000  # bytes of a row besides its texts: numbers, kgdb's labels, quotation marks
_TYPES = {
    "BIGINT": "long",
    "DOUBLE": "double",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP": "localdatetime",
    "VARCHAR": "string",
    "VARCHAR[]": "string[]",
}
"""The importer's names of the types of qualifiers."""

_GRAPH = "graph"  # the file of the bookkeeping node
_FORMAT = "(FORMAT csv, HEADER false, QUOTE '\"', ESCAPE '\"', FORCE_QUOTE ({quoted}))"


@dataclass(frozen=True, slots=True)
class ImportFiles:
    """The files for ``neo4j-admin database import full``, each group a header and its data.

    ``multiline`` are the data files with line breaks inside texts; ``max_row_bytes`` is an upper
    bound for the bytes of a row.
    """

    nodes: tuple[tuple[Path, ...], ...]
    relationships: tuple[tuple[Path, ...], ...]
    multiline: tuple[Path, ...]
    max_row_bytes: int


def write_files(prepared: PreparedSource, *, ranked: bool, report: Report) -> ImportFiles:
    """Write the nodes and relationships of the graph below ``prepared.folder``."""
    folder = prepared.folder / "import"
    folder.mkdir()
    in_memory = isinstance(prepared.tables, duckdb.DuckDBPyConnection)
    ranked = ranked and in_memory and prepared.counts.triples <= MAX_TRIPLES
    # Both run at once: ranking uses one processor, and sorting does not need the ranks.
    with prepared.tables.cursor() as second_cursor, ThreadPoolExecutor(1) as pool:
        report(Message("Writing the files to import …"))
        relationships = pool.submit(_write_relationships, prepared, second_cursor, folder, report)
        try:
            if ranked:
                report(Message("Ranking the entities …"))
                _rank(prepared, report)
            nodes = _write_nodes(prepared, folder, ranked=ranked)
            triples = relationships.result()
        except BaseException:
            second_cursor.interrupt()  # the pool waits for its thread
            raise
    multiline = _with_line_breaks(prepared)
    return ImportFiles(
        nodes,
        (triples,),
        tuple(
            data
            for head, *parts in (*nodes, triples)
            for data in parts
            if head.name.partition(".")[0] in multiline
        ),
        # The worst case: every character is a quotation mark and is written twice.
        2 * prepared.max_text_bytes() + _ROW_OVERHEAD,
    )


def write_import(prepared: PreparedSource, folder: Path, report: Report) -> str:
    """Write the graph to an empty folder, for a server that kgdb does not run.

    Returns the command that imports it, whose arguments are in the folder too. The graph is then
    marked as loading: loading the same source into that server completes it. Raises
    :class:`UsageError` if the folder is not empty.
    """
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty.", hint="Name a new folder.")
    folder = folder.absolute()
    files = write_files(prepared, ranked=False, report=report)
    written = prepared.folder / "import"
    shutil.copytree(written, folder, dirs_exist_ok=True, copy_function=shutil.move)
    inputs = Inputs(files.nodes, files.relationships)
    options = ImportOptions(multiline=files.multiline, max_row_bytes=files.max_row_bytes)
    groups = (*inputs.nodes, *inputs.relationships)
    names = {path: str(folder / path.relative_to(written)) for group in groups for path in group}
    lines = (
        each.replace("\\", "\\\\").replace('"', '\\"')
        for each in file_arguments(inputs, options, names)
    )
    given = folder / "import.args"
    given.write_text("".join(f'"{line}"\n' for line in lines), encoding="utf-8")
    return f"neo4j-admin database import full neo4j @{given}"


def _with_line_breaks(prepared: PreparedSource) -> set[str]:
    """The names of the files with line breaks inside texts."""
    file_of = {"relation_types": "triples"}
    names = {file_of.get(table, table) for table in prepared.tables_with_line_breaks()}
    texts = (value for value in properties(prepared).values() if isinstance(value, str))
    return names | ({_GRAPH} if any("\n" in text or "\r" in text for text in texts) else set())


def _write_nodes(
    prepared: PreparedSource, folder: Path, *, ranked: bool
) -> tuple[tuple[Path, ...], ...]:
    label = prepared.spec.label
    rank = f", ranks.score AS {PROPERTY}" if ranked else ""
    join = "LEFT JOIN ranks USING (number)" if ranked else ""
    rank_header = [f"{PROPERTY}:double"] if ranked else []
    separator = f"chr({ord(ARRAY_DELIMITER)})"
    clean = f"[replace(each, {separator}, ' ') FOR each IN {{0}}]"
    nodes = [
        _write(
            prepared.tables,
            folder,
            "entities",
            [":ID", "id:string", "name:string", "aliases:string[]", *rank_header, ":LABEL"],
            f"""
            SELECT number, id, name,
                   array_to_string({clean.format("aliases")}, {separator}) AS aliases{rank},
                   array_to_string(list_concat(
                       ['Entity', '{label}'], CASE WHEN mediator THEN ['Mediator'] ELSE [] END,
                       coalesce({clean.format("labels")}, [])), {separator}) AS labels
            FROM entities {join}
            """,
            "id, name, aliases, labels",
        ),
        _write(prepared.tables, folder, _GRAPH, *_bookkeeping(prepared, ranked)),
    ]
    if prepared.counts.literals:
        header = [":ID", "id:string", "name:string", "value:string", "datatype:string"]
        nodes.append(
            _write(
                prepared.tables,
                folder,
                "literals",
                [*header, "language:string", *rank_header, ":LABEL"],
                f"""
                SELECT number, id, name, value, datatype, language{rank},
                       array_to_string(['Entity', '{label}', 'Literal'], {separator}) AS labels
                FROM literals {join}
                """,
                "id, name, value, datatype, language, labels",
            )
        )
    return tuple(nodes)


def _write_relationships(
    prepared: PreparedSource, tables: duckdb.DuckDBPyConnection, folder: Path, report: Report
) -> tuple[Path, ...]:
    qualifiers = prepared.qualifiers
    header = [":START_ID", ":END_ID", ":TYPE", *(f"{q.name}:{_TYPES[q.type]}" for q in qualifiers)]
    further = "".join(f", {_written(q)} AS {q.column}" for q in qualifiers)
    query = _IN_ORDER.format(qualifiers=further)
    quoted = ", ".join(["type", *(each.column for each in qualifiers if each.is_text)])
    with reporting_progress(tables, "writing triples", prepared.counts.triples, "triples", report):
        return _write(tables, folder, "triples", header, query, quoted)


def _written(qualifier: Qualifier) -> str:
    """A property of a relationship as the importer reads it, in SQL."""
    column, separator = qualifier.column, f"chr({ord(ARRAY_DELIMITER)})"
    if qualifier.type == "TIMESTAMP":
        return f"strftime({column}, '%Y-%m-%dT%H:%M:%S.%f')"
    if qualifier.type == "VARCHAR[]":
        clean = f"[replace(each, {separator}, ' ') FOR each IN {column}]"
        return f"array_to_string({clean}, {separator})"
    return column


def _rank(prepared: PreparedSource, report: Report) -> None:
    counts = prepared.counts
    scores = pagerank(prepared.tables, counts.entities + counts.literals, report)
    prepared.tables.register("scores", {"score": scores})
    prepared.tables.execute(
        "CREATE TABLE ranks AS SELECT row_number() OVER () - 1 AS number, score FROM scores"
    )


def _bookkeeping(prepared: PreparedSource, ranked: bool) -> tuple[list[str], str, str]:
    """The graph's bookkeeping node: its header, its SELECT and its text columns."""
    counts = prepared.counts
    values: dict[str, Any] = {
        "name": prepared.spec.name,
        **properties(prepared),
        "stage": IMPORTED,
        "pagerank": ranked,
    }
    del values["beyond"]
    if not values["qualifiers"]:
        del values["qualifiers"]
    kinds = {bool: "boolean", int: "long", str: "string", list: "string[]"}
    header = [":ID", *(f"{key}:{kinds[type(value)]}" for key, value in values.items()), ":LABEL"]
    columns = ", ".join(f"{_value(value)} AS {key}" for key, value in values.items())
    number = counts.entities + counts.literals
    texts = [key for key, value in values.items() if isinstance(value, str | list)]
    return (
        header,
        f"SELECT {number} AS number, {columns}, 'KnowledgeGraph' AS labels",
        ", ".join([*texts, "labels"]),
    )


def _value(value: Any) -> str:
    if isinstance(value, list):
        value = ARRAY_DELIMITER.join(value)
    return literal(value) if isinstance(value, str) else str(value).lower()


def _write(
    tables: duckdb.DuckDBPyConnection,
    folder: Path,
    name: str,
    header: list[str],
    query: str,
    quoted: str,
) -> tuple[Path, ...]:
    head, data = folder / f"{name}.header.csv", folder / f"{name}.csv"
    with explaining_full_disk(folder.parent.parent):
        head.write_text(",".join(header) + "\n", encoding="utf-8")
        tables.execute(f"COPY ({query}) TO {literal(str(data))} {_FORMAT.format(quoted=quoted)}")
    # Spark writes a folder of parts.
    return head, *(sorted(data.glob("part-*")) if data.is_dir() else [data])
