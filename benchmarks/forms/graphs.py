"""The property graphs that are asked: put into an instance of their own, then adopted."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.graphs import data_folder
from kgdb.api import open_connection
from kgdb.connection import Connection
from kgdb.progress import Report
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

INSTANCE = "forms"
FOLDER = Path(__file__).parent
LABELS = {
    "movies": ("Movie", "Person"),
    "northwind": ("Category", "Customer", "Order", "Product", "Supplier"),
    "ferries": ("Captain", "Ferry", "Island", "Operator"),
    "company": ("Division", "Employee", "Office", "Project", "Skill"),
    "festival": ("Actor", "Cinema", "Director", "Film", "Juror", "Prize"),
    "football": ("Club", "Coach", "Match", "Player", "Stadium"),
    "geography": ("City", "Continent", "Country", "Mountain", "River", "Sea"),
    "hospital": ("Doctor", "Illness", "Nurse", "Patient", "Therapy", "Ward"),
    "museum": ("Motif", "Movement", "Museum", "Painter", "Painting", "Town"),
    "restaurants": ("Chef", "Dish", "District", "Ingredient", "Region", "Restaurant"),
    "software": ("Bug", "Language", "Licence", "Maintainer", "Package"),
    "university": ("Course", "Faculty", "Hall", "Professor", "Student"),
    "zoo": ("Animal", "Biome", "Enclosure", "Keeper", "Species", "Sponsor"),
}

_NODES = """
UNWIND $rows AS row CREATE (n:Put:$(row.labels) {put: row.id}) SET n += row.properties
"""
_RELATIONSHIPS = """
UNWIND $rows AS row MATCH (a:Put {put: row.start}), (b:Put {put: row.end})
CREATE (a)-[r:$(row.label)]->(b) SET r += row.properties
"""


@contextmanager
def property_graphs(report: Report) -> Iterator[Connection]:
    """Run the server until the block ends, with all graphs as an application leaves them."""
    settings = load_settings(instance=INSTANCE, heap="512m", page_cache="128m")
    server = LocalServer(settings)
    try:
        with open_connection(settings, report) as connection:
            adopted = {info.name for info in connection.graphs()}
            for name, labels in LABELS.items():
                if name not in adopted:
                    _put(connection, name)
                    connection.adopt(name, labels)
            yield connection
    finally:
        server.stop(report)


def _file(name: str) -> Path:
    """Neo4j's examples are data sets; the other graphs were made for these questions."""
    own = FOLDER / f"{name}.graph.jsonl"
    return own if own.is_file() else data_folder() / "neo4j-examples" / f"{name}.jsonl.gz"


def _put(connection: Connection, name: str) -> None:
    """Write a graph as an application would: no constraint, no index, no label of kgdb's."""
    content = _file(name).read_bytes()
    lines = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    rows = [json.loads(line) for line in lines.splitlines()]
    run = connection.driver.execute_query
    run("CREATE INDEX put IF NOT EXISTS FOR (n:Put) ON (n.put)")
    run("CALL db.awaitIndexes(60)")
    run(_NODES, rows=[row for row in rows if row["type"] == "node"])
    run(_RELATIONSHIPS, rows=[row for row in rows if row["type"] != "node"])
    run("MATCH (n:Put) REMOVE n:Put, n.put")
    run("DROP INDEX put")
