"""One job that loads one graph: its token, its batches, its resume point, and its last step.

A graph becomes usable in its last statement. Until then it is marked as loading. Each job has a
token of its own: if two jobs run at once, the earlier one finds the token of the later one and
stops. Each transaction also records the batch that it writes. The order of the rows is fixed, so a
batch has the same number in every job: the next job of the same source resumes where this one
stopped.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from neo4j.exceptions import ClientError, ConstraintError, IncompleteCommit

from kgdb._version import __version__
from kgdb.errors import ConnectionFailed, DatabaseError, LoadError
from kgdb.graph.connection.catalog import (
    LOADING,
    READY,
    GraphInfo,
    fulltext_index,
    id_constraint,
    list_graphs,
    name_index,
)
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Statement, statement
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.loading.preparing.prepared_source import PreparedSource
from kgdb.loading.writing.disk_guard import DiskGuard
from kgdb.loading.writing.graph_constraints import (
    await_indexes,
    write_constraint,
    write_constraints,
)
from kgdb.progress import Progress, Report
from kgdb.wording import in_units, short

BATCH = 5_000
"""Rows per statement: larger batches take more memory and are no faster."""

IMPORTED = "imported"
"""The stage of a graph whose data an import has written."""

NOTHING = "nothing"
"""The stage of an announced graph: entities of an earlier graph may still exist."""

_BATCHES = {
    "entities": "load/entities",
    "literals": "load/literals",
    "triples": "load/triples",
    "qualified triples": "load/qualified_triples",
}

SESSIONS = 2
"""Parallel writers: two nearly double the rate of one; more gain little."""

_WINDOW = 2 * SESSIONS
_Rows = Iterator[list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """The point where a load resumes: all batches of the stages before ``stage`` are written.

    Of ``stage`` itself, the batches before number ``complete`` and those in ``beyond`` are written.
    ``ranked``: the entities have their PageRank.
    """

    stage: str = NOTHING
    complete: int = 0
    beyond: frozenset[int] = frozenset()
    ranked: bool = False


def properties(prepared: PreparedSource) -> dict[str, Any]:
    """The properties of the graph's bookkeeping node during a load."""
    spec, counts = prepared.spec, prepared.counts
    return {
        "label": spec.label,
        "title": spec.title,
        "licence": spec.licence,
        "source": str(prepared.source),
        "sha256": prepared.sha256,
        "triples": counts.triples,
        "entities": counts.entities,
        "mediators": counts.mediators,
        "literals": counts.literals,
        "relations": counts.relations,
        "skipped": counts.skipped,
        "duplicates": counts.duplicates,
        "qualifiers": [each.name for each in prepared.qualifiers],
        "state": LOADING,
        "stage": NOTHING,
        "complete": 0,
        "beyond": [],
        "batch": BATCH,
        "written": 0,
        "kgdb_version": __version__,
    }


