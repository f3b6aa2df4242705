"""The plugin and its twins in plain Cypher give the same rows on a graph of several labels.

Its nodes have names of several kinds, two labels or one, and no property with ids: their element
ids are the ids. Relationships lead out of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import worlds
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import CASES

import kgdb
from kgdb.errors import DatabaseError
from kgdb.graph import Graph, count_round_trips, find_graph

pytestmark = pytest.mark.integration

KG = "adopted-twins"
LEFT, RIGHT = worlds.LABELS
BOOKKEEPING = """
MERGE (g:KnowledgeGraph {name: $kg})
SET g.state = 'ready', g.adopted = true, g.labels = $labels,
    g.nameLabels = [$left, $right, $right], g.nameProperties = ['name', 'id', 'name'],
    g.labelledNames = [$right], g.aliasProperties = []
WITH g UNWIND $relations AS relation
MERGE (:Relation {kg: $kg, id: relation})
"""


@pytest.fixture(scope="module")
def graphs(settings: Any) -> Iterator[tuple[Graph, Graph]]:
    """The graph with the plugin and without it."""
    with kgdb.connect(plugin="required") as db, kgdb.connect(plugin="never") as plain:
        worlds.prepare(db)
        db.driver.execute_query(
            BOOKKEEPING,
            kg=KG,
            labels=[LEFT, RIGHT],
            left=LEFT,
            right=RIGHT,
            relations=list(worlds.RELATIONS),
        )
        yield Graph(db, find_graph(db, KG)), Graph(plain, find_graph(plain, KG))
        db.driver.execute_query(
            "MATCH (n:KnowledgeGraph|Relation) WHERE n.name = $kg OR n.kg = $kg DELETE n", kg=KG
        )
        worlds.remove(db)


def ids_of_the_graph(db: kgdb.Connection) -> list[str]:
    records, _, _ = db.driver.execute_query(
        "MATCH (n:TwinsTest) WHERE $left IN labels(n) OR $right IN labels(n) "
        "RETURN elementId(n) AS id ORDER BY id",
        left=LEFT,
        right=RIGHT,
    )
    return [record["id"] for record in records]


@pytest.mark.parametrize("method", CASES)
@given(seed=st.integers(0, 2**32), islands=st.integers(1, 5))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_both_give_the_same_rows(
    graphs: tuple[Graph, Graph], method: str, seed: int, islands: int
) -> None:
    dice = worlds.Dice(seed)
    plugin, twin = graphs
    twin.neighbors([], relations=worlds.RELATIONS, labels=worlds.LABELS)  # reads the names
    world, search = worlds.draw_world(dice, islands), CASES[method].search
    worlds.write(plugin.database, world)
    ids = ids_of_the_graph(plugin.database)
    if not ids:
        return
    options = worlds.draw_options(dice, search, ids)
    drawn = worlds.draw_arguments(dice, search, world, ids, 1, options)
    arguments = [of_set for (of_set,) in drawn]
    starts = dice.choices(ids, k=dice.randint(1, 5))
    found = []
    for graph in graphs:
        with count_round_trips() as trips:
            found.append(getattr(graph, method)(starts, *arguments, **options))
        assert trips.count == 1
    assert list(found[0]) == list(found[1])
    assert found[0].cut == found[1].cut
    assert not found[0].without_id


def test_an_id_is_an_element_id_of_the_graph(graphs: tuple[Graph, Graph]) -> None:
    worlds.write(graphs[0].database, worlds.draw_world(worlds.Dice(7), 5))
    records, _, _ = graphs[0].database.driver.execute_query(
        "MATCH (n:TwinsTest) WHERE NOT $left IN labels(n) AND NOT $right IN labels(n) "
        "RETURN elementId(n) AS id LIMIT 1",
        left=LEFT,
        right=RIGHT,
    )
    outside = records[0]["id"]
    for graph, id_ in product(graphs, ("nobody", "", "4:x:1", outside)):
        with pytest.raises(DatabaseError, match=r"takes ids \(element ids of the database\)"):
            graph.neighbors([id_])
