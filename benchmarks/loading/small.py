"""Graphs as people have them: from the command to the first answered call."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.graphs import data_folder
from benchmarks.loading.bulk import INSTANCE
from kgdb.api import load_graph, open_connection
from kgdb.loading import prepare, read_spec
from kgdb.progress import Report
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

TARGET_S = 10.0
_GRAPHS = (
    ("metaqa", "metaqa/kb.txt.gz"),
    ("cmckg", "cmkg/triples.tsv.gz"),
)


@dataclass(frozen=True, slots=True)
class Small:
    """Seconds: a bare server's first start with a first answer, the load, and what it adds."""

    graph: str
    triples: int
    bare_start: float
    load: float
    added: float
    reached: str


def measure(report: Report) -> list[Small]:
    """Load each into an empty instance whose jars are there."""
    rows = []
    for loader, file in _GRAPHS:
        bare = _bare_start(report)
        took, triples = _load(loader, data_folder() / file, report)
        added = took - bare
        reached = f"{'✓' if added <= TARGET_S else '✗'} (≤ {TARGET_S:g})"
        rows.append(Small(loader, triples, bare, took, added, reached))
    return rows


def _bare_start(report: Report) -> float:
    settings = load_settings(instance=INSTANCE, heap="2g", page_cache="1g")
    LocalServer(settings).reset(report)
    began = time.perf_counter()
    with open_connection(settings, report) as connection:
        connection.call("kgdb.help")
    return time.perf_counter() - began


def _load(loader: str, source: Path, report: Report) -> tuple[float, int]:
    settings = load_settings(instance=INSTANCE, heap="2g", page_cache="1g")
    server = LocalServer(settings)
    server.reset(report)
    began = time.perf_counter()
    with prepare(read_spec(loader), source, report=report) as prepared:
        result = load_graph(prepared, settings, report=report)
        (first,) = next(prepared.entities(1))
    with open_connection(settings, report) as connection:
        connection.graph(result.graph.name).neighbors([first["id"]], limit=5)
    took = time.perf_counter() - began
    server.reset(report)
    return took, result.graph.triples
