"""From a prepared source to a graph that is ready: by which way, and what happens to an old one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from kgdb.errors import DatabaseError, LoadError, UsageError
from kgdb.graph.catalog import LOADING, READY, REMOVING, GraphInfo, list_graphs
from kgdb.graph.database import Database
from kgdb.graph.relation_vectors import RelationVectors
from kgdb.language import Encoder
from kgdb.loading import online
from kgdb.loading.attempt import BATCH, IMPORTED, NOTHING, Attempt, Place
from kgdb.loading.describing import RelationsAhead
from kgdb.loading.embedding import write_relation_vectors
from kgdb.loading.pagerank import PROPERTY, drop_left_projections, write_pagerank
from kgdb.loading.prepared import Prepared
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import short

_OTHER_LABEL = (
    "Choose another name by --as, of which a label is made, or, in a loader file of your own, "
    "another `label`."
)


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
    stopped is gone on with. Raises :class:`UsageError` when another source is loaded under the name
    and ``replace`` is false, or its label belongs to another graph or to nodes that kgdb did not
    load, and :class:`LoadError` when the database fails in the middle or another load takes over.
    """
    current = find_current(prepared, list_graphs(database))
    if current and is_loaded(prepared, current, replace=replace):
        return LoadResult(current, loaded=False)
    spec = prepared.spec
    if not (current and current.label == spec.label):
        _require_free(database, spec.label)
    ahead = ahead or RelationsAhead(prepared, encoder)
    ahead.begin()
    try:
        attempt = Attempt(prepared, database)
        place = _begin(attempt, current, report)
        # The constraint's index takes long where the data are in already, and keeps nothing waiting
        # but batches, which find their nodes by it.
        with ThreadPoolExecutor(1) as pool:
            indexes = pool.submit(attempt.index)
            if place.stage == IMPORTED:
                attempt.constrain()
            else:
                indexes.result()
                online.write(attempt, place, report)
            ranked = place.ranked or (pagerank and _write_pagerank(attempt, report))
            _describe(attempt, ahead, report)
            indexes.result()
        report(Message("Waiting for the indexes …"))
        return LoadResult(attempt.finish(pagerank=ranked), loaded=True)
    except DatabaseError as error:
        raise LoadError(
            f"Loading {short(spec.name)} stopped: {error.message}",
            hint="Nothing of it is shown as loaded. The same command goes on with it.",
        ) from error


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
                hint=_OTHER_LABEL,
            )
        if other.label in given:
            raise UsageError(
                f"The source labels entities {short(other.label)}, which is the label of the "
                f"loaded graph {short(other.name)}.",
                hint="Rename it in the source, or load that graph by another name.",
            )
    return current


def _require_free(database: Database, label: str) -> None:
    """Refuse a label that nodes have already; whose they are is said."""
    if not database.run("label_in_use", label=label)[0]["used"]:
        return
    for other in list_graphs(database):
        if database.run("adopt_shared", label=label, other=other.label)[0]["shared"]:
            raise UsageError(
                f"Entities of the graph {short(other.name)} are labelled {short(label)}.",
                hint=_OTHER_LABEL,
            )
    raise UsageError(
        f"The database has nodes labelled {short(label)} that kgdb did not load.", hint=_OTHER_LABEL
    )


def is_loaded(prepared: Prepared, current: GraphInfo, *, replace: bool) -> bool:
    """Whether nothing is to be done; refuses to replace another source unasked."""
    if current.state != READY:
        return False
    if current.sha256 == prepared.sha256:
        return True
    if not replace:
        raise UsageError(
            f"The graph {short(prepared.spec.name)} is loaded already, from another source or with "
            f"another version of its loader ({current.source}).",
            hint="To replace it, add --replace to the same command.",
        )
    return False


def _describe(attempt: Attempt, ahead: RelationsAhead, report: Report) -> None:
    """Write what is known of the relations."""
    relations, vectors = ahead.result()
    attempt.describe_relations(relations)
    match vectors:
        case RelationVectors():
            write_relation_vectors(attempt.database, attempt.spec.name, vectors)
        case str(reason):
            report(Message(f"No embeddings of relations: {reason}"))


def unload(database: Database, graph: GraphInfo, *, report: Report = silent) -> None:
    """Remove a graph, its bookkeeping and its indexes; stopped half-way, it can be repeated.

    It is no longer ready from the first step on, and a load of it that runs stops. The nodes of an
    adopted graph stay, whatever labels they have.
    """
    database.write("unload_begin", {"name": graph.name, "state": REMOVING})
    if not graph.adopted:
        _remove_entities(database, graph, report)
    database.write("drop_constraint", constraint=graph.id_constraint)
    # That of the constraint is left behind where the constraint was not yet made.
    own = (graph.id_constraint, graph.fulltext_index, graph.name_index, graph.embedding_index)
    for index in own:
        database.write("drop_index", index=index)
    drop_left_projections(database, graph.name)
    database.write("unload_bookkeeping", {"name": graph.name})


def _begin(attempt: Attempt, current: GraphInfo | None, report: Report) -> Place:
    """Go on with a load of the same that was stopped, or else announce the graph anew."""
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
        attempt.begin()
    if current:
        report(Message(f"Removing what was loaded as {short(current.name)} before …"))
        _remove_entities(attempt.database, current, report)
    return Place()


def _remove_entities(database: Database, graph: GraphInfo, report: Report) -> None:
    deleted = 0
    parameters = {"limit": BATCH}
    while count := database.write("unload_entities", parameters, label=graph.label)[0]["deleted"]:
        deleted += count
        report(Progress("removing entities", deleted, graph.entities, "entities"))


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
