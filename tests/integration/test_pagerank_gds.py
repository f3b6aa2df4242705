"""``kgdb.pagerank`` gives the numbers of Graph Data Science for the same graph and settings.

Random directed multigraphs with self-loops, parallel edges, dangling and lonely nodes, graphs like
MetaQA's (films that point at shared values), and the whole demo graph.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import kgdb

pytestmark = pytest.mark.integration

GRAPH = "ranks"
LABEL = "RankTest"
TOLERATED = 1e-9
SEEDS = range(4)
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"dampingFactor": 0.5},
    {"dampingFactor": 0.99, "maxIterations": 60, "tolerance": 1e-12},
    {"dampingFactor": 0.0},
    {"maxIterations": 1},
    {"maxIterations": 2},
    {"maxIterations": 3, "tolerance": 0.05},
    {"maxIterations": 1000, "tolerance": 1e-4},
    {"maxIterations": 1000, "tolerance": 0.2},
    {"maxIterations": 100, "tolerance": 0.0},
)
# What goes over an edge from s to t, and how GDS is told so.
ORIENTATIONS = {
    "out": "gds.graph.project($name, s, t)",
    "in": "gds.graph.project($name, t, s)",
    "both": "gds.graph.project($name, s, t, {}, {undirectedRelationshipTypes: ['*']})",
}

Pairs = list[list[str]]


def tangle(seed: int) -> tuple[list[str], Pairs]:
    """Any edge may be there, some of them several times."""
    chosen = random.Random(seed)
    ids = [f"n{i}" for i in range(chosen.randint(2, 30))]
    edges = chosen.randint(0, 4 * len(ids))
    return ids, [[chosen.choice(ids), chosen.choice(ids)] for _ in range(edges)]


def films(seed: int) -> tuple[list[str], Pairs]:
    """Films point at values, a few of which nearly all films share."""
    chosen = random.Random(seed)
    titles = [f"film {i}" for i in range(40)]
    values = [f"value {i}" for i in range(60)]
    pairs = [
        [title, values[int(len(values) * chosen.random() ** 3)]]
        for title in titles
        for _ in range(chosen.randint(1, 8))
    ]
    return titles + values, pairs


@pytest.fixture(scope="module")
def db(connection: kgdb.Connection) -> Iterator[kgdb.Connection]:
    execute = connection.driver.execute_query
    execute(f"CREATE (:KnowledgeGraph {{name: '{GRAPH}', label: '{LABEL}'}})")
    execute(f"CREATE CONSTRAINT kgdb_ranks FOR (n:{LABEL}) REQUIRE n.id IS UNIQUE")
    yield connection
    execute(f"MATCH (n:{LABEL}) DETACH DELETE n")
    execute(f"MATCH (g:KnowledgeGraph {{name: '{GRAPH}'}}) DELETE g")
    execute("DROP CONSTRAINT kgdb_ranks")


def write(db: kgdb.Connection, ids: list[str], pairs: Pairs) -> None:
    db.driver.execute_query(
        f"""
        OPTIONAL MATCH (old:{LABEL}) DETACH DELETE old
        WITH count(*) AS gone
        CALL () {{ UNWIND $ids AS id CREATE (:{LABEL} {{id: id}}) }}
        WITH gone UNWIND $pairs AS pair
        MATCH (s:{LABEL} {{id: pair[0]}}) MATCH (t:{LABEL} {{id: pair[1]}})
        CREATE (s)-[:points_at]->(t)
        """,
        ids=ids,
        pairs=pairs,
    )


@pytest.fixture
def projected(db: kgdb.Connection) -> Iterator[None]:
    yield
    drop(db)


def drop(db: kgdb.Connection) -> None:
    db.driver.execute_query("CALL gds.graph.drop($name, false) YIELD graphName", name=GRAPH)


def project(db: kgdb.Connection, label: str, direction: str) -> None:
    drop(db)
    # A node without edges is told as a source without target.
    db.driver.execute_query(
        f"""
        CALL () {{
          MATCH (s:{label})-->(t:{label}) RETURN s, t
          UNION ALL
          MATCH (s:{label}) RETURN s, null AS t
        }}
        RETURN {ORIENTATIONS[direction]}
        """
        if direction != "in"
        else f"""
        CALL () {{
          MATCH (s:{label})-->(t:{label}) RETURN s, t
          UNION ALL
          MATCH (t:{label}) RETURN null AS s, t
        }}
        RETURN {ORIENTATIONS[direction]}
        """,
        name=GRAPH,
    )


def by_gds(
    db: kgdb.Connection, label: str, sources: list[str], config: dict[str, Any]
) -> tuple[dict[str, float], int, bool]:
    query = f"""
        OPTIONAL MATCH (n:{label}) WHERE n.id IN $sources
        WITH collect(n) AS sources, $config AS config
        WITH CASE sources WHEN [] THEN config ELSE config {{.*, sourceNodes: sources}} END AS config
        """
    parameters = {"name": GRAPH, "sources": sources, "config": config}
    rows, _, _ = db.driver.execute_query(
        f"""
        {query} CALL gds.pageRank.stream($name, config) YIELD nodeId, score
        RETURN gds.util.asNode(nodeId).id AS id, score
        """,
        parameters,
    )
    stats, _, _ = db.driver.execute_query(
        f"""
        {query} CALL gds.pageRank.stats($name, config) YIELD ranIterations, didConverge
        RETURN ranIterations, didConverge
        """,
        parameters,
    )
    scores = {row["id"]: row["score"] for row in rows}
    return scores, stats[0]["ranIterations"], stats[0]["didConverge"]


def by_kgdb(
    db: kgdb.Connection,
    graph: str,
    ids: list[str],
    pairs: Pairs | None,
    sources: list[str],
    config: dict[str, Any],
) -> tuple[dict[str, float], int, bool]:
    personal = {"sourceNodes": sources} if sources else {}
    rows = db.call("kgdb.pagerank", ids, pairs, {"kg": graph, **personal, **config})
    told = {(row["iterations"], row["converged"]) for row in rows}
    assert len(told) == 1
    return {row["id"]: row["score"] for row in rows}, *told.pop()


def assert_same(
    ours: tuple[dict[str, float], int, bool], theirs: tuple[dict[str, float], int, bool]
) -> None:
    assert ours[0].keys() == theirs[0].keys()
    difference = max(abs(ours[0][id] - theirs[0][id]) for id in ours[0])
    assert difference < TOLERATED
    assert ours[1:] == theirs[1:]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("make", [tangle, films])
def test_a_random_graph(db: kgdb.Connection, projected: None, make: Any, seed: int) -> None:
    ids, pairs = make(seed)
    write(db, ids, pairs)
    sources = random.Random(seed).sample(ids, 2)
    for direction in ORIENTATIONS:
        project(db, LABEL, direction)
        for number, config in enumerate(SETTINGS):
            start = sources if number % 2 else []
            theirs = by_gds(db, LABEL, start, config)
            directed = {"direction": direction, **config}
            assert_same(by_kgdb(db, GRAPH, ids, pairs, start, directed), theirs)
            assert_same(by_kgdb(db, GRAPH, ids, None, start, directed), theirs)


@pytest.mark.parametrize("direction", ORIENTATIONS)
def test_the_demo_graph(
    demo: kgdb.KnowledgeGraph, db: kgdb.Connection, projected: None, direction: str
) -> None:
    rows, _, _ = db.driver.execute_query("MATCH (n:Demo) RETURN n.id AS id")
    ids = [row["id"] for row in rows]
    project(db, "Demo", direction)
    for start in ([], ["Ada Weir", "English"]):
        theirs = by_gds(db, "Demo", start, {})
        ours = by_kgdb(db, "demo", ids, None, start, {"direction": direction})
        assert_same(ours, theirs)
