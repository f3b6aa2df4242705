"""The same dump prepared by DuckDB and by Apache Spark, and what larger ones would take."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.loading import dumps
from benchmarks.loading.bulk import shape
from benchmarks.loading.measuring import Stages, peak_memory, peak_size
from kgdb.loading import PreparedSource, prepare, read_spec
from kgdb.loading.spark.spark_engine import engine, spark_engine
from kgdb.loading.writing.import_files import write_files
from kgdb.progress import Message, Report, silent

DUMPS = {"Freebase": 1_900_000_000, "Wikidata": 17_000_000_000}
MACHINES = (1, 10, 100)
CORES = 16
DISK = 2.0
"""Gigabytes a second that a machine of the projection reads or writes."""

NETWORK = 3.0
"""Gigabytes a second between a machine and the others."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Seconds, and bytes, of one engine; ``task_seconds`` and shuffles are Spark's own counts."""

    engine: str
    triples: int
    making: float
    writing: float
    memory: int
    disk: int
    files: int
    shuffled: int = 0
    spilled: int = 0
    task_seconds: float = 0.0
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Projected:
    """What a dump would take on some machines, before the import."""

    dump: str
    machines: int
    computing: float
    shuffling: float
    disk: float
    hours: float


def measure(triples: int, folder: Path, report: Report) -> list[Prepared]:
    """Generate a dump below ``folder``, and prepare it by each engine in a process of its own."""
    report(Message("Generating a dump …"))
    packed = dumps.write(shape(triples), folder).source
    source = packed.with_suffix("")
    with gzip.open(packed) as stream, source.open("wb") as plain:
        shutil.copyfileobj(stream, plain, 1 << 20)
    packed.unlink()
    rows = []
    for name in ("duckdb", "spark"):
        report(Message(f"Preparing it by {name} …"))
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            rows.append(pool.submit(_prepared, name, source, folder / name).result())
    return rows


def project(row: Prepared) -> list[Projected]:
    """Every dump on every number of machines, from the row of Spark."""
    found = []
    for name, triples in DUMPS.items():
        times = triples / row.triples
        for machines in MACHINES:
            computing = row.task_seconds * times / (machines * CORES)
            # All but the machine's own part crosses the network.
            crossing = row.shuffled * times * (machines - 1) / machines
            shuffling = crossing / (machines * NETWORK * 1e9)
            disk = 2 * (row.disk + row.shuffled) * times / (machines * DISK * 1e9)
            found.append(
                Projected(
                    name,
                    machines,
                    computing / 3600,
                    shuffling / 3600,
                    (row.disk + row.shuffled) * times / machines / 1e9,
                    (computing + shuffling + disk) / 3600,
                )
            )
    return found


def _prepared(name: str, source: Path, work: Path) -> Prepared:
    work.mkdir()
    events = work / "events"
    events.mkdir()
    os.environ.setdefault("SPARK_LOCAL_DIRS", str(work))
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
        "spark.driver.memory": "3g",
        "spark.ui.enabled": "false",
    }
    chosen = engine(name) if name == "duckdb" else spark_engine("local[2]", settings)
    stages = Stages(silent)
    with (
        peak_memory() as used,
        peak_size(work) as disk,
        prepare(
            read_spec(str(dumps.LOADER)), source, temp_folder=work, report=stages, engine=chosen
        ) as prepared,
    ):
        made = stages.seconds()
        files = _written(prepared)
        written = stages.seconds()
        triples = prepared.counts.triples
    return Prepared(
        engine=name,
        triples=triples,
        making=made,
        writing=written - made,
        memory=used.own + used.started(),
        disk=disk.bytes,
        files=files,
        **_counted(events),
    )


def _written(prepared: PreparedSource) -> int:
    write_files(prepared, ranked=False, report=silent)
    folder = prepared.folder / "import"
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _counted(events: Path) -> dict[str, Any]:
    """What Spark's event log says of its tasks."""
    shuffled = spilled = run = processor = 0
    for event in _events(events):
        metrics = event.get("Task Metrics") or {}
        shuffled += (metrics.get("Shuffle Write Metrics") or {}).get("Shuffle Bytes Written", 0)
        spilled += metrics.get("Disk Bytes Spilled", 0)
        run += metrics.get("Executor Run Time", 0)
        processor += metrics.get("Executor CPU Time", 0)
    return {
        "shuffled": shuffled,
        "spilled": spilled,
        "task_seconds": run / 1e3,
        "cpu_seconds": processor / 1e9,
    }


def _events(folder: Path) -> Iterator[dict[str, Any]]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith((".", "appstatus")):
            with path.open(encoding="utf-8") as lines:
                yield from (each for each in map(json.loads, lines) if "Task Metrics" in each)
