"""A large dump to the first answered call, beside what the import alone takes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.loading import dumps
from benchmarks.loading.measuring import Stages, peak_memory, peak_size
from benchmarks.powerlaw import Shape
from kgdb.api import load_graph, open_connection
from kgdb.loading import prepare, read_spec
from kgdb.loading.writing.import_files import write_files
from kgdb.progress import Report
from kgdb.runtime import ImportOptions, LocalServer
from kgdb.settings import Settings, load_settings

INSTANCE = "benchmark-loading"
TOTAL_TARGET, IMPORT_TARGET = 0.6, 1.4


def shape(triples: int) -> Shape:
    """A graph of so many triples: a fifth as many entities, 1,000 relations, hubs of few each."""
    hubs = tuple(triples // part for part in (100, 150, 200, 300, 500, 800, 1_300, 2_000))
    return Shape(
        entities=triples // 5,
        relationships=triples,
        relations=1_000,
        hubs=hubs,
        relations_of_hub=20,
        seed=11,
    )


@dataclass(frozen=True, slots=True)
class Bulk:
    """Seconds and bytes of one load.

    ``total`` is from the command to the first answered call. Of the import alone there are three:
    ``plain_import`` of ready CSV with text ids in the dump's order (the mean of two),
    ``tuned_import`` of dense ids and relationships sorted by type, ``own_import`` of the files kgdb
    writes, sorted further.
    The memory of the importer and of the server, which has a heap of its own, are apart.
    ``spilled`` is the most that was on the disk because the memory did not hold it.
    """

    triples: int
    lines: int
    prepare: float
    importing: float
    server: float
    rest: float
    total: float
    plain_import: float
    tuned_import: float
    own_import: float
    own_memory: int
    import_memory: int
    server_memory: int
    spilled: int

    @property
    def total_ratio(self) -> float:
        """Of the whole load, to the import alone as its manual shows it."""
        return self.total / self.plain_import

    @property
    def import_ratio(self) -> float:
        """Of preparing and importing, to the tuned import alone."""
        return (self.prepare + self.importing) / self.tuned_import

    @property
    def own_ratio(self) -> float:
        """Of preparing and importing, to the import of kgdb's files alone."""
        return (self.prepare + self.importing) / self.own_import


@dataclass(frozen=True, slots=True)
class LoadTimes:
    """Seconds of a load by stage; ``total`` is from the command to the first answered call."""

    prepare: float
    importing: float
    server: float
    total: float


def measure(triples: int, folder: Path, report: Report) -> Bulk:
    """Generate a dump below ``folder``, load it, and import it in the other ways."""
    settings = load_settings(instance=INSTANCE, heap="4g", page_cache="2g")
    server = LocalServer(settings)
    dump = dumps.write(shape(triples), folder)
    try:
        # Before the load and after it, for within hours a machine gets a fifth faster or slower.
        before = _plain_import(server, dump, report)
        server.reset(report)
        measured = _load(settings, dump, folder, report)
        plain = (before + _plain_import(server, dump, report)) / 2
        tuned, own = _prepared_imports(settings, dump, folder, report)
    finally:
        server.reset(report)
    return Bulk(triples, dump.lines, *measured[:5], plain, tuned, own, *measured[5:])


def _load(
    settings: Settings, dump: dumps.Dump, folder: Path, report: Report
) -> tuple[float, float, float, float, float, int, int, int, int]:
    work = folder / "work"
    work.mkdir()
    # "spill" is the folder of DuckDB's temporary files.
    with peak_memory() as memory, peak_size(work, "spill/*") as spilled:
        took = load(dumps.LOADER, dump.source, work, settings, report)
    return (
        took.prepare,
        took.importing,
        took.server,
        took.total - took.prepare - took.importing - took.server,
        took.total,
        memory.own,
        memory.started(took.prepare, took.prepare + took.importing),
        memory.started(took.prepare + took.importing),
        spilled.bytes,
    )


def load(loader: Path, source: Path, work: Path, settings: Settings, report: Report) -> LoadTimes:
    """Load a source into an empty instance, up to the first answered call."""
    stages = Stages(report)
    spec = read_spec(str(loader))
    with prepare(spec, source, temp_folder=work, report=stages) as prepared:
        load_graph(prepared, settings, mode="offline", report=stages)
    with open_connection(settings, stages) as connection:
        connection.graph(spec.name).neighbors(["e0000001"], limit=5)
    total = stages.seconds()
    prepared_at = stages.at("Importing")
    imported = stages.at("Imported")
    started = stages.at("Waiting for the indexes", after=imported)
    return LoadTimes(prepared_at, imported - prepared_at, started - imported, total)


def _prepared_imports(
    settings: Settings, dump: dumps.Dump, folder: Path, report: Report
) -> tuple[float, float]:
    """Seconds that the tuned import takes, and that of the files kgdb writes."""
    work = folder / "again"
    work.mkdir()
    server = LocalServer(settings)
    with prepare(read_spec(str(dumps.LOADER)), dump.source, temp_folder=work) as prepared:
        files = write_files(prepared, ranked=True, report=report)
        header, own = files.relationships[0]
        by_type = prepared.folder / "by-type.csv"
        prepared.tables.execute(
            "COPY (SELECT head, tail, types.id FROM triples JOIN relation_types AS types "
            "ON types.number = triples.relation ORDER BY triples.relation) TO ? "
            "(FORMAT csv, HEADER false)",
            [str(by_type)],
        )
        tuned = _import(server, files.nodes, (header, by_type), report)
        return tuned, _import(server, files.nodes, (header, own), report)


def _import(
    server: LocalServer,
    nodes: Sequence[Sequence[Path]],
    relationships: Sequence[Path],
    report: Report,
) -> float:
    server.reset(report)
    stages = Stages(report)
    server.import_store(nodes, [relationships], options=ImportOptions(multiline=[]), report=stages)
    return stages.at("Imported")


def _plain_import(server: LocalServer, dump: dumps.Dump, report: Report) -> float:
    server.reset(report)
    files = [f"--nodes={dump.nodes}", f"--relationships={dump.relationships}"]
    command = ["database", "import", "full", "neo4j", "--overwrite-destination"]
    began = time.perf_counter()
    server.admin([*command, "--id-type=string", *files])
    return time.perf_counter() - began
