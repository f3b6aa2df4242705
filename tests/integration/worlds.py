"""Random graphs and queries for the differential test, and how a graph is put into a database."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

import networkx as nx

import kgdb
from kgdb.graph.retrieval.plugin import Search
from kgdb.graph.retrieval.retrieval_options import declared

_T = TypeVar("_T")

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


class Dice(random.Random):
    """Everything that is random in a test: hypothesis draws the seed.

    Its own strategies prefer what is small and simple; of 200 graphs drawn by them two had a
    neighbour behind a mediator.
    """

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def some(self, population: Sequence[_T], least: int, most: int) -> list[_T]:
        """Some different ones."""
        return self.sample(population, self.randint(least, min(most, len(population))))

    def given(self, probability: float, **options: Callable[[], Any]) -> dict[str, Any]:
        """Any of the options, each given with that probability."""
        return {name: value() for name, value in options.items() if self.chance(probability)}


def draw_world(dice: Dice, islands: int) -> World:
    store = nx.MultiDiGraph()
    relations = dice.some(RELATIONS, 1, 3)
    ids = []
    for number in range(islands):
        # Mostly the same ones, so that a chain leads somewhere on most islands.
        here = relations if dice.chance(0.8) else dice.some(RELATIONS, 1, 3)
        ids.append(_add_island(store, dice, number, here))
    return World(store, tuple(ids))


def _add_island(
    store: nx.MultiDiGraph, dice: Dice, number: int, relations: Sequence[str]
) -> tuple[str, ...]:
    inside, outside = dice.randint(2, 6), dice.randint(0, 1)
    ids = [f"{number}{letter}" for letter in _LETTERS[:inside]]
    first = store.number_of_nodes()
    nodes = range(first, first + inside + outside)
    for place, node in enumerate(nodes):
        labels = {label for label in LABELS if dice.chance(0.5)}
        labels |= {MEDIATOR} if dice.chance(0.3) else set()
        labels |= {LABEL} if place < inside else set()
        # A node outside may have the id of one that is inside.
        id_ = ids[place] if place < inside else ids[0]
        store.add_node(node, id=id_, name=dice.choice(_NAMES), labels=frozenset(labels))
    for _ in range(dice.randint(2, 14)):
        store.add_edge(dice.choice(nodes), dice.choice(nodes), relation=dice.choice(relations))
    if dice.chance(0.4):
        hub, relation = dice.choice(nodes), dice.choice(relations)
        for node in nodes:
            store.add_edge(hub, node, relation=relation)
    return tuple(ids)


def write(db: kgdb.Connection, world: World) -> None:
    """Replace what is in the database's test graph."""
    nodes = [
        {"number": n, "labels": ["TwinsTest", *values["labels"]],
         "properties": {k: v for k in ("id", "name") if (v := values[k]) is not None}}
        for n, values in world.store.nodes(data=True)
    ]  # fmt: skip
    edges = [
        {
            "source": u,
            "target": v,
            "relation": values["relation"],
            "properties": values.get("properties", {}),
        }
        for u, v, values in world.store.edges(data=True)
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
        CREATE (source)-[r:$(edge.relation)]->(target) SET r = edge.properties
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
        CREATE (n)-[:$(relation) {weight: 0, since: 0, role: ''}]->(n)
        // A graph that is drawn may have none of a relation, which is known all the same.
        MERGE (:Relation {kg: $kg, id: relation})
        """,
        labels=[*LABELS, MEDIATOR],
        relations=list(RELATIONS),
        kg=KG,
    )


def remove(db: kgdb.Connection) -> None:
    for text in (
        "MATCH (n) WHERE n:TwinsTest OR n:TwinsNames DETACH DELETE n",
        f"MATCH (r:Relation {{kg: '{KG}'}}) DELETE r",
        f"MATCH (g:KnowledgeGraph {{name: '{KG}'}}) DELETE g",
        "DROP CONSTRAINT kgdb_twins IF EXISTS",
    ):
        db.driver.execute_query(text)


def draw_starts(dice: Dice, world: World, most: int = 6) -> list[list[str]]:
    """Two sets from each island, some with an entity twice, and one from all islands."""
    sets = [dice.choices(ids, k=dice.randint(1, most)) for ids in world.islands for _ in "ab"]
    return [*sets, [ids[0] for ids in world.islands], []]


def draw_spec(dice: Dice) -> str:
    return dice.choice(("", "^")) + dice.choice(RELATIONS)


def draw_chain(dice: Dice, world: World) -> list[str]:
    """Relations that an island has, mostly."""
    relations = [relation for _, _, relation in world.store.edges(data="relation")]
    length = dice.choice((0, 1, 1, 2, 2, 3, 4))
    chosen = dice.some(relations, 1, 2) if dice.chance(0.9) else list(RELATIONS)
    return [dice.choice(("", "^")) + dice.choice(chosen) for _ in range(length)]


def draw_followed(dice: Dice) -> dict[str, Any]:
    """``relations``, ``exclude`` and ``direction``, which may not be given with a ``^``."""
    options: dict[str, Any] = {}
    exact = dice.chance(0.5)
    specs = [f"{against}{r}" for r in RELATIONS for against in (("", "^") if exact else ("",))]
    if dice.chance(0.5):
        options["relations"] = dice.some(specs, 2, 6)
    if dice.chance(0.35):
        options["exclude"] = dice.some(RELATIONS if dice.chance(0.5) else specs, 1, 2)
    if dice.chance(0.4) and not any(s.startswith("^") for s in options.get("relations", ())):
        options["direction"] = dice.choice(("both", "out", "in"))
    return options


def draw_labels(dice: Dice) -> list[str]:
    return dice.some(LABELS, 1, 2)


def draw_hops(dice: Dice, direction: str) -> list[dict[str, float]]:
    return [
        {
            draw_spec(dice).removeprefix("^" if direction == "both" else ""): dice.choice(_SIMILAR)
            for _ in range(dice.randint(0, 8))
        }
        for _ in range(dice.randint(0, 3))
    ]


_SIMILAR = (0.1, 0.2, 0.3, 0.5, 0.5, 0.5, -0.5, 0.0)
_DRAWN: dict[str, tuple[float, Callable[[Dice, Sequence[str]], Any]]] = {
    "labels": (0.3, lambda dice, _: draw_labels(dice)),
    "max_degree": (0.4, lambda dice, _: dice.randint(0, 7)),
    "mediators": (0.6, lambda dice, _: dice.chance(0.8)),
    "limit": (0.3, lambda dice, _: dice.randint(1, 6)),
    "per_relation": (0.3, lambda dice, _: dice.randint(0, 2)),
    "paths": (0.4, lambda dice, _: dice.randint(0, 3)),
    "per_pair": (0.3, lambda dice, _: dice.randint(0, 3)),
    "max_hops": (0.7, lambda dice, _: dice.randint(1, 4)),
    "all": (0.5, lambda dice, _: dice.chance(0.3)),
    "width": (0.5, lambda dice, _: dice.randint(1, 6)),
    "relations_per_node": (0.5, lambda dice, _: dice.randint(0, 2)),
    "damping_factor": (0.4, lambda dice, _: dice.choice((0.0, 0.5, 0.95))),
    "max_iterations": (0.4, lambda dice, _: dice.randint(1, 30)),
    "tolerance": (0.4, lambda dice, _: dice.choice((0.0, 1e-3, 0.1))),
    "source_nodes": (0.4, lambda dice, ids: dice.choices(ids, k=2)),
    # Of a search that has its relations as an argument.
    "exclude": (0.3, lambda dice, _: [draw_spec(dice)]),
    "direction": (0.5, lambda dice, _: dice.choice(("out", "both"))),
}
"""How often an option is given, and which values."""


def draw_options(dice: Dice, search: Search[Any], ids: Sequence[str]) -> dict[str, Any]:
    """Some of the options that the search declares; ``ids`` are those of entities."""
    known = dict(declared(search.options))
    options: dict[str, Any] = {}
    if "relations" in known:
        options = draw_followed(dice)
        del known["exclude"], known["direction"]
    return options | {
        name: draw(dice, ids)
        for name, (probability, draw) in _DRAWN.items()
        if name in known and dice.chance(probability)
    }


def draw_arguments(
    dice: Dice,
    search: Search[Any],
    world: World,
    ids: Sequence[str],
    sets: int,
    options: Mapping[str, Any],
) -> tuple[list[Any], ...]:
    """For each argument of the search its value for each of so many sets; two take turns."""
    draws: dict[str, Callable[[], Any]] = {
        "relations": lambda: draw_chain(dice, world),
        "hops": lambda: draw_hops(dice, options.get("direction", "out")),
        "relationships": lambda: [tuple(dice.choices(ids, k=2)) for _ in range(dice.randint(0, 8))],
    }
    names = list(search.arguments[1:])
    if "relationships" in names and ({"relations", "exclude"} & set(options) or dice.chance(0.3)):
        names.remove("relationships")
    two = [(draws[name](), draws[name]()) for name in names]
    return tuple([each[place % 2] for place in range(sets)] for each in two)


_VALUES: dict[str, tuple[Any, ...]] = {
    "weight": (0, 1, 2, 2.0, 2.5, -1, math.nan, "2", "two", True),
    "since": (date(1999, 3, 31), date(2004, 1, 1), datetime(2004, 7, 1, 12), "1999-03", 2004),
    "role": ("smith", "Smith", "head smith", ["clerk", "smith"], ["clerk"], "true", False),
}
_ASKED: dict[str, tuple[Any, ...]] = {
    "weight": (2, 2.0, 1.5, "2", "2.50", "two", True, math.nan),
    "since": ("1999", "2004-01", "2004-07-01", date(2004, 1, 1), 2004, "1999-03"),
    "role": ("smith", "head", "clerk", "true", True, "S"),
}


def add_properties(dice: Dice, world: World) -> None:
    """Give most edges some properties, whose values are of several kinds."""
    for _, _, values in world.store.edges(data=True):
        values["properties"] = {
            name: dice.choice(some) for name, some in _VALUES.items() if dice.chance(0.7)
        }


def draw_conditions(dice: Dice) -> list[dict[str, Any]]:
    """Conditions on these properties, some for one relation."""
    conditions = []
    for _ in range(dice.randint(0, 2)):
        name = dice.choice(tuple(_ASKED))
        operators = ("=", "<>", "<", "<=", ">", ">=", "CONTAINS", "STARTS WITH")
        conditions.append(
            {
                "property": name,
                "operator": dice.choice(operators),
                "value": dice.choice(_ASKED[name]),
            }
            | dice.given(0.3, relation=lambda: dice.choice(RELATIONS))
        )
    return conditions
