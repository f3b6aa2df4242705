"""Writes a prepared source into a running database over Bolt.

A graph becomes usable in its last statement. Until then it is marked as loading, and each attempt
carries its own mark: when a load was stopped, the next one clears what it left and starts over;
when two run at once, the earlier one notices that it was overtaken and stops.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from kgdb._version import __version__
from kgdb.errors import DatabaseError, LoadError, UsageError
from kgdb.graph.catalog import (
    LOADING,
    READY,
    GraphInfo,
    fulltext_index,
    list_graphs,
    name_index,
)
from kgdb.graph.database import Database
from kgdb.loading.pagerank import PROPERTY, drop_left_projections, write_pagerank
from kgdb.loading.prepare import Prepared
from kgdb.progress import Message, Progress, Report, silent

BATCH = 5_000
"""Rows a statement: past this, larger batches only take more memory."""

SESSIONS = 2
"""Parallel writers: the second nearly doubles the rate, more gain little."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """``loaded`` is false when the same source was there already and nothing was done."""

    graph: GraphInfo
    loaded: bool


def load(
    prepared: Prepared,
    database: Database,
    *,
    replace: bool = False,
    pagerank: bool = True,
    report: Report = silent,
) -> LoadResult:
    """Write the graph, its bookkeeping and its indexes.

    With ``pagerank``, and where the server has Graph Data Science, each entity gets its PageRank.
    The same source again does nothing. Raises :class:`UsageError` when another source is loaded
    under the name and ``replace`` is false, or its label belongs to another graph or
    to nodes that kgdb did not load, and
    :class:`LoadError` when the database fails in the middle or another load takes over.
    """
    spec = prepared.spec
    existing = {graph.name: graph for graph in list_graphs(database)}
    current = existing.pop(spec.name, None)
    if current and current.state == READY:
        if current.sha256 == prepared.sha256:
            return LoadResult(current, loaded=False)
        if not replace:
            raise UsageError(
                f"The graph {spec.name!r} is loaded already, from another source or with another "
                f"version of its loader ({current.source}).",
                hint="To replace it, add --replace to the same command.",
            )
    for other in existing.values():
        if other.label == spec.label:
            raise UsageError(
                f"The label {spec.label!r} belongs to the loaded graph {other.name!r}.",
                hint="Choose another `label` in the loader file.",
            )
    if (
        not (current and current.label == spec.label)
        and database.run("label_in_use", label=spec.label)[0]["used"]
    ):
        raise UsageError(
            f"The database has nodes labelled {spec.label!r} that kgdb did not load.",
            hint="Choose another `label` in the loader file, so that they stay apart.",
        )
    try:
        writer = _Writer(prepared, database, report)
        return LoadResult(writer.run(current, pagerank=pagerank), loaded=True)
    except DatabaseError as error:
        raise LoadError(
            f"Loading {spec.name!r} stopped: {error.message}",
            hint="Nothing of it is shown as loaded. The same command starts it again.",
        ) from error


def unload(database: Database, graph: GraphInfo, *, report: Report = silent) -> None:
    """Remove a graph, its bookkeeping and its indexes; stopped half-way, it can be repeated."""
    _remove_entities(database, graph, report)
    database.write("unload_schema_entity", constraint=_constraint(graph.label))
    for index in (graph.fulltext_index, graph.name_index, graph.embedding_index):
        database.write("unload_schema_fulltext", index=index)
    drop_left_projections(database, graph.name)
    database.write("unload_bookkeeping", {"name": graph.name})


def _remove_entities(database: Database, graph: GraphInfo, report: Report) -> None:
    deleted = 0
    parameters = {"limit": BATCH}
    while count := database.write("unload_entities", parameters, label=graph.label)[0]["deleted"]:
        deleted += count
        report(Progress("removing entities", deleted, graph.entities, "entities"))


def _constraint(label: str) -> str:
    return f"kgdb_{label}_id"


class _Writer:
    """One attempt at writing one graph."""

    def __init__(self, prepared: Prepared, database: Database, report: Report) -> None:
        self.prepared = prepared
        self.spec = prepared.spec
        self.database = database
        self.report = report
        self.mark = {"name": self.spec.name, "load": str(uuid.uuid4())}

    def run(self, current: GraphInfo | None, *, pagerank: bool) -> GraphInfo:
        """Load; ``current`` is what the database holds under the name."""
        spec, counts = self.spec, self.prepared.counts
        if current:
            self.report(Message(f"Removing what was loaded as {spec.name!r} before …"))
        if current and current.label != spec.label:
            unload(self.database, current, report=self.report)
            current = None
        # The mark comes first: from then on no batch of an earlier attempt gets in any more.
        self.begin()
        if current:
            _remove_entities(self.database, current, self.report)
        self.write_batches(
            "load_entities", self.prepared.entities(BATCH), counts.entities, "entities"
        )
        self.write_batches("load_triples", self.prepared.triples(BATCH), counts.triples, "triples")
        rows = [asdict(relation) for relation in self.prepared.relations()]
        self.write("load_relations", {"rows": rows})
        ranked = pagerank and self.write_pagerank()
        self.database.write("await_indexes", {"seconds": 3600})
        finished = {
            "state": READY,
            "pagerank": ranked,
            "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.write("load_finish", {"properties": finished})
        return next(g for g in list_graphs(self.database) if g.name == spec.name)

    def begin(self) -> None:
        spec, counts = self.spec, self.prepared.counts
        for constraint in ("load_constraint_graph", "load_constraint_relation"):
            self.database.write(constraint)
        self.database.write("load_thought_names")
        properties = {
            **self.mark,
            "label": spec.label,
            "title": spec.title,
            "licence": spec.licence,
            "source": str(self.prepared.source),
            "sha256": self.prepared.sha256,
            "triples": counts.triples,
            "entities": counts.entities,
            "relations": counts.relations,
            "skipped": counts.skipped,
            "duplicates": counts.duplicates,
            "state": LOADING,
            "written": 0,
            "kgdb_version": __version__,
        }
        self.database.write("load_begin", {"name": spec.name, "properties": properties})
        label = spec.label
        self.database.write("load_constraint_entity", label=label, constraint=_constraint(label))
        self.database.write("load_fulltext", label=label, index=fulltext_index(label))
        if self.prepared.has_long_names():
            # Neo4j would refuse the entity that such an index cannot hold.
            self.database.write("unload_schema_fulltext", index=name_index(label))
        else:
            self.database.write("load_names", label=label, index=name_index(label))

    def write_batches(
        self, name: str, batches: Iterator[list[dict[str, Any]]], total: int, unit: str
    ) -> None:
        """Write the batches over parallel sessions, holding only a few in memory at a time."""
        done = 0
        with ThreadPoolExecutor(SESSIONS) as pool, closing(batches):  # type: ignore[type-var]
            while some := list(islice(batches, 2 * SESSIONS)):
                for written in pool.map(lambda rows: self.write(name, {"rows": rows}), some):
                    done += written
                    self.report(Progress(f"loading {unit}", done, total, unit))
        if done != total:
            raise LoadError(
                f"Loading {self.spec.name!r} wrote {done} of {total} {unit}; the graph stays "
                "marked as incomplete.",
                hint="The same command starts it again.",
            )

    def write_pagerank(self) -> bool:
        """The ranks of all entities, or a message why there are none."""
        spec, counts = self.spec, self.prepared.counts
        graph = GraphInfo(
            name=spec.name,
            label=spec.label,
            title=spec.title,
            state=LOADING,
            source=str(self.prepared.source),
            sha256=self.prepared.sha256,
            triples=counts.triples,
            entities=counts.entities,
            relations=counts.relations,
            loaded_at=None,
        )

        def write(projection: str) -> int:
            config = {"writeProperty": PROPERTY}
            return self.write("load_pagerank", {"projection": projection, "config": config})

        self.report(Progress("ranking entities", 0, counts.entities, "entities"))
        ranked = write_pagerank(self.database, graph, self.mark["load"], write, self.report)
        if ranked:
            self.report(Progress("ranking entities", counts.entities, counts.entities, "entities"))
        return ranked

    def write(self, name: str, parameters: dict[str, Any]) -> int:
        """Run one statement of this attempt, unless another one took over."""
        rows = self.database.write_checked(
            name, {**self.mark, **parameters}, self.check_mark, label=self.spec.label
        )
        return int(rows[0]["written"])

    def check_mark(self, rows: list[dict[str, Any]]) -> None:
        """No row: the graph's node carries another mark, or is gone."""
        if not rows:
            raise LoadError(
                f"Another load of {self.spec.name!r} began and took over; this one stopped.",
                hint="Let the other one finish; kgdb graphs shows when it is ready.",
            )
