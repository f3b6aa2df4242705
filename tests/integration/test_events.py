"""Relationships of one type between the same two nodes: each is an event of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import kgdb
from kgdb import loading
from kgdb.graph.forms.operators import (
    And,
    Condition,
    Count,
    Filter,
    FilterByCount,
    Find,
    FindAll,
    Form,
    GroupBy,
    Relate,
    SelectByCount,
    Verify,
)
from kgdb.loading import adopt

pytestmark = pytest.mark.integration

LABELS = "Striker|Tie|Club"
TIES = """
CREATE (lea:Striker {name: 'Lea Storm'}), (mo:Striker {name: 'Mo Reyes'}),
       (jo:Striker {name: 'Jo Bach'}), (club:Club {name: 'Harbour City'}),
       (a:Tie {name: 'Tie A', season: 2021}), (b:Tie {name: 'Tie B', season: 2022}),
       (c:Tie {name: 'Tie C', season: 2022}),
       (lea)-[:SCORED_IN {minute: 10}]->(a), (lea)-[:SCORED_IN {minute: 55}]->(a),
       (lea)-[:SCORED_IN {minute: 90}]->(a), (lea)-[:SCORED_IN {minute: 4}]->(b),
       (mo)-[:SCORED_IN {minute: 8}]->(a), (mo)-[:SCORED_IN {minute: 8}]->(b),
       (mo)-[:SCORED_IN {minute: 8}]->(c),
       (jo)-[:VISITED]->(club), (jo)-[:VISITED]->(club),
       (lea)-[:PLAYS_FOR]->(club), (mo)-[:PLAYS_FOR]->(club)
"""
LEA, MO, JO = Find("Lea Storm"), Find("Mo Reyes"), Find("Jo Bach")
CLUB = Find("Harbour City")
OF_CLUB = Relate(Relate(CLUB, "PLAYS_FOR", "in"), "SCORED_IN")


@pytest.fixture(scope="module")
def ties(connection: kgdb.Connection) -> Iterator[kgdb.KnowledgeGraph]:
    connection.driver.execute_query(f"MATCH (n:{LABELS}) DETACH DELETE n")
    connection.driver.execute_query(TIES)
    info = adopt(connection, "ties", LABELS.split("|")).graph
    yield connection.graph("ties")
    loading.unadopt(connection, info)
    connection.driver.execute_query(f"MATCH (n:{LABELS}) DETACH DELETE n")


@pytest.mark.parametrize(
    ("form", "number"),
    [
        (Count(Relate(LEA, "SCORED_IN")), 2),
        (Count(Relate(LEA, "SCORED_IN"), relationships=True), 4),
        (Count(Relate(MO, "SCORED_IN"), relationships=True), 3),
        (Count(Relate(JO, "SCORED_IN"), relationships=True), 0),
        (Count(Relate(Find("Tie A"), "SCORED_IN", "in"), relationships=True), 4),
        (Count(OF_CLUB, relationships=True), 7),
        (Count(Relate(FindAll("Striker"), "SCORED_IN"), relationships=True), 7),
        (Count(Filter(OF_CLUB, "season", "=", 2022), relationships=True), 3),
        (
            Count(
                Relate(LEA, "SCORED_IN", where=(Condition("minute", ">", 50),)), relationships=True
            ),
            2,
        ),
        (Count(And(Relate(LEA, "SCORED_IN"), Find("Tie A")), relationships=True), 3),
        (Count(And(And(OF_CLUB, FindAll("Tie")), Find("Tie B")), relationships=True), 2),
        (Verify(Count(Relate(LEA, "SCORED_IN"), relationships=True), "=", 4), True),
        (Verify(Count(Relate(LEA, "SCORED_IN")), "=", 4), False),
    ],
)
def test_relationships_are_counted_where_the_form_says_so(
    ties: kgdb.KnowledgeGraph, form: Form, number: Any
) -> None:
    assert ties.query(form).value == number


@pytest.mark.parametrize(
    ("form", "names"),
    [
        (SelectByCount(FindAll("Striker"), "SCORED_IN", "max"), ["Mo Reyes"]),
        (SelectByCount(FindAll("Striker"), "SCORED_IN", "max", relationships=True), ["Lea Storm"]),
        (FilterByCount(FindAll("Striker"), "SCORED_IN", ">", 2), ["Mo Reyes"]),
        (
            FilterByCount(FindAll("Striker"), "SCORED_IN", ">", 2, relationships=True),
            ["Lea Storm", "Mo Reyes"],
        ),
    ],
)
def test_relationships_rank_and_restrict(
    ties: kgdb.KnowledgeGraph, form: Form, names: list[str]
) -> None:
    assert sorted(each.entity.name for each in ties.query(form).entities) == names


def test_relationships_are_counted_for_each_group(ties: kgdb.KnowledgeGraph) -> None:
    groups = ties.query(GroupBy(FindAll("Tie"), "SCORED_IN", "in", relationships=True)).value
    assert isinstance(groups, tuple)
    assert [(each.entity.name, each.value) for each in groups] == [
        ("Lea Storm", 4), ("Mo Reyes", 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        (
            Count(Relate(LEA, "SCORED_IN"), relationships=True),
            [
                "Lea Storm SCORED_IN Tie A",
                "Lea Storm SCORED_IN Tie A minute 10",
                "Lea Storm SCORED_IN Tie A minute 55",
                "Lea Storm SCORED_IN Tie A minute 90",
                "Lea Storm SCORED_IN Tie A number of SCORED_IN 3",
                "Lea Storm SCORED_IN Tie B",
            ],
        ),
        (
            Count(Relate(JO, "VISITED"), relationships=True),
            ["Jo Bach VISITED Harbour City", "Jo Bach VISITED Harbour City number of VISITED 2"],
        ),
    ],
)
def test_the_evidence_shows_those_beside_each_other(
    ties: kgdb.KnowledgeGraph, form: Form, shown: list[str]
) -> None:
    found = []
    for path in ties.query(form).evidence:
        first, *others = (entity.name for entity in path.entities)
        steps = (f"{step.relation} {name}" for step, name in zip(path.steps, others, strict=True))
        found.append(" ".join((first, *steps)))
    # Facts beside each other have no order but that of the store.
    assert sorted(found) == sorted(shown)


def test_the_total_is_exact_where_few_are_shown(ties: kgdb.KnowledgeGraph) -> None:
    form = Count(Relate(LEA, "SCORED_IN"), relationships=True)
    cut = ties.query(form, limit=1)
    assert (cut.value, cut.total, cut.truncated) == (4, 4, True)
    assert (ties.query(form).truncated, ties.query(form).counts_relationships) == (False, True)