class LoadJob:
    """Writes one graph; checks before every commit that no later job has taken over."""

    def __init__(self, prepared: PreparedSource, database: Database) -> None:
        self.prepared = prepared
        self.spec = prepared.spec
        self.database = database
        self.token = str(uuid.uuid4())
        self._key = {"name": self.spec.name, "load": self.token}

    def begin(self, seen: GraphInfo | None) -> bool:
        """Announce the graph as loading, from its beginning.

        False if the database no longer has the graph ``seen`` under that name.
        """
        self.constrain()
        expected = {"sha256": seen.sha256, "state": seen.state} if seen else None
        announced = {**self._key, **properties(self.prepared)}
        rows = self.database.write(
            "load/begin", {"name": self.spec.name, "properties": announced, "seen": expected}
        )
        return bool(rows)

    def take_over(self) -> ResumePoint | None:
        """Take over an interrupted load of the same source; ``None`` if there is none.

        From then on the database refuses batches of the earlier job.
        """
        rows = self.database.write(
            "load/take_over",
            {
                **self._key,
                "sha256": self.prepared.sha256,
                "version": __version__,
                "batch": BATCH,
            },
        )
        if not rows:
            return None
        row = rows[0]
        return ResumePoint(row["stage"], row["complete"], frozenset(row["beyond"]), row["ranked"])

    def constrain(self) -> None:
        """Create the constraints of the bookkeeping: an import does not bring any."""
        write_constraints(self.database)

    def index(self) -> None:
        """Create the graph's indexes; Neo4j fills them during the load."""
        label = self.spec.label
        self.database.write("load/fulltext", label=label, index=fulltext_index(label))
        if self.prepared.has_long_names():
            # With such an index Neo4j would refuse entities with long names.
            self.database.write("drop/index", index=name_index(label))
        else:
            self.database.write("load/names", label=label, index=name_index(label))
        # Last: this statement alone waits until its index covers all imported nodes.
        constraint = id_constraint(label)
        write_constraint(
            self.database, "load/constraint_entity", constraint, label=label, constraint=constraint
        )

    def describe_relations(self, relations: Sequence[RelationInfo]) -> None:
        """Write the bookkeeping node of each relation, and delete nodes of other relations."""
        rows = [relation.to_row() for relation in relations]
        self.write("load/relations", {"rows": rows, "ids": [row["id"] for row in rows]})

    def finish(self, *, pagerank: bool) -> GraphInfo:
        """Make the graph usable: wait for its indexes, and mark it as ready."""
        # An unload of the last graph may have dropped them meanwhile.
        self.constrain()
        await_indexes(self.database)
        finished = {
            "state": READY,
            "pagerank": pagerank,
            "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.write("load/finish", {"properties": finished})
        return next(g for g in list_graphs(self.database) if g.name == self.spec.name)

    def write_batch(self, at: ResumePoint, number: int, rows: list[dict[str, Any]]) -> int:
        """Write one batch of the stage; its number is the same in every job."""
        position = {"stage": at.stage, "complete": at.complete, "batch": number}
        note = statement("load/note")
        try:
            qualified = at.stage == "triples" and self.prepared.qualifiers
            name = _BATCHES["qualified triples" if qualified else at.stage]
            try:
                return self.write(name, {"rows": rows, **position}, note=note)
            except ConnectionFailed as error:
                if not isinstance(error.__cause__, IncompleteCommit):
                    raise
                # The leader went while it committed: the note of the batch tells whether it did.
                return self.write(name, {"rows": rows, **position}, note=note)
        except _AlreadyWritten:
            return len(rows)

    def write(self, name: str, parameters: dict[str, Any], **places: Statement) -> int:
        """Run one statement of this job, unless a later job has taken over."""
        try:
            rows = self.database.write_checked(
                name, {**self._key, **parameters}, self._check, label=self.spec.label, **places
            )
        except DatabaseError as error:
            if _is_removed(error.__cause__) or self._conflicts_with_another(error):
                raise self._overtaken() from error
            raise
        return int(rows[0]["written"])

    def _conflicts_with_another(self, error: DatabaseError) -> bool:
        """Whether the constraint of the ids refused entities that a later job has written too."""
        return isinstance(error.__cause__, ConstraintError) and not self.database.run(
            "load/current", self._key
        )

    def _check(self, rows: list[dict[str, Any]]) -> None:
        """Raise if there is no row: the graph's node has another token, or is deleted."""
        if not rows:
            raise self._overtaken()
        if rows[0].get("again"):
            raise _AlreadyWritten

    def _overtaken(self) -> LoadError:
        return LoadError(
            f"This load of {short(self.spec.name)} stopped: another load took over, or another "
            "process removes the graph.",
            hint="Let the other process finish; kgdb graphs shows the state of the graph.",
        )


def _is_removed(error: BaseException | None) -> bool:
    """Whether a node was deleted between its match and its use."""
    return (
        isinstance(error, ClientError) and error.code == "Neo.ClientError.Statement.EntityNotFound"
    )


class _AlreadyWritten(Exception):
    """An earlier transaction committed the batch, but the server's reply was lost."""


def write_missing(job: LoadJob, start: ResumePoint, guard: DiskGuard, report: Report) -> None:
    """Write the missing batches, from ``start`` on; ``guard`` may stop it between batches."""
    prepared = job.prepared
    counts = prepared.counts
    stages: list[tuple[str, Callable[[int, int], _Rows], int]] = [
        ("entities", prepared.entities, counts.entities),
        ("literals", prepared.literals, counts.literals),
        ("triples", prepared.triples, counts.triples),
    ]
    names = [name for name, _, _ in stages]
    reached = names.index(start.stage) if start.stage in names else 0
    for number, (name, rows, total) in enumerate(stages):
        if number < reached:
            continue
        at = start if name == start.stage else ResumePoint(name)
        _write_stage(job, at, rows(BATCH, at.complete * BATCH), total, guard, report)


def _write_stage(
    job: LoadJob, at: ResumePoint, batches: _Rows, total: int, guard: DiskGuard, report: Report
) -> None:
    """Write the batches over parallel sessions, with only a few in memory at a time."""
    done = min(at.complete * BATCH, total)
    report(Progress(f"loading {at.stage}", done, total, at.stage))
    with ThreadPoolExecutor(SESSIONS) as pool, closing(batches):  # type: ignore[type-var]
        window = at
        while chunk := list(islice(batches, _WINDOW)):
            guard.require_for_rows(row for rows in chunk for row in rows)

            def put(
                numbered: tuple[int, list[dict[str, Any]]], window: ResumePoint = window
            ) -> int:
                number, rows = numbered
                if number in at.beyond:
                    return len(rows)
                return job.write_batch(window, number, rows)

            for written in pool.map(put, enumerate(chunk, window.complete)):
                done += written
                report(Progress(f"loading {at.stage}", done, total, at.stage))
            window = ResumePoint(at.stage, window.complete + len(chunk))
    if done != total:
        raise LoadError(
            f"Loading {short(job.spec.name)} wrote {done:,} of {in_units(total, at.stage)}; "
            "the graph stays marked as incomplete.",
            hint="Remove it with kgdb remove, then load it again.",
        )
