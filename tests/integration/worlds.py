"""Random graphs and queries for the differential test, and how a graph is put into a database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx
from hypothesis import strategies as st

import kgdb

KG, LABEL = "twins", "Twins"
RELATIONS = ("r", "people.person.place", "is in", "a `quoted`` one", "关系")
LABELS = ("Left", "Far right")
MEDIATOR = "Mediator"
# In UTF-16 the second would come after the third: texts are ordered by code point.
_LETTERS = ("a", "\uff5a", "\U0001f701", "7", "b", "ä", "Z")
_NAMES = (None, "Ann", "ann", "雨", "Ann", "\uff5a", "\U0001f701")


@dataclass(frozen=True)
class World:
    """Some islands in one database: nodes by number, edges by the numbers of their ends."""

    store: nx.MultiDiGraph
    islands: tuple[tuple[str, ...], ...]
    """The ids of the nodes of each island that are in the graph."""


@st.composite
def worlds(draw: st.DrawFn) -> World:
    store = nx.MultiDiGraph()
    islands = []
    for number in range(draw(st.integers(1, 6))):
        first = store.number_of_nodes()
        inside = draw(st.integers(2, 6))
        outside = draw(st.integers(0, 1))
        ids = []
        for place in range(inside + outside):
            labels = set(draw(st.lists(st.sampled_from(LABELS), max_size=2)))
            if draw(st.integers(0, 3)) == 0:
                labels.add(MEDIATOR)
            if place < inside:
                labels.add(LABEL)
                ids.append(f"{number}{_LETTERS[place]}")
            # A node outside may have the id of one that is inside.
            store.add_node(
                first + place,
                id=f"{number}{_LETTERS[place]}" if place < inside else ids[0],
                name=draw(st.sampled_from(_NAMES)),
                labels=frozenset(labels),
            )
        node = st.integers(first, first + inside + outside - 1)
        edges = draw(st.lists(st.tuples(node, node, st.sampled_from(RELATIONS)), max_size=14))
        if draw(st.booleans()):
            hub = draw(node)
            relation = draw(st.sampled_from(RELATIONS))
            edges += [(hub, first + place, relation) for place in range(inside)]
        for source, target, relation in edges:
            store.add_edge(source, target, relation=relation)
        islands.append(tuple(ids))
    return World(store, tuple(islands))


def write(db: kgdb.Connection, world: World) -> None:
    """Replace what is in the database's test graph."""
    nodes = [
        {"number": n, "labels": ["TwinsTest", *values["labels"]],
         "properties": {k: v for k in ("id", "name") if (v := values[k]) is not None}}
        for n, values in world.store.nodes(data=True)
    ]  # fmt: skip
    edges = [
        {"source": u, "target": v, "relation": relation}
        for u, v, relation in world.store.edges(data="relation")
    ]
    db.driver.execute_query(
        """
        OPTIONAL MATCH (old:TwinsTest)
        DETACH DELETE old
        WITH count(*) AS gone
        CALL () {
          UNWIND $nodes AS node
          CREATE (n:$(node.labels)) SET n = node.properties
          RETURN collect(n) AS nodes
        }
        UNWIND $edges AS edge
        WITH nodes[edge.source] AS source, nodes[edge.target] AS target, edge
        CREATE (source)-[:$(edge.relation)]->(target)
        """,
        nodes=nodes,
        edges=edges,
    )


def prepare(db: kgdb.Connection) -> None:
    """The bookkeeping of the test graph, and one node and edge of every kind to name."""
    for text in (
        f"CREATE CONSTRAINT kgdb_twins IF NOT EXISTS FOR (n:{LABEL}) REQUIRE n.id IS UNIQUE",
        f"MERGE (g:KnowledgeGraph {{name: '{KG}'}}) SET g.label = '{LABEL}', g.state = 'ready'",
    ):
        db.driver.execute_query(text)
    db.driver.execute_query(
        """
        MERGE (n:TwinsNames) SET n:$($labels)
        WITH n UNWIND $relations AS relation
        CREATE (n)-[:$(relation)]->(n)
        """,
        labels=[*LABELS, MEDIATOR],
        relations=list(RELATIONS),
    )


def remove(db: kgdb.Connection) -> None:
    for text in (
        "MATCH (n) WHERE n:TwinsTest OR n:TwinsNames DETACH DELETE n",
        f"MATCH (g:KnowledgeGraph {{name: '{KG}'}}) DELETE g",
        "DROP CONSTRAINT kgdb_twins IF EXISTS",
    ):
        db.driver.execute_query(text)


@st.composite
def starts(draw: st.DrawFn, world: World, most: int = 4) -> list[list[str]]:
    """A set from each island, some with an entity twice or from another island too."""
    sets = [
        draw(st.lists(st.sampled_from(ids), min_size=1, max_size=most)) for ids in world.islands
    ]
    if draw(st.booleans()):
        sets.append([ids[0] for ids in world.islands])
        sets.append([])
    return sets


relation = st.sampled_from(RELATIONS)
spec = st.one_of(relation, relation.map("^{}".format))
small = st.integers(1, 4)


def some(**options: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Any of the options, each given or not."""
    return st.fixed_dictionaries({}, optional=options)


@st.composite
def followed(draw: st.DrawFn) -> dict[str, Any]:
    """``relations``, ``exclude`` and ``direction``, which may not be given with a ``^``."""
    options = draw(
        some(
            relations=st.lists(st.one_of(relation, spec), max_size=4, unique=True),
            exclude=st.lists(st.one_of(relation, spec), max_size=2, unique=True),
        )
    )
    if not any(each.startswith("^") for each in options.get("relations", ())):
        options |= draw(some(direction=st.sampled_from(("both", "out", "in"))))
    return options


visited = some(
    labels=st.lists(st.sampled_from(LABELS), max_size=2, unique=True),
    mediators=st.booleans(),
    max_degree=st.integers(0, 5),
)
