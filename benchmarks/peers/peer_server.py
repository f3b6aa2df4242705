"""The server that procedures and peers share: three graphs, GDS and APOC in one instance."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import powerlaw
from benchmarks.graphs import METAQA, POWERLAW, GraphUnderTest, data_folder
from benchmarks.peers.apoc import plugin_jar
from benchmarks.powerlaw import Shape
from kgdb.api import load_graph, open_connection
from kgdb.connection import Connection
from kgdb.errors import UsageError
from kgdb.graph.connection.catalog import READY
from kgdb.loading import prepare, read_spec
from kgdb.progress import Message, Report
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

INSTANCE = "benchmark-peers"
HEAP, PAGE_CACHE = "4g", "2g"
PROJECTION = "kgdb_peers"
"""The name of a graph's copy in Graph Data Science, with its relationships in both directions."""

FB15K = "fb15k-237"
_PROJECT = """CALL gds.graph.project($name, $label, {any: {type: '*', orientation: 'UNDIRECTED'}})
YIELD graphName RETURN graphName"""
_DROP = "CALL gds.graph.drop($name, false) YIELD graphName RETURN graphName"
_PRESENT = "MATCH (g:KnowledgeGraph {name: $name, state: $state}) RETURN count(g) AS present"
_WARM = (
    "MATCH (n:`{label}`) RETURN count(n.id + n.name)",
    "MATCH (a:`{label}`)-[r]->(b) RETURN count(a.id = b.id)",
)


@dataclass(frozen=True, slots=True)
class PeerGraph:
    """A graph that the peers search, and where it comes from."""

    graph: GraphUnderTest
    loader: str
    source: Path | None
    """The data set; none is generated."""

    shape: Shape | None = None


def peer_graphs(names: Sequence[str], millions: int) -> list[PeerGraph]:
    """The graphs of those names; the generated one has so many million relationships.

    Raises :class:`UsageError` for a data set that is not there.
    """
    data = data_folder()
    made = f"{POWERLAW}-{millions}m"
    known = {
        METAQA: PeerGraph(GraphUnderTest(METAQA, "MetaQA"), METAQA, data / METAQA / "kb.txt.gz"),
        FB15K: PeerGraph(GraphUnderTest(FB15K, "FB15k237"), FB15K, data / FB15K),
        POWERLAW: PeerGraph(
            GraphUnderTest(made, f"Powerlaw{millions}m"),
            str(powerlaw.LOADER),
            None,
            scaled(millions),
        ),
    }
    chosen = [known[name] for name in names or known]
    for each in chosen:
        if each.source is not None and not each.source.exists():
            raise UsageError(
                f"{each.source} does not exist.",
                hint="KGDB_DATA names the folder of the data sets.",
            )
    return chosen


def scaled(millions: int) -> Shape:
    """The shape of the generated graph, with hubs that grow with it."""
    hubs = (40_000, 25_000, 17_000, 11_000, 7_000, 4_500, 2_500, 1_700, 1_100, 700)
    return Shape(
        entities=220_000 * millions,
        relationships=1_000_000 * millions,
        relations=1_000,
        hubs=tuple(millions * hub for hub in hubs),
        relations_of_hub=50,
        seed=7,
    )


def settings_of_peers() -> Settings:
    """The settings of the measured instance."""
    return load_settings(
        instance=INSTANCE, heap=HEAP, page_cache=PAGE_CACHE, unrestricted=("apoc.*",)
    )


@contextmanager
def peer_server(graphs: Sequence[PeerGraph], report: Report) -> Iterator[Connection]:
    """Run the instance until the block ends, with the graphs in it; they stay for the next run."""
    settings = settings_of_peers()
    server = LocalServer(settings)
    # A server that still runs may have another plugin than the one to measure.
    server.stop(report)
    with tempfile.TemporaryDirectory(prefix="kgdb-apoc-") as folder:
        server.add_plugin(plugin_jar(settings, Path(folder), report), report)
    try:
        for each in graphs:
            _require(settings, each, report)
        with open_connection(settings, report) as connection:
            yield connection
    finally:
        server.stop(report)


@contextmanager
def projected(connection: Connection, graph: GraphUnderTest) -> Iterator[None]:
    """Warm the page cache with a graph, and keep its copy in Graph Data Science for the block."""
    run = connection.driver.execute_query
    for text in _WARM:
        run(text.format(label=graph.label))
    run(_DROP, name=PROJECTION)
    run(_PROJECT, name=PROJECTION, label=graph.label)
    try:
        yield
    finally:
        run(_DROP, name=PROJECTION)


def _require(settings: Settings, each: PeerGraph, report: Report) -> None:
    """Load the graph unless the instance has it."""
    with open_connection(settings, report) as connection:
        rows = connection.driver.execute_query(_PRESENT, name=each.graph.name, state=READY).records
    if rows[0]["present"]:
        return
    with tempfile.TemporaryDirectory(prefix="kgdb-peers-") as folder:
        source = each.source
        if source is None and each.shape is not None:
            report(Message(f"Making {each.graph.name}"))
            source = powerlaw.write_source(each.shape, Path(folder))
        spec = read_spec(each.loader)
        if each.shape is not None:
            spec = spec.renamed(each.graph.name)
        with prepare(spec, source, report=report) as prepared:
            load_graph(prepared, settings, report=report)
