"""The labels that relations join, with exact numbers, whatever lies first in the store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import kgdb
from kgdb import loading
from kgdb.graph import relation_ends
from kgdb.graph.connection.round_trips import count_round_trips
from kgdb.graph.schema import RelationEnds, read_schema
from kgdb.loading import adopt

pytestmark = pytest.mark.integration

LABELS = "Squad|Player|Fixture|Ground|Captain"
WORLD = (
    "UNWIND range(1, 40) AS n CREATE (:Player {name: 'Player ' + n, n: n})",
    "MATCH (p:Player) WHERE p.n <= 2 SET p:Captain",
    "UNWIND range(1, 8) AS n CREATE (:Squad {name: 'Squad ' + n, n: n})",
    "UNWIND range(1, 20) AS n CREATE (:Fixture {name: 'Fixture ' + n, n: n})",
    "UNWIND range(1, 4) AS n CREATE (:Ground {name: 'Ground ' + n, n: n})",
    # More than a sample, and all of them first in the store.
    "MATCH (s:Squad), (f:Fixture) UNWIND range(1, 2) AS again CREATE (s)-[:SCORED]->(f)",
    "MATCH (p:Player), (f:Fixture) CREATE (p)-[:SCORED {minute: p.n}]->(f)",
    "MATCH (s:Squad), (g:Ground) UNWIND range(1, 10) AS again CREATE (s)-[:LIKES]->(g)",
    "MATCH (p:Player), (s:Squad) WHERE p.n <= 30 CREATE (p)-[:LIKES]->(s)",
    "MATCH (f:Fixture), (g:Ground) WHERE f.n % 4 + 1 = g.n CREATE (f)-[:HELD_AT]->(g)",
)
SCORED = {
    ("Squad", "Fixture"): 8 * 20 * 2,
    ("Player", "Fixture"): 40 * 20,
    ("Captain", "Fixture"): 2 * 20,
}
LIKES = {("Squad", "Ground"): 8 * 4 * 10, ("Player", "Squad"): 30 * 8, ("Captain", "Squad"): 16}
HELD_AT = {("Fixture", "Ground"): 20}


@pytest.fixture
def league(clean: kgdb.Connection) -> Iterator[kgdb.Connection]:
    clean.driver.execute_query(f"MATCH (n:{LABELS}) DETACH DELETE n")
    for statement in WORLD:
        clean.driver.execute_query(statement)
    yield clean
    for info in clean.graphs():
        if info.adopted:
            loading.unadopt(clean, info)
    clean.driver.execute_query(f"MATCH (n:{LABELS}) DETACH DELETE n")


def relations(db: kgdb.Connection) -> dict[str, RelationEnds]:
    """The relations of the schema, read anew."""
    kg = db.graph("league")
    return dict(read_schema(db, kg.info, kg.relations).relations)


@pytest.mark.parametrize(
    ("small", "most"),
    [(20_000, 500_000), (0, 500_000), (0, 0)],
    ids=["read", "by the store where it tells", "by the store, else estimated"],
)
def test_pairs_of_labels_have_their_numbers(
    league: kgdb.Connection, monkeypatch: pytest.MonkeyPatch, small: int, most: int
) -> None:
    adopt(league, "league")
    monkeypatch.setattr(relation_ends, "_SMALL", small)
    monkeypatch.setattr(relation_ends, "MOST_READ", most)
    found = relations(league)
    assert (found["SCORED"].pairs, found["SCORED"].estimated) == (SCORED, frozenset())
    assert (found["HELD_AT"].pairs, found["HELD_AT"].estimated) == (HELD_AT, frozenset())
    assert found["SCORED"].heads == {"Squad": 320, "Player": 800, "Captain": 40}
    assert found["SCORED"].tails == {"Fixture": 1120}
    # Which heads go with which tails does not follow from counts of one end.
    assert found["LIKES"].pairs == LIKES
    assert found["LIKES"].estimated == (frozenset() if most else frozenset(LIKES))
    # The first relationships of the store have no minute.
    assert [each.name for each in found["SCORED"].properties] == ["minute"]


def test_few_nodes_with_a_label_more_make_no_usual_pair(league: kgdb.Connection) -> None:
    adopt(league, "league")
    assert set(relations(league)["SCORED"].usual_pairs) == set(SCORED) - {("Captain", "Fixture")}


def test_relationships_of_another_graph_are_not_counted(
    league: kgdb.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.driver.execute_query(
        "MATCH (p:Player {n: 1}) CREATE (p)-[:HELD_AT]->(:Guest {name: 'Nobody'})"
    )
    adopt(league, "league", ["Player", "Squad", "Fixture", "Ground"])
    monkeypatch.setattr(relation_ends, "_SMALL", 0)
    assert relations(league)["HELD_AT"].pairs == HELD_AT
    monkeypatch.setattr(relation_ends, "MOST_READ", 0)
    assert relations(league)["HELD_AT"].estimated == frozenset(HELD_AT)
    league.driver.execute_query("MATCH (n:Guest) DETACH DELETE n")


def test_counts_of_the_store_read_no_relationship(league: kgdb.Connection) -> None:
    with count_round_trips() as trips:
        counts = relation_ends.store_counts(league, "SCORED", ["Player", "Squad", "Fixture"])
    assert trips.count == 1
    assert (counts.total, counts.heads) == (1120, {"Player": 800, "Squad": 320})
    text = "PROFILE RETURN COUNT { (:Player)-[:SCORED]->() }, COUNT { ()-[:SCORED]->(:Fixture) }"
    profile = league.driver.execute_query(text).summary.profile  # type: ignore[arg-type]
    assert "RelationshipCountFromCountStore" in str(profile)
    assert "Expand" not in str(profile)
