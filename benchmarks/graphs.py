"""The server that is measured, with both graphs in it. It is built once and kept between runs."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks import powerlaw
from benchmarks.powerlaw import Shape
from kgdb.api import Connection, open_connection
from kgdb.errors import UsageError
from kgdb.graph.catalog import READY, fulltext_index
from kgdb.loading import load, prepare, read_spec
from kgdb.progress import Message, Report
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

INSTANCE = "benchmark"
HEAP, PAGE_CACHE = "4g", "1g"
POWERLAW = "powerlaw"
METAQA = "metaqa"


@dataclass(frozen=True, slots=True)
class GraphUnderTest:
    """A graph as the workloads name it: ``name`` for kgdb, ``label`` for plain Cypher."""

    name: str
    label: str


GRAPHS = (GraphUnderTest(METAQA, "MetaQA"), GraphUnderTest(POWERLAW, powerlaw.LABEL))


def data_folder() -> Path:
    """Where the published data sets are."""
    return Path(os.environ.get("KGDB_DATA", "../shared/data"))


@contextmanager
def measured_server(shape: Shape, report: Report) -> Iterator[Connection]:
    """Run the server until the block ends, with both graphs in the page cache.

    It is an instance of its own: the user's graphs are not touched, and the heap is always the
    same.
    """
    source = data_folder() / "metaqa" / "kb.txt.gz"
    if not source.is_file():
        raise UsageError(
            f"{source} does not exist.", hint="KGDB_DATA names the folder of the data sets."
        )
    settings = load_settings(instance=INSTANCE, heap=HEAP, page_cache=PAGE_CACHE)
    server = LocalServer(settings)
    # A server that still runs may have another plugin than the one to measure.
    server.stop(report)
    stamp = server.status().home / "benchmark.json"
    built = stamp.is_file() and json.loads(stamp.read_text()) == shape.fingerprint()
    if not built:
        _import(server, shape, report)
    try:
        with open_connection(settings, report) as connection:
            if not built:
                _describe(connection, shape, report)
                with prepare(read_spec(METAQA), source) as prepared:
                    load(prepared, connection, report=report)
                stamp.write_text(json.dumps(shape.fingerprint()))
            _warm(connection)
            yield connection
    finally:
        server.stop(report)


def server_facts(settings: Settings | None = None) -> dict[str, object]:
    """What the measured server is."""
    status = LocalServer(settings or load_settings(instance=INSTANCE)).status()
    return {
        "neo4j": status.neo4j_version,
        "gds": status.gds_version,
        "java": status.java,
        "heap": status.heap,
        "page_cache": status.page_cache,
        "store": status.store_size,
    }


def _import(server: LocalServer, shape: Shape, report: Report) -> None:
    server.reset(report)
    folder = server.status().home.parent / f".{INSTANCE}-csv"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        report(Message("Making the power-law graph"))
        files = powerlaw.write_csv(shape, folder)
        report(Message("Importing it"))
        server.admin(
            [
                *("database", "import", "full", "neo4j", "--overwrite-destination"),
                f"--nodes={files.nodes}",
                f"--relationships={files.relationships}",
            ],
            report=report,
        )
    finally:
        shutil.rmtree(folder)


def _describe(connection: Connection, shape: Shape, report: Report) -> None:
    """Write kgdb's own nodes and indexes, so that the graph is one like any other."""
    report(Message("Indexing it"))
    label = powerlaw.LABEL
    mark = {"name": POWERLAW, "load": str(uuid.uuid4())}
    for constraint in ("load_constraint_graph", "load_constraint_relation"):
        connection.write(constraint)
    properties = {
        **mark,
        "label": label,
        "title": "Generated power-law graph",
        "triples": shape.relationships,
        "entities": shape.entities,
        "relations": shape.relations,
        "source": json.dumps(asdict(shape)),
        "written": 0,
    }
    connection.write("load_begin", {"name": POWERLAW, "properties": properties})
    connection.write("load_constraint_entity", label=label, constraint=f"kgdb_{label}_id")
    connection.write("load_fulltext", label=label, index=fulltext_index(label))
    relations = connection.driver.execute_query(
        f"MATCH (:{label})-[r]->() RETURN type(r) AS id, count(*) AS count"
    ).records
    rows = [relation.data() for relation in relations]
    connection.write("load_relations", {**mark, "rows": rows})
    connection.write("await_indexes", {"seconds": 3600})
    connection.write("load_finish", {**mark, "properties": {"state": READY}})


def _warm(connection: Connection) -> None:
    connection.driver.execute_query("MATCH (n) RETURN count(n.id + n.name)")
    connection.driver.execute_query("MATCH (a)-[r]->(b) RETURN count(a.id = b.id)")
