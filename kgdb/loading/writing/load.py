"""From a prepared source to a graph that is ready: by which way, and what happens to an old one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from neo4j.exceptions import ConstraintError

from kgdb.errors import DatabaseError, LoadError, UsageError
from kgdb.graph.catalog import LOADING, READY, REMOVING, GraphInfo, list_graphs
from kgdb.graph.database import Database
from kgdb.graph.relation_vectors import RelationVectors
from kgdb.language import Encoder
from kgdb.loading.preparing.prepared_source import Prepared
from kgdb.loading.writing import online
from kgdb.loading.writing.disk_guard import loading_guard, unloading_guard
from kgdb.loading.writing.embedding import write_relation_vectors
from kgdb.loading.writing.gds_pagerank import PROPERTY, write_pagerank
from kgdb.loading.writing.label_conflicts import OTHER_LABEL, require_apart, require_free
from kgdb.loading.writing.load_job import IMPORTED, NOTHING, Attempt, Place
from kgdb.loading.writing.relation_encoding import RelationsAhead
from kgdb.loading.writing.unload import remove_entities, unload
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import short

_RANK, _INDEXED = 100, 300
"""About what bytes the rank of an entity takes, and what the indexes over it."""


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
    encoder: Callable[[], Encoder] | None = None,
    ahead: RelationsAhead | None = None,
    report: Report = silent,
) -> LoadResult:
    """Write the graph, its bookkeeping and its indexes, over Bolt.

    With ``pagerank``, and where the server has Graph Data Science, each entity gets its PageRank.
    With an ``encoder``, asked for when it is needed, each relation gets its embedding; ``ahead``
    is where that has begun already. The same source again does nothing; a load of it that was
    stopped is gone on with. Raises :class:`UsageError` when another source is loaded, or is being
    loaded, under the name and ``replace`` is false, or its label belongs to another graph or to
    nodes that kgdb did not load, and :class:`LoadError` when the database fails in the middle or
    another load takes over.
    """
    spec = prepared.spec
    current = _checked(prepared, database)
    ahead = ahead or RelationsAhead(prepared, encoder)
    attempt = Attempt(prepared, database)
    guard = loading_guard(database, spec.name)
    try:
        while True:
            if current and is_loaded(prepared, current, replace=replace):
                return LoadResult(current, loaded=False)
            guard.room(0)
            ahead.begin()
            place = _begin(attempt, current, report)
            if place is not None:
                break
            # Somebody else began or ended something under that name: look again.
            current = _checked(prepared, database)
        # The constraint's index takes long where the data are in already, and keeps nothing waiting
        # but batches, which find their nodes by it.
        with ThreadPoolExecutor(1) as pool:
            if place.stage == IMPORTED:
                guard.room(prepared.counts.entities * _INDEXED)
            indexes = pool.submit(attempt.index)
            if place.stage == IMPORTED:
                attempt.constrain()
            else:
                indexes.result()
                online.write(attempt, place, guard, report)
            if pagerank and not place.ranked:
                guard.room(prepared.counts.entities * _RANK)
            ranked = place.ranked or (pagerank and _write_pagerank(attempt, report))
            _describe(attempt, ahead, report)
            indexes.result()
        report(Message("Waiting for the indexes …"))
        return LoadResult(attempt.finish(pagerank=ranked), loaded=True)
    except DatabaseError as error:
        hint = "Nothing of it is shown as loaded. The same command goes on with it."
        if isinstance(error.__cause__, ConstraintError):
            # It would only be stopped by the same again.
            hint += " First drop the constraint, or remove the node, that is in its way; or give "
            hint += f"the load up: kgdb unload {spec.name}."
        raise LoadError(
            f"Loading {short(spec.name)} stopped: {error.message}", hint=_and_then(error, hint)
        ) from error


def _checked(prepared: Prepared, database: Database) -> GraphInfo | None:
    """What the database holds under the graph's name; refuses what would get in its way."""
    graphs = list_graphs(database)
    current = find_current(prepared, graphs)
    if current and current.sha256 == prepared.sha256:
        return current
    if not (current and current.label == prepared.spec.label):
        require_free(database, prepared.spec.label)
    require_apart(prepared, database, graphs)
    return current


def _and_then(error: DatabaseError, what: str) -> str:
    """What to do about the database comes first."""
    return f"{error.hint} {what}" if error.hint else what


