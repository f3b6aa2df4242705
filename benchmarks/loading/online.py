"""Loading over Bolt, beside the loops one would write."""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from pathlib import Path

import neo4j

from benchmarks import powerlaw
from benchmarks.loading.bulk import INSTANCE
from benchmarks.powerlaw import Shape
from kgdb.api import load_graph, open_connection
from kgdb.connection import Connection
from kgdb.loading import PreparedSource, prepare, read_spec
from kgdb.progress import Report
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

_SHAPE = Shape(
    entities=100_000,
    relationships=500_000,
    relations=200,
    hubs=(20_000, 10_000, 5_000),
    relations_of_hub=10,
    seed=3,
)
_BATCH = 10_000
_SAMPLE = 5_000

# As most would write it; types are put in by APOC or by a statement per type without it.
_NODES = "UNWIND $rows AS row CREATE (n:Plain {id: row.id, name: row.name})"
_TRIPLES = """UNWIND $rows AS row
MATCH (h:Plain {id: row.head}) MATCH (t:Plain {id: row.tail}) CREATE (h)-[:$(row.relation)]->(t)"""
_MERGE = """MERGE (h:Merged {id: $head}) MERGE (t:Merged {id: $tail})
MERGE (h)-[:$($relation)]->(t)"""


_CSV_NODES = """LOAD CSV FROM 'file:///nodes.csv' AS row
CALL (row) { CREATE (:Csv {id: row[0], name: row[1]}) } IN TRANSACTIONS OF $batch ROWS"""
_CSV_TRIPLES = """LOAD CSV FROM 'file:///triples.csv' AS row
CALL (row) {
  MATCH (h:Csv {id: row[0]}) MATCH (t:Csv {id: row[2]}) CREATE (h)-[:$(row[1])]->(t)
} IN TRANSACTIONS OF $batch ROWS"""


@dataclass(frozen=True, slots=True)
class Online:
    """Triples a second, entities included; ``ratio``: how many times faster kgdb's load is."""

    mode: str
    triples: int
    seconds: float
    triples_a_second: float
    ratio: float


def measure(folder: Path, report: Report) -> list[Online]:
    """Load the same graph by each way into the same server, the database emptied in between."""
    settings = load_settings(instance=INSTANCE, heap="2g", page_cache="1g")
    server = LocalServer(settings)
    source = powerlaw.write_source(_SHAPE, folder)
    server.reset(report)
    rows = []
    try:
        with prepare(read_spec(str(powerlaw.LOADER)), source, report=report) as prepared:
            triples = prepared.counts.triples
            with open_connection(settings, report) as connection:
                plain = _plain(connection, prepared)
                from_csv = _load_csv(connection, prepared, server.status().home / "import")
                merged = _merged(connection, prepared) * triples / _SAMPLE
                began = time.perf_counter()
                load_graph(prepared, settings, mode="online", pagerank=False, report=report)
                own = time.perf_counter() - began
        for mode, seconds in (
            ("kgdb load, its indexes included", own),
            (f"UNWIND … CREATE, batches of {_BATCH:,}", plain),
            (f"LOAD CSV, transactions of {_BATCH:,} rows", from_csv),
            (f"one MERGE a triple, from {_SAMPLE:,}", merged),
        ):
            rows.append(Online(mode, triples, seconds, triples / seconds, seconds / own))
    finally:
        server.reset(report)
    return rows


def _plain(connection: Connection, prepared: PreparedSource) -> float:
    with connection.driver.session(database=connection.name) as session:
        _run(session, "CREATE CONSTRAINT FOR (n:Plain) REQUIRE n.id IS UNIQUE")
        began = time.perf_counter()
        for rows in prepared.entities(_BATCH):
            _run(session, _NODES, rows=rows)
        for rows in prepared.triples(_BATCH):
            _run(session, _TRIPLES, rows=rows)
        return time.perf_counter() - began


def _load_csv(connection: Connection, prepared: PreparedSource, folder: Path) -> float:
    """Of files that are ready, where the server reads files."""
    folder.mkdir(exist_ok=True)
    with (folder / "nodes.csv").open("w", newline="", encoding="utf-8") as file:
        for rows in prepared.entities(_BATCH):
            csv.writer(file).writerows((row["id"], row["name"]) for row in rows)
    with (folder / "triples.csv").open("w", newline="", encoding="utf-8") as file:
        for rows in prepared.triples(_BATCH):
            csv.writer(file).writerows((row["head"], row["relation"], row["tail"]) for row in rows)
    with connection.driver.session(database=connection.name) as session:
        _run(session, "CREATE CONSTRAINT FOR (n:Csv) REQUIRE n.id IS UNIQUE")
        began = time.perf_counter()
        _run(session, _CSV_NODES, batch=_BATCH)
        _run(session, _CSV_TRIPLES, batch=_BATCH)
        return time.perf_counter() - began


def _merged(connection: Connection, prepared: PreparedSource) -> float:
    (sample, *_) = prepared.triples(_SAMPLE)
    with connection.driver.session(database=connection.name) as session:
        _run(session, "CREATE CONSTRAINT FOR (n:Merged) REQUIRE n.id IS UNIQUE")
        began = time.perf_counter()
        for row in sample:
            _run(session, _MERGE, **row)
        return time.perf_counter() - began


def _run(session: neo4j.Session, text: str, **parameters: object) -> None:
    session.run(neo4j.Query(text), parameters).consume()
