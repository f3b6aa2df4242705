"""What kgdb reads in a model's query, and the query that also returns what it matched."""

from __future__ import annotations

import pytest

from kgdb.methods.text2cypher.cypher_tokens import clauses_of
from kgdb.methods.text2cypher.evidence_query import evidence_query
from kgdb.methods.text2cypher.inspection import (
    compared_texts,
    limits_of,
    negates,
    reads_graph,
)

pytestmark = pytest.mark.unit


def keywords(query: str) -> list[str]:
    return [clause.keyword for clause in clauses_of(query)]


def test_clauses_are_those_outside_of_brackets_texts_and_names() -> None:
    query = (
        "OPTIONAL MATCH (n:`RETURN x` {a: 'WITH (', b: \"LIMIT\"}) // UNION\n"
        "WHERE n.limit STARTS WITH 'a' AND EXISTS { MATCH (n)-->(m) WHERE m.x RETURN m } "
        "/* SKIP 1 */ WITH n, [x IN n.list WHERE x > 1] AS match ORDER BY n.order RETURN n LIMIT 1;"
    )
    assert keywords(query) == ["MATCH", "WHERE", "WITH", "ORDER", "RETURN", "LIMIT"]


def evidence(query: str) -> str:
    changed = evidence_query(query)
    assert changed is not None
    return changed.text


def test_facts_are_carried_to_the_end() -> None:
    assert evidence("MATCH (p)-[:ACTED_IN]->(m) RETURN m") == (
        "MATCH kgdb_p0 = (p)-[:ACTED_IN]->(m) RETURN m, "
        "[[nodes(kgdb_p0), relationships(kgdb_p0)]] AS kgdb_facts, [] AS kgdb_values"
    )


def test_facts_are_collected_where_rows_are_grouped() -> None:
    text = evidence("MATCH (p)-[:R]->(m) WITH p, count(m) AS n ORDER BY n LIMIT 1 RETURN p.name, n")
    assert "collect([nodes(kgdb_p0), relationships(kgdb_p0)])[..100] AS kgdb_f1 ORDER BY" in text
    assert "[kgdb_f1] AS kgdb_facts, [[p, 'name', p.name]] AS kgdb_values" in text


def test_distinct_rows_become_groups() -> None:
    text = evidence("MATCH (m:Movie) RETURN DISTINCT m.year")
    assert "DISTINCT" not in text
    assert "collect([m, 'year', m.year])[..100]" in text


def test_an_aggregate_without_rows_keeps_its_row() -> None:
    """A constant beside an aggregate would be a group."""
    assert "[collect(null)] AS kgdb_values" in evidence("MATCH (p)-->(m) RETURN count(m) AS n")


def test_properties_that_a_query_uses_are_returned() -> None:
    text = evidence(
        "MATCH (m:Movie {kind: 'x'}) WHERE m.`the year` > 1 AND any(x IN m.tags WHERE x.a = 1) "
        "RETURN m.title AS t ORDER BY m.rank"
    )
    for key in ("'kind', m.kind", "'the year', m.`the year`", "'rank', m.rank", "'title', m.title"):
        assert f"[m, {key}]" in text
    assert "x.a]" not in text


def test_columns_know_whose_property_they_show() -> None:
    changed = evidence_query("MATCH (p)-->(m) WITH p.name AS who, count(m) AS n RETURN n, who")
    assert changed is not None
    assert list(changed.owners) == [1]


@pytest.mark.parametrize("query", ["MATCH (n) RETURN *", "RETURN", "MATCH (n)", ""])
def test_a_query_of_another_form_is_left_alone(query: str) -> None:
    assert evidence_query(query) is None


@pytest.mark.parametrize(
    ("query", "limits"),
    [
        ("MATCH (n) RETURN n LIMIT 3", [(3, None, True)]),
        ("MATCH (n) RETURN n.a AS a ORDER BY a DESC LIMIT 1", [(1, "a", True)]),
        (
            "MATCH (n) WITH n ORDER BY n.a ASC, n.b SKIP 1 LIMIT 2 RETURN n",
            [(2, "n.a", False)],
        ),
        ("MATCH (n) WHERE EXISTS { MATCH (n)-->(m) RETURN m LIMIT 1 } RETURN n.limit", []),
        ("MATCH (n) RETURN n LIMIT 2 UNION MATCH (n) RETURN n LIMIT 2", [(2, None, False)] * 2),
    ],
)
def test_limits_are_found(query: str, limits: list[tuple[int, str | None, bool]]) -> None:
    assert [(each.number, each.order, each.is_last) for each in limits_of(query)] == limits


@pytest.mark.parametrize(
    ("query", "unlimited", "column"),
    [
        ("MATCH (n) RETURN n LIMIT 3 // three", "MATCH (n) RETURN n", None),
        (
            "MATCH (n) RETURN n ORDER BY n.a DESC LIMIT 1",
            "MATCH (n) RETURN n, n.a AS kgdb_order ORDER BY n.a DESC",
            "kgdb_order",
        ),
        (
            "MATCH (n)--(m) WITH n, count(m) AS k ORDER BY k DESC LIMIT 1 RETURN n.name",
            "MATCH (n)--(m) RETURN n, count(m) AS k ORDER BY k DESC",
            "k",
        ),
        ("MATCH (n) RETURN n LIMIT 2 UNION MATCH (m) RETURN m AS n", None, None),
    ],
)
def test_a_query_without_its_limit(query: str, unlimited: str | None, column: str | None) -> None:
    (limit,) = limits_of(query)
    assert (limit.unlimited, limit.order_column) == (unlimited, column)


@pytest.mark.parametrize(
    "query",
    [
        "RETURN 'Paris'",
        "RETURN 1956 AS year",
        "MATCH (n) RETURN 'Paris' LIMIT 1",
        "MATCH (n) RETURN {id: 'x', name: 'Fake', labels: []}",
        "MATCH (n) WITH 'Paris' AS x RETURN x",
        "MATCH (n) WITH 1956 AS x WITH x + 1 AS y RETURN y",
        "UNWIND ['Paris'] AS x MATCH (n) RETURN x",
        "MATCH (n) RETURN n, 'Paris'",
        "MATCH (n) RETURN date()",
    ],
)
def test_what_comes_from_the_model_is_no_answer(query: str) -> None:
    assert not reads_graph(query)


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) RETURN count(*)",
        "MATCH (n) RETURN n.name",
        "MATCH (n) RETURN *",
        "MATCH (n) RETURN CASE WHEN n.a > 1 THEN 'yes' ELSE 'no' END",
        "RETURN COUNT { (:Movie)-->() } AS n",
        "MATCH (n) WITH n, 1 AS one RETURN n.a + one",
    ],
)
def test_what_is_read_is_one(query: str) -> None:
    assert reads_graph(query)


def test_texts_that_values_must_equal() -> None:
    query = (
        "MATCH (n:A {name: 'Ada', x: 'it\\'s'}) WHERE n.b = \"B\" AND n.c IN ['C', 'D'] "
        "AND 'Neo' IN n.roles AND n.d CONTAINS 'E' RETURN split(n.e, ',')"
    )
    assert compared_texts(query) == ["Ada", "it's", "B", "C", "D", "Neo"]


def test_negation_is_seen() -> None:
    assert negates("MATCH (n) WHERE NOT (n)-->() RETURN n")
    assert negates("MATCH (n) WHERE n.a <> 1 RETURN n")
    assert not negates("MATCH (n)-->() WHERE n.a = 'NOT' RETURN n.not")
