"""The server that is measured, with both graphs in it. It is built once and kept between runs."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import powerlaw
from benchmarks.powerlaw import Shape
from kgdb.api import load_graph, open_connection
from kgdb.connection import Connection
from kgdb.errors import UsageError
from kgdb.loading import prepare, read_spec
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
    _metaqa()
    settings = load_settings(instance=INSTANCE, heap=HEAP, page_cache=PAGE_CACHE)
    server = LocalServer(settings)
    # A server that still runs may have another plugin than the one to measure.
    server.stop(report)
    stamp = server.status().home / "benchmark.json"
    built = stamp.is_file() and json.loads(stamp.read_text()) == shape.fingerprint()
    if not built:
        _build(server, settings, shape, report)
        stamp.write_text(json.dumps(shape.fingerprint()))
    try:
        with open_connection(settings, report) as connection:
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


def _build(server: LocalServer, settings: Settings, shape: Shape, report: Report) -> None:
    """Load both graphs into an empty instance."""
    server.reset(report)
    folder = server.status().home.parent / f".{INSTANCE}-source"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        report(Message("Making the power-law graph"))
        source = powerlaw.write_source(shape, folder)
        _load(settings, str(powerlaw.LOADER), source, report)
    finally:
        shutil.rmtree(folder)
    _load(settings, METAQA, _metaqa(), report)


def _load(settings: Settings, loader: str, source: Path, report: Report) -> None:
    with prepare(read_spec(loader), source, report=report) as prepared:
        load_graph(prepared, settings, report=report)


def _metaqa() -> Path:
    source = data_folder() / "metaqa" / "kb.txt.gz"
    if not source.is_file():
        raise UsageError(
            f"{source} does not exist.", hint="KGDB_DATA names the folder of the data sets."
        )
    return source


def _warm(connection: Connection) -> None:
    connection.driver.execute_query("MATCH (n) RETURN count(n.id + n.name)")
    connection.driver.execute_query("MATCH (a)-[r]->(b) RETURN count(a.id = b.id)")
