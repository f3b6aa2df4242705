"""Writes a prepared source into the store of a stopped server of ours, as files to import.

The graph's bookkeeping node is among them, marked as loading: whatever happens after the import,
the graph is known, not usable yet, and gone on with by the same command.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from kgdb.loading.preparing.prepared_source import Prepared
from kgdb.loading.scratch.disk_space import room_in
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.loading.scratch.statement_progress import watched
from kgdb.loading.writing.gds_pagerank import PROPERTY
from kgdb.loading.writing.load_job import IMPORTED, properties
from kgdb.loading.writing.local_pagerank import MOST_TRIPLES, pagerank
from kgdb.progress import Message, Report
from kgdb.runtime import ARRAY_DELIMITER

_DENSE_DEGREE = 50  # from which on Neo4j keeps the relationships of a node by type
# Relationships sorted by type are imported several times faster. The importer keeps a list of the
# types of each dense node, in the order they come, and walks it for each of its relationships,
# twice: three times as fast where the parts of a list lie side by side. So one relationship of each
# type of a dense node comes first, node by node, the frequent types before the others. A few nodes
# too many do no harm, and counting mentions again as triples would take longer than sorting them.
_IN_ORDER = f"""
    WITH ends AS (
        SELECT head AS node, relation, rowid AS place FROM triples
        UNION ALL SELECT tail, relation, rowid FROM triples
    ), dense AS (
        SELECT number AS node FROM entities WHERE mentions >= {_DENSE_DEGREE}
    ), ahead AS (
        SELECT place, min(node) AS node FROM (
            SELECT node, min(place) AS place FROM ends SEMI JOIN dense USING (node)
            GROUP BY node, relation
        ) GROUP BY place
    ), types AS (
        SELECT number, id, (row_number() OVER (ORDER BY count DESC, number))::INTEGER AS place
        FROM relation_types
    )
    SELECT head, tail, types.id AS type FROM triples
    JOIN types ON types.number = triples.relation
    LEFT JOIN ahead ON ahead.place = triples.rowid
    ORDER BY ahead.node NULLS LAST, types.place
    """
_BESIDE_TEXTS = 10_000  # bytes of a row: numbers, labels of kgdb's own, marks around texts
_ABOUT = "graph"  # the file of the bookkeeping node
_FORMAT = "(FORMAT csv, HEADER false, QUOTE '\"', ESCAPE '\"', FORCE_QUOTE ({quoted}))"


@dataclass(frozen=True, slots=True)
class ImportFiles:
    """What ``neo4j-admin database import full`` takes: groups of a header and its data.

    ``multiline`` are the data files that may hold a line break in a text; no row has more than
    ``longest`` bytes.
    """

    nodes: tuple[tuple[Path, Path], ...]
    relationships: tuple[tuple[Path, Path], ...]
    multiline: tuple[Path, ...]
    longest: int


def write_files(prepared: Prepared, *, ranked: bool, report: Report) -> ImportFiles:
    """Write the nodes and relationships of the graph below ``prepared.work``."""
    folder = prepared.work / "import"
    folder.mkdir()
    ranked = ranked and prepared.counts.triples <= MOST_TRIPLES
    # Ranking keeps one processor busy, and sorting the triples does not need its result.
    with prepared.tables.cursor() as beside, ThreadPoolExecutor(1) as pool:
        report(Message("Writing the files to import …"))
        relationships = pool.submit(_write_relationships, prepared, beside, folder, report)
        try:
            if ranked:
                report(Message("Ranking the entities …"))
                _rank(prepared, report)
            nodes = _write_nodes(prepared, folder, ranked=ranked)
            triples = relationships.result()
        except BaseException:
            beside.interrupt()  # the pool waits for its end
            raise
    multiline = _with_line_breaks(prepared)
    return ImportFiles(
        nodes,
        (triples,),
        tuple(data for _, data in (*nodes, triples) if data.stem in multiline),
        # Every character may be a quotation mark, of which two are written.
        2 * prepared.longest_texts() + _BESIDE_TEXTS,
    )


def _with_line_breaks(prepared: Prepared) -> set[str]:
    """The names of the files that hold a line break in a text."""
    written_to = {"relation_types": "triples"}
    names = {written_to.get(table, table) for table in prepared.tables_with_line_breaks()}
    about = (value for value in properties(prepared).values() if isinstance(value, str))
    return names | ({_ABOUT} if any("\n" in text or "\r" in text for text in about) else set())


def _write_nodes(
    prepared: Prepared, folder: Path, *, ranked: bool
) -> tuple[tuple[Path, Path], ...]:
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
        _write(prepared.tables, folder, _ABOUT, *_bookkeeping(prepared, ranked)),
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
    prepared: Prepared, tables: duckdb.DuckDBPyConnection, folder: Path, report: Report
) -> tuple[Path, Path]:
    header = [":START_ID", ":END_ID", ":TYPE"]
    with watched(tables, "writing triples", prepared.counts.triples, "triples", report):
        return _write(tables, folder, "triples", header, _IN_ORDER, "type")


def _rank(prepared: Prepared, report: Report) -> None:
    counts = prepared.counts
    scores = pagerank(prepared.tables, counts.entities + counts.literals, report)
    prepared.tables.register("scores", {"score": scores})
    prepared.tables.execute(
        "CREATE TABLE ranks AS SELECT row_number() OVER () - 1 AS number, score FROM scores"
    )


def _bookkeeping(prepared: Prepared, ranked: bool) -> tuple[list[str], str, str]:
    """The graph's node: header, SELECT and columns that are texts."""
    counts = prepared.counts
    known: dict[str, Any] = {
        "name": prepared.spec.name,
        **properties(prepared),
        "stage": IMPORTED,
        "pagerank": ranked,
    }
    del known["beyond"]
    kinds = {bool: "boolean", int: "long", str: "string"}
    header = [":ID", *(f"{key}:{kinds[type(value)]}" for key, value in known.items()), ":LABEL"]
    values = ", ".join(f"{_value(value)} AS {key}" for key, value in known.items())
    number = counts.entities + counts.literals
    texts = [key for key, value in known.items() if isinstance(value, str)]
    return (
        header,
        f"SELECT {number} AS number, {values}, 'KnowledgeGraph' AS labels",
        ", ".join([*texts, "labels"]),
    )


def _value(value: Any) -> str:
    return literal(value) if isinstance(value, str) else str(value).lower()


def _write(
    tables: duckdb.DuckDBPyConnection,
    folder: Path,
    name: str,
    header: list[str],
    query: str,
    quoted: str,
) -> tuple[Path, Path]:
    head, data = folder / f"{name}.header.csv", folder / f"{name}.csv"
    with room_in(folder.parent.parent):
        head.write_text(",".join(header) + "\n", encoding="utf-8")
        tables.execute(f"COPY ({query}) TO {literal(str(data))} {_FORMAT.format(quoted=quoted)}")
    return head, data
