"""One attempt at loading one graph: its mark, its place, and its last step.

A graph becomes usable in its last statement. Until then it is marked as loading, and each attempt
carries its own mark: when two run at once, the earlier one notices that it was overtaken and stops.
What an attempt has written is noted in the same transactions, so the next one of the same source
goes on where it stopped.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from neo4j.exceptions import ClientError

from kgdb._version import __version__
from kgdb.errors import DatabaseError, LoadError
from kgdb.graph import RelationInfo
from kgdb.graph.catalog import (
    LOADING,
    READY,
    GraphInfo,
    fulltext_index,
    id_constraint,
    list_graphs,
    name_index,
)
from kgdb.graph.database import Database
from kgdb.graph.statements import Statement, statement
from kgdb.loading.preparing.prepared_source import Prepared
from kgdb.loading.writing.schema import await_indexes, write_constraint, write_constraints
from kgdb.wording import short

BATCH = 5_000
"""Rows a statement: past this, larger batches only take more memory."""

IMPORTED = "imported"
"""The stage of a graph whose data came all at once, by import."""

NOTHING = "nothing"
"""The stage of a graph that is announced: of an earlier one there may still be entities."""

_BATCHES = {
    "entities": "load_entities",
    "literals": "load_literals",
    "triples": "load_triples",
}


@dataclass(frozen=True, slots=True)
class Place:
    """How far a load has come: all batches of the stages before ``stage`` are in.

    Of its own, all before number ``complete`` are, and those in ``beyond``. ``ranked``:
    the entities have their PageRank.
    """

    stage: str = NOTHING
    complete: int = 0
    beyond: frozenset[int] = frozenset()
    ranked: bool = False


def properties(prepared: Prepared) -> dict[str, Any]:
    """What the bookkeeping node says of the graph while it is loaded."""
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
        "state": LOADING,
        "stage": NOTHING,
        "complete": 0,
        "beyond": [],
        "batch": BATCH,
        "written": 0,
        "kgdb_version": __version__,
    }


class Attempt:
    """Writes one graph's bookkeeping, and checks before every commit that nobody took over."""

    def __init__(self, prepared: Prepared, database: Database) -> None:
        self.prepared = prepared
        self.spec = prepared.spec
        self.database = database
        self.mark = {"name": self.spec.name, "load": str(uuid.uuid4())}

    def begin(self, seen: GraphInfo | None) -> bool:
        """Announce the graph as one that is being loaded, from its beginning.

        False where what the database holds under its name is no longer what was ``seen``.
        """
        self.constrain()
        known = {"sha256": seen.sha256, "state": seen.state} if seen else None
        about = {**self.mark, **properties(self.prepared)}
        rows = self.database.write(
            "load_begin", {"name": self.spec.name, "properties": about, "seen": known}
        )
        return bool(rows)

    def take_over(self) -> Place | None:
        """Go on with a load of the same source that was stopped: where, or ``None`` if it cannot.

        From then on no batch of the earlier attempt gets in any more.
        """
        rows = self.database.write(
            "load_take_over",
            {
                **self.mark,
                "sha256": self.prepared.sha256,
                "version": __version__,
                "batch": BATCH,
            },
        )
        if not rows:
            return None
        row = rows[0]
        return Place(row["stage"], row["complete"], frozenset(row["beyond"]), row["ranked"])

    def constrain(self) -> None:
        """Make the constraints of the bookkeeping, which an import brings none of."""
        write_constraints(self.database)

    def index(self) -> None:
        """Begin the graph's indexes; they fill while it is written."""
        label = self.spec.label
        self.database.write("load_fulltext", label=label, index=fulltext_index(label))
        if self.prepared.has_long_names():
            # Neo4j would refuse the entity that such an index cannot hold.
            self.database.write("drop_index", index=name_index(label))
        else:
            self.database.write("load_names", label=label, index=name_index(label))
        # The last, for it alone is waited for, until it holds all that was imported.
        constraint = id_constraint(label)
        write_constraint(
            self.database, "load_constraint_entity", constraint, label=label, constraint=constraint
        )

    def describe_relations(self, relations: Sequence[RelationInfo]) -> None:
        """Write the bookkeeping node of each relation, and remove those of others."""
        rows = [asdict(relation) for relation in relations]
        self.write("load_relations", {"rows": rows, "ids": [row["id"] for row in rows]})

    def finish(self, *, pagerank: bool) -> GraphInfo:
        """Make the graph usable: its indexes are complete, and it is marked as ready."""
        # Who removed the last graph meanwhile took them along.
        self.constrain()
        await_indexes(self.database)
        finished = {
            "state": READY,
            "pagerank": pagerank,
            "loaded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.write("load_finish", {"properties": finished})
        return next(g for g in list_graphs(self.database) if g.name == self.spec.name)

    def write_batch(self, at: Place, number: int, rows: list[dict[str, Any]]) -> int:
        """Write one batch of the stage; its number is the same in every attempt."""
        position = {"stage": at.stage, "complete": at.complete, "batch": number}
        note = statement("load_note")
        try:
            return self.write(_BATCHES[at.stage], {"rows": rows, **position}, note=note)
        except _InBefore:
            return len(rows)

    def write(self, name: str, parameters: dict[str, Any], **places: Statement) -> int:
        """Run one statement of this attempt, unless another one took over."""
        try:
            rows = self.database.write_checked(
                name, {**self.mark, **parameters}, self._check, label=self.spec.label, **places
            )
        except DatabaseError as error:
            if not _is_removed(error.__cause__):
                raise
            raise self._overtaken() from error
        return int(rows[0]["written"])

    def _check(self, rows: list[dict[str, Any]]) -> None:
        """No row: the graph's node carries another mark, or is gone."""
        if not rows:
            raise self._overtaken()
        if rows[0].get("again"):
            raise _InBefore

    def _overtaken(self) -> LoadError:
        return LoadError(
            f"Another load of {short(self.spec.name)} took over, or somebody removes it; "
            "this one stopped.",
            hint="Let the other one finish; kgdb graphs shows what becomes of it.",
        )


def _is_removed(error: BaseException | None) -> bool:
    """Whether a node was deleted between its being found and being looked at."""
    return (
        isinstance(error, ClientError) and error.code == "Neo.ClientError.Statement.EntityNotFound"
    )


class _InBefore(Exception):
    """The batch had been committed, though the server's answer was lost."""