def find_current(prepared: Prepared, graphs: tuple[GraphInfo, ...]) -> GraphInfo | None:
    """What the database holds under the graph's name.

    Refuses the name of an adopted graph, and a label that is another graph's.
    """
    spec = prepared.spec
    existing = {graph.name: graph for graph in graphs}
    current = existing.pop(spec.name, None)
    if current and current.adopted:
        raise UsageError(
            f"The graph {short(spec.name)} is adopted: its nodes are not kgdb's, and stay.",
            hint="Load under another name, or remove the adopted one with kgdb unload first.",
        )
    given = set(prepared.labels())
    for other in existing.values():
        if other.label == spec.label:
            raise UsageError(
                f"The label {short(other.label)} belongs to the loaded graph {short(other.name)}.",
                hint=OTHER_LABEL,
            )
        if other.label in given:
            raise UsageError(
                f"The source labels entities {short(other.label)}, which is the label of the "
                f"loaded graph {short(other.name)}.",
                hint="Rename it in the source, or load that graph by another name.",
            )
    return current


def is_loaded(prepared: Prepared, current: GraphInfo, *, replace: bool) -> bool:
    """Whether nothing is to be done; refuses to replace another source unasked."""
    if current.sha256 == prepared.sha256:
        return current.state == READY
    if replace or current.state == REMOVING:
        return False
    if current.state == LOADING:
        # Whether its loader still runs, here or on another machine, cannot be told.
        raise UsageError(
            f"Another source is being loaded as {short(current.name)}: {current.source} (or "
            "another version of its loader reads it), or a load of that was stopped.",
            hint="Wait until kgdb graphs shows it as ready; a load that was stopped is gone on "
            "with by its own command. Or load this one under another name (--as NAME), or add "
            "--replace: it ends the other load and takes its place.",
        )
    raise UsageError(
        f"The graph {short(prepared.spec.name)} is loaded already, from another source or with "
        f"another version of its loader ({current.source}).",
        hint="To replace it, add --replace to the same command.",
    )


def _describe(attempt: Attempt, ahead: RelationsAhead, report: Report) -> None:
    """Write what is known of the relations."""
    relations, vectors = ahead.result()
    attempt.describe_relations(relations)
    match vectors:
        case RelationVectors():
            write_relation_vectors(attempt.database, attempt.spec.name, vectors)
        case str(reason):
            report(Message(f"No embeddings of relations: {reason}"))


def _begin(attempt: Attempt, current: GraphInfo | None, report: Report) -> Place | None:
    """Go on with a load of the same that was stopped, or else announce the graph anew.

    ``None`` where the database no longer holds what it did (``current``).
    """
    if current and current.state == LOADING and (place := attempt.take_over()):
        if place.stage != NOTHING:
            if place.stage != IMPORTED:
                report(
                    Message(f"Going on with the load of {short(current.name)} that was stopped …")
                )
            return place
    else:
        if current and current.label != attempt.spec.label:
            unload(attempt.database, current, report=report)
            current = None
        # The mark comes first: from then on no batch of an earlier attempt gets in any more.
        if not attempt.begin(current):
            return None
    if current:
        report(Message(f"Removing what was loaded as {short(current.name)} before …"))
        guard = unloading_guard(attempt.database, current.name)
        remove_entities(attempt.database, current, guard, report)
    return Place()


def _write_pagerank(attempt: Attempt, report: Report) -> bool:
    """The ranks of all entities, or a message why there are none."""
    spec, counts = attempt.spec, attempt.prepared.counts
    graph = GraphInfo(
        name=spec.name,
        label=spec.label,
        title=spec.title,
        state=LOADING,
        source=str(attempt.prepared.source),
        sha256=attempt.prepared.sha256,
        triples=counts.triples,
        entities=counts.entities,
        relations=counts.relations,
        loaded_at=None,
    )

    def write(projection: str) -> int:
        config = {"writeProperty": PROPERTY}
        return attempt.write("load_pagerank", {"projection": projection, "config": config})

    report(Progress("ranking entities", 0, counts.entities, "entities"))
    ranked = write_pagerank(attempt.database, graph, attempt.mark["load"], write, report)
    if ranked:
        report(Progress("ranking entities", counts.entities, counts.entities, "entities"))
    return ranked
