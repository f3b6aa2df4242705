"""Graphs as people have them: from the command to the first answered call.

The Chinese medical graph at hand has less than half the triples of MindMap's CMCKG, which is not
to be had; it is loaded as it is, and once more with copies of it up to CMCKG's size.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.graphs import data_folder
from benchmarks.loading.bulk import INSTANCE
from kgdb.api import load_graph, open_connection
from kgdb.loading import prepare, read_spec
from kgdb.progress import Report
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

TARGET_S = 10.0
CMCKG_TRIPLES = 528_000


@dataclass(frozen=True, slots=True)
class Small:
    """Seconds: a bare server's first start with a first answer, the load, and what it adds."""

    graph: str
    triples: int
    bare_start: float
    load: float
    added: float
    reached: str


def measure(folder: Path, report: Report) -> list[Small]:
    """Load each into an empty instance whose jars are there; ``folder`` is for a larger one."""
    cmckg = data_folder() / "cmkg/triples.tsv.gz"
    sources = (
        ("metaqa", data_folder() / "metaqa/kb.txt.gz"),
        ("cmckg", cmckg),
        ("cmckg", _enlarged(cmckg, CMCKG_TRIPLES, folder)),
    )
    rows = []
    for loader, source in sources:
        bare = _bare_start(report)
        took, triples = _load(loader, source, report)
        added = took - bare
        reached = f"{'✓' if added <= TARGET_S else '✗'} (≤ {TARGET_S:g})"
        rows.append(Small(loader, triples, bare, took, added, reached))
    return rows


def _enlarged(source: Path, triples: int, folder: Path) -> Path:
    """So many triples: those of the source, and of copies that share no entity with it."""
    enlarged = folder / "triples.tsv.gz"
    with duckdb.connect() as connection:
        connection.read_csv(
            str(source), sep="\t", quotechar="", header=False, names=["head", "relation", "tail"]
        ).distinct().create("given")
        connection.sql(
            "SELECT head || repeat('*', copy), relation, tail || repeat('*', copy) FROM given, "
            f"range(1 + {triples} // (SELECT count(*) FROM given)) AS copies(copy) "
            f"ORDER BY copy LIMIT {triples}"
        ).write_csv(str(enlarged), sep="\t", quotechar="", header=False, compression="gzip")
    return enlarged


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
