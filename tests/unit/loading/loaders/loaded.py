"""What a loader makes of a source, as plain values."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kgdb.graph.retrieval.results import RelationInfo
from kgdb.loading import Counts, prepare, read_spec


@dataclass(frozen=True)
class Loaded:
    """``literals`` are (head, relation, value, datatype, language); triples are without them.

    ``qualifiers`` are the properties of each relationship, by its fact.
    """

    counts: Counts
    entities: dict[str, dict[str, Any]]
    triples: set[tuple[str, str, str]]
    literals: set[tuple[str, str, str, str | None, str | None]]
    relations: dict[str, RelationInfo]
    other_records: dict[str, int]
    qualifiers: dict[tuple[str, str, str], list[dict[str, Any]]]

    def labels(self, entity: str) -> list[str]:
        labels = self.entities[entity]["labels"]
        assert isinstance(labels, list)
        return labels

    def name(self, entity: str) -> str:
        return str(self.entities[entity]["name"])

    def text(self, relation: str) -> str | None:
        return self.relations[relation].text


def load(loader: str, source: Path, max_errors: int = 100, **options: str) -> Loaded:
    """Read a source with a loader that comes with kgdb."""
    spec = read_spec(loader)
    with prepare(spec, source, options=options, max_errors=max_errors) as prepared:
        entities = {row["id"]: row for batch in prepared.entities(10_000) for row in batch}
        values = {row["id"]: row for batch in prepared.literals(10_000) for row in batch}
        whole = [row for batch in prepared.triples(10_000) for row in batch]
        rows = [(row["head"], row["relation"], row["tail"]) for row in whole]
        qualifiers: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
        for row, fact in zip(whole, rows, strict=True):
            qualifiers.setdefault(fact, []).append(row.get("properties", {}))
        loaded = Loaded(
            counts=prepared.counts,
            entities=entities,
            triples={row for row in rows if row[2] not in values},
            literals={
                (head, relation, *(values[tail][key] for key in ("value", "datatype", "language")))
                for head, relation, tail in rows
                if tail in values
            },
            relations={relation.id: relation for relation in prepared.relations()},
            other_records={share.reason: share.records for share in prepared.other_records},
            qualifiers=qualifiers,
        )
    counts = loaded.counts
    read = counts.records + counts.mirrored
    assert read == counts.triples + counts.duplicates + counts.skipped + counts.other
    assert counts.triples == len(rows)
    assert len(qualifiers) == len(loaded.triples) + len(loaded.literals)
    for each in qualifiers.values():  # facts differ in a property at least
        assert all(each.count(one) == 1 for one in each)
    assert counts.literals == len(values) == len(loaded.literals)
    assert counts.other == sum(loaded.other_records.values())
    return loaded


load_once = cache(load)
"""The same, for a source that no test changes."""


def count(loader: str, source: Path, max_errors: int = 100, **options: str) -> Counts:
    """The counts alone, for a source of many lines."""
    with prepare(read_spec(loader), source, options=options, max_errors=max_errors) as prepared:
        return prepared.counts


def lines(paths: Iterable[Path]) -> int:
    """How many lines the files have together."""
    total = 0
    for path in paths:
        content = path.read_bytes()
        if path.suffix in {".gz", ".bz2"}:
            content = {".gz": gzip.decompress, ".bz2": bz2.decompress}[path.suffix](content)
        total += content.count(b"\n") + (not content.endswith(b"\n"))
    return total


def sample(data: Path, *names: str) -> list[Path]:
    """Published files below the data folder; without one of them the test is skipped."""
    paths = [data / name for name in names]
    for path in paths:
        if not path.is_file():
            pytest.skip(f"no published data at {path}")
    return paths
