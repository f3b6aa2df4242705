"""A database that holds one loaded graph, as an export reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from kgdb.graph import Database, GraphInfo
from kgdb.loading import export, prepare, read_spec
from kgdb.loading.preparing.prepared_source import PreparedSource

Rows = list[dict[str, Any]]


class StoredGraph:
    """What a load writes, in memory."""

    def __init__(self, prepared: PreparedSource) -> None:
        literals = {row["id"]: row for batch in prepared.literals(100) for row in batch}
        facts = [{"properties": {}, **row} for batch in prepared.triples(100) for row in batch]
        self.rows: dict[str, Rows] = {
            "export/entities": [
                {
                    **row,
                    "aliases": row["aliases"] or [],
                    "labels": [label for label in row["labels"] if label != "Mediator"],
                    "mediator": "Mediator" in row["labels"],
                }
                for batch in prepared.entities(100)
                for row in batch
            ],
            "export/literals": [
                {**literals[fact["tail"]], **fact} for fact in facts if fact["tail"] in literals
            ],
            "export/triples": [fact for fact in facts if fact["tail"] not in literals],
            "relations": [asdict(relation) for relation in prepared.relations()],
        }
        self.qualifiers = {each.name: each.type for each in prepared.qualifiers}

    def stream(self, name: str, /, *_: Any, **__: str) -> Iterator[Rows]:
        yield self.rows[name]

    def run(self, name: str, /, *_: Any, **__: str) -> Rows:
        return self.rows[name]

    def export(self, folder: Path, file_format: str) -> Path:
        """Write the graph into a new folder."""
        info = GraphInfo("g", ("G",), "-", "ready", "-", "-", 0, 0, 0, None)
        export(cast(Database, self), info, folder, file_format=file_format)
        return folder

    def content(self) -> dict[str, Sequence[Any]]:
        """Everything, comparable; literals have no ids of their own."""
        return {
            "entities": self.rows["export/entities"],
            "literals": sorted(
                str([row[key] for key in ("head", "relation", "value", "datatype", "language")])
                + str(sorted(row["properties"].items()))
                for row in self.rows["export/literals"]
            ),
            "triples": sorted(
                str([row[key] for key in ("head", "relation", "tail")])
                + str(sorted(row["properties"].items()))
                for row in self.rows["export/triples"]
            ),
            "relations": sorted(map(str, self.rows["relations"])),
        }


@contextmanager
def prepared_from(loader: str, source: Path) -> Iterator[PreparedSource]:
    with prepare(read_spec(loader).renamed("g"), source) as prepared:
        yield prepared


def stored(loader: str, source: Path) -> StoredGraph:
    """The graph that a loader makes of a source."""
    with prepared_from(loader, source) as prepared:
        return StoredGraph(prepared)
