"""A dump like Freebase's under the memory cap, and what the whole of Freebase would take."""

from __future__ import annotations

import math
import multiprocessing
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.loading import freebase_dump
from benchmarks.loading.measuring import Stages, peak_memory, peak_size
from kgdb.loading import prepare, read_spec
from kgdb.loading.writing.import_files import write_files
from kgdb.progress import Message, Report, silent

CAP = 4_000_000_000
"""Bytes of memory that a load may take, by default."""

# What Neo4j's record format takes, in bytes: a node, a relationship, and a property of a short text
# or a number; longer texts, in blocks of 128 bytes. Without the indexes.
_NODE, _RELATIONSHIP, _PROPERTY, _TEXT_BLOCK = 15, 34, 41, 128
_PROPERTIES = 4


@dataclass(frozen=True, slots=True)
class Freebase:
    """Seconds and bytes of preparing one dump, and what was made.

    ``hashing`` is reading the file for its hash; ``sql`` is all that follows the reading of lines.
    ``spilled`` is on the disk when all is made, ``disk`` the most that was there at any time,
    unless it came and went between two looks.
    """

    lines: int
    dump: int
    hashing: float
    reading: float
    sql: float
    writing: float
    memory: int
    disk: int
    spilled: int
    files: int
    entities: int
    mediators: int
    literals: int
    triples: int
    duplicates: int
    other: int


@dataclass(frozen=True, slots=True)
class Projected:
    """One quantity of the whole dump, and what its projection rests on."""

    what: str
    measured: str
    whole: str
    rests_on: str


def measure(lines: int, folder: Path, memory: str | None, report: Report) -> Freebase:
    """Generate a dump below ``folder`` and prepare it, in a process of its own."""
    report(Message(f"Generating a dump of {lines:,} lines …"))
    dump = freebase_dump.write(lines, folder)
    report(Message("Preparing it …"))
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as pool:
        return pool.submit(_prepare, dump, folder / "work", memory).result()


def _prepare(dump: freebase_dump.FreebaseDump, work: Path, memory: str | None) -> Freebase:
    work.mkdir()
    stages = Stages(silent)
    with (
        peak_memory() as used,
        peak_size(work) as disk,
        prepare(
            # As the real dump is, which is large enough.
            read_spec("freebase"),
            dump.source,
            memory=memory,
            temp_folder=work,
            on_disk=True,
            report=stages,
        ) as prepared,
    ):
        made = stages.seconds()
        spilled = prepared.spilled()
        counts = prepared.counts
        write_files(prepared, ranked=False, report=silent)
        written = stages.seconds()
        files = sum(path.stat().st_size for path in (prepared.folder / "import").iterdir())
    reading, sql = stages.at("Reading"), stages.at("Making the tables")
    shutil.rmtree(work)
    return Freebase(
        lines=dump.lines,
        dump=dump.source.stat().st_size,
        hashing=reading,
        reading=sql - reading,
        sql=made - sql,
        writing=written - made,
        memory=used.own,
        disk=disk.bytes,
        spilled=spilled,
        files=files,
        entities=counts.entities,
        mediators=counts.mediators,
        literals=counts.literals,
        triples=counts.triples,
        duplicates=counts.duplicates,
        other=counts.other,
    )


def project(row: Freebase) -> list[Projected]:
    """Hours and disk for all lines of the real dump."""
    times = freebase_dump.LINES / row.lines
    sorting = times * math.log(freebase_dump.LINES) / math.log(row.lines)
    reading = (row.hashing + row.reading) * times
    sql, writing = row.sql * sorting, row.writing * sorting
    nodes = row.entities + row.literals
    store = times * (
        nodes * (_NODE + _PROPERTIES * _PROPERTY + _TEXT_BLOCK) + row.triples * _RELATIONSHIP
    )
    whole_disk = row.disk * times
    return [
        Projected(
            "reading", _minutes(row.hashing + row.reading), _hours(reading), "linear in lines"
        ),
        Projected("SQL", _minutes(row.sql), _hours(sql), "n log n: joins, groups and sorts spill"),
        Projected(
            "import files", _minutes(row.writing), _hours(writing), "n log n: a sort by type"
        ),
        Projected(
            "all before the import",
            _minutes(row.hashing + row.reading + row.sql + row.writing),
            _hours(reading + sql + writing),
            "the sum; a disk slower than this one's cache is not in it",
        ),
        Projected(
            "memory", _gigabytes(row.memory), f"≤ {_gigabytes(CAP)} wanted", "the cap, not the size"
        ),
        Projected(
            "dump", _gigabytes(row.dump), _gigabytes(freebase_dump.COMPRESSED), "the real file"
        ),
        Projected(
            "work folder, at most",
            _gigabytes(row.disk),
            _gigabytes(whole_disk),
            "linear: the file of tables, what is spilled beside it, and the import files",
        ),
        Projected(
            "of it import files", _gigabytes(row.files), _gigabytes(row.files * times), "linear"
        ),
        Projected(
            "store",
            "not imported",
            _gigabytes(store),
            f"{nodes * times / 1e6:,.0f} M nodes and {row.triples * times / 1e6:,.0f} M "
            "relationships in Neo4j's record sizes, one block of text a node, no indexes",
        ),
    ]


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.2f} min"


def _hours(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h"


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:,.2f} GB"
