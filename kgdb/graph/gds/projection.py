"""Loaded graphs in the catalog of Graph Data Science (GDS), where every ``gds.*`` call finds them.

A projection is a copy in the server's memory. All relations are one relationship type in it: each
type would be a graph of its own there, and a thousand of them more than the memory holds.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kgdb.errors import DatabaseError, GdsMissing, UsageError
from kgdb.graph.connection.catalog import GraphInfo
from kgdb.graph.connection.database import Database
from kgdb.graph.connection.statements import Types
from kgdb.graph.gds.weights import check_relations, finite_weights
from kgdb.graph.option_values import number
from kgdb.text_arguments import text
from kgdb.values import Entity
from kgdb.wording import short

if TYPE_CHECKING:
    from graphdatascience.graph.graph_api import Graph as GdsGraph

    from kgdb.graph.retrieval.results import RelationInfo

WEIGHT = "weight"
"""The relationship property of a projection with weights."""

ALL_TYPES = "__ALL__"
"""The one relationship type of a projection, as GDS itself names all types together."""

LARGEST_SHARE = 0.8
"""Of the server's heap, that one projection may take."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A graph in the catalog, to be called by its ``name``: ``db.call("gds.…", p.name, {…})``.

    ``weight`` is the name of its relationship property, where it has weights.
    """

    name: str
    nodes: int
    relationships: int
    weight: str | None
    database: Database = field(repr=False, compare=False)
    info: GraphInfo = field(repr=False, compare=False)

    def entities(self, node_ids: Iterable[int]) -> list[Entity]:
        """The entities that ``gds.*`` procedures tell as ``nodeId``, in the order given.

        >>> rows = db.call("gds.pageRank.stream", p.name)                # doctest: +SKIP
        >>> p.entities(row["nodeId"] for row in rows[:3])                # doctest: +SKIP

        One round trip. Raises :class:`UsageError` for a number that is no node's.
        """
        numbers = list(node_ids)
        for number_ in numbers:
            if isinstance(number_, bool) or not isinstance(number_, int):
                raise UsageError(
                    f"node_ids holds {short(number_)}; expected the whole numbers that a gds "
                    "procedure tells as nodeId."
                )
        info = self.info
        rows = self.database.run("gds/entities", {"numbers": numbers}, **info.places)
        for number_, row in zip(numbers, rows, strict=True):
            if row["id"] is None:
                raise UsageError(
                    f"node_ids holds {number_}, and no node has that number.",
                    hint="Numbers are good as long as the graph is not changed; project it again.",
                )
        return [Entity(row["id"], row["name"]) for row in rows]

    def graph(self) -> GdsGraph:
        """The same as an object of the Python client ``graphdatascience`` (extra ``gds``)."""
        return self.database.gds().graph.get(self.name)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a projection will hold; ``arcs`` counts relationships before they are made undirected.

    ``make`` projects under the name it is given, and tells how many nodes and relationships
    there are then.
    """

    arcs: int
    make: Callable[[str], list[dict[str, Any]]]
    undirected: bool = False
    weighted: bool = False


@contextmanager
def projected(
    database: Database, info: GraphInfo, plan: Plan, name: str | None = None
) -> Iterator[Projection]:
    """The projection inside the block, dropped at its end.

    Raises :class:`GdsMissing` where the server has no GDS, and :class:`UsageError` when the name
    is taken or the server's memory too small for it.
    """
    if not database.has_gds:
        raise GdsMissing(
            f"The server at {database.uri} has no Graph Data Science.",
            hint="The local server brings it (unset NEO4J_URI). For your own server: "
            "https://neo4j.com/docs/graph-data-science/current/installation/",
        )
    if name is None:
        name = f"kgdb:{info.name}:{uuid.uuid4()}"
    else:
        _check_name(database, name)
    _check_memory(database, info, plan)
    (row,) = plan.make(name)
    if row["nodes"] is None:
        raise DatabaseError(f"The graph {short(info.name)} has no entities to project.")
    weight = WEIGHT if plan.weighted else None
    try:
        yield Projection(name, row["nodes"], row["relationships"], weight, database, info)
    except BaseException:
        # What went wrong is told; that the server may have gone away with the projection is not.
        with suppress(DatabaseError):
            _drop(database, name)
        raise
    _drop(database, name)


def whole(database: Database, info: GraphInfo, *, undirected: bool = False) -> Plan:
    """Every relation, without weights: GDS reads the store itself, the fastest way there is."""

    def make(name: str) -> list[dict[str, Any]]:
        relationships = _relationships(undirected, weighted=False)
        (row,) = database.call("gds.graph.project", name, list(info.labels), relationships)
        return [{"nodes": row["nodeCount"], "relationships": row["relationshipCount"]}]

    return Plan(info.triples, make, undirected)


def some(
    database: Database,
    info: GraphInfo,
    known: Mapping[str, RelationInfo],
    *,
    relations: Sequence[str] | None = None,
    undirected: bool = False,
    weights: Mapping[str, float] | None = None,
    default_weight: float = 1.0,
) -> Plan:
    """Some relations (none named: all), or their weights: GDS reads the rows of a statement."""
    chosen = check_relations("relations", relations or [], known) or list(known)
    types = Types(frozenset(chosen) if relations else None)
    parameters: dict[str, Any] = {
        "labels": list(info.labels),
        "config": {"undirectedRelationshipTypes": ["*"]} if undirected else {},
    }
    if weights is not None:
        parameters["weights"] = finite_weights("weights", weights, known)
        parameters["default"] = number("default_weight", default_weight)

    def make(name: str) -> list[dict[str, Any]]:
        values = {**parameters, "name": name}
        if weights is None:
            return database.write("gds/project_relations", values, **info.places, types=types)
        return database.write("gds/project_weighted", values, **info.places, types=types)

    arcs = sum(known[relation].count for relation in chosen)
    return Plan(arcs, make, undirected, weighted=weights is not None)


def _check_name(database: Database, name: str) -> None:
    text("name", name, "a name for the projection")
    if name != name.strip():
        raise UsageError(
            f"{short(name)} cannot name a projection; expected a text without spaces around it."
        )
    if database.call("gds.graph.exists", name)[0]["exists"]:
        raise UsageError(
            f"There is a projection {short(name)} already.",
            hint=f'Choose another name, or drop it: db.call("gds.graph.drop", {short(name)})',
        )


def _check_memory(database: Database, info: GraphInfo, plan: Plan) -> None:
    """By the counts of the bookkeeping: nothing is read for it."""
    counts = {"nodeCount": info.entities, "relationshipCount": plan.arcs}
    relationships = _relationships(plan.undirected, plan.weighted)
    (needed,) = database.call("gds.graph.project.estimate", "*", relationships, counts)
    if needed["heapPercentageMax"] > LARGEST_SHARE:
        raise UsageError(
            f"Projecting {short(info.name)} takes {needed['requiredMemory']} of memory, more than "
            f"{LARGEST_SHARE:.0%} of the server's heap.",
            hint="Project fewer relations, or give the server more (kgdb up --heap, KGDB_HEAP; "
            "on your own server: server.memory.heap.max_size).",
        )


def _relationships(undirected: bool, weighted: bool) -> dict[str, Any]:
    """As GDS describes the relationships of a projection."""
    orientation = "UNDIRECTED" if undirected else "NATURAL"
    properties = [WEIGHT] if weighted else []
    return {ALL_TYPES: {"type": "*", "orientation": orientation, "properties": properties}}


def _drop(database: Database, name: str) -> None:
    # One that its user has dropped already is no error.
    database.write("gds/drop", {"name": name, "failIfMissing": False})
