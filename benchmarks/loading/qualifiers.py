"""What two properties of each relationship cost: one table loaded with them and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np

from benchmarks import powerlaw
from benchmarks.loading.bulk import INSTANCE, load, shape
from kgdb.progress import Report
from kgdb.runtime import LocalServer
from kgdb.settings import load_settings

_LOADERS = {name: Path(__file__).with_name(f"{name}.toml") for name in ("unqualified", "qualified")}
# In turn, for a machine gets faster or slower while it runs.
_TURNS = 2


@dataclass(frozen=True, slots=True)
class Qualified:
    """Seconds of one load of the table, as in :class:`benchmarks.loading.bulk.LoadTimes`."""

    facts: str
    triples: int
    prepare: float
    importing: float
    server: float
    total: float
    store: int


def measure(triples: int, folder: Path, report: Report) -> Iterator[Qualified]:
    """Generate a table of facts with a year and a source, and load it in both ways, in turn."""
    settings = load_settings(instance=INSTANCE, heap="4g", page_cache="2g")
    server = LocalServer(settings)
    source = _table(triples, folder)
    try:
        for turn in range(_TURNS):
            for name, loader in _LOADERS.items():
                server.reset(report)
                work = folder / f"{name}-{turn}"
                work.mkdir()
                took = load(loader, source, work, settings, report)
                store = server.status().store_size
                yield Qualified(
                    name, triples, took.prepare, took.importing, took.server, took.total, store
                )
    finally:
        server.reset(report)


def _table(triples: int, folder: Path) -> Path:
    """The triples of the bulk load, with one of 60 years and one of 1,000 sources each."""
    of = shape(triples)
    rng = np.random.default_rng(of.seed)
    heads, tails, relations = powerlaw.relationships(of, rng)
    path = folder / "facts.tsv.gz"
    with duckdb.connect() as connection:
        connection.register(
            "drawn",
            {
                "head": heads,
                "tail": tails,
                "relation": relations,
                "since": rng.integers(1960, 2020, len(heads)),
                "source": rng.integers(0, 1_000, len(heads)),
            },
        )
        connection.execute(
            "COPY (SELECT printf('e%07d', head), printf('relation_%04d', relation), "
            "printf('e%07d', tail), since, printf('source %d', source) FROM drawn) TO ? "
            "(FORMAT csv, DELIMITER '\t', QUOTE '', HEADER false, COMPRESSION gzip)",
            [str(path)],
        )
    return path
