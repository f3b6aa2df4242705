"""Graph Data Science in reach: projections and cheapest paths."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import networkx as nx
import pytest

import kgdb
from kgdb import loading
from kgdb.errors import UsageError
from kgdb.graph.retrieval.results import WeightedPath
from kgdb.values import Entity, Step

pytestmark = pytest.mark.integration

Fact = tuple[str, str, str]

LOADER = '''
name = "random"
label = "Random"
[source]
delimiter = "\\t"
columns = ["head", "relation", "tail"]
[tables]
triples = "SELECT * FROM source"
entities = """
    SELECT head AS id, 'n' || head AS name FROM source
    UNION SELECT tail, 'n' || tail FROM source"""
'''

RELATIONS = ("r", "people.person.place", "a `quoted` one", "关系")
COMPONENTS = 25
NODES = 8


def random_facts() -> list[Fact]:
    """Many small multigraphs side by side, with parallel edges and loops; ids are ``g.n``."""
    chosen = random.Random(20)
    facts = {
        (
            f"{g}.{chosen.randrange(NODES)}",
            chosen.choice(RELATIONS),
            f"{g}.{chosen.randrange(NODES)}",
        )
        for g in range(COMPONENTS)
        for _ in range(chosen.randrange(8, 26))
    }
    return sorted(facts)


@pytest.fixture(scope="module")
def facts() -> list[Fact]:
    return random_facts()


@pytest.fixture(scope="module")
def graph(
    connection: kgdb.Connection, facts: list[Fact], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[kgdb.KnowledgeGraph]:
    folder = tmp_path_factory.mktemp("random")
    (folder / "random.toml").write_text(LOADER, encoding="utf-8")
    source = folder / "random.tsv"
    source.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    with loading.prepare(loading.read_spec(str(folder / "random.toml")), source) as prepared:
        loading.load(prepared, connection)
    yield connection.graph("random")
    loading.unload(connection, connection.graph("random").info)


def catalog(db: kgdb.Connection) -> set[str]:
    return {row["graphName"] for row in db.call("gds.graph.list")}


# Projections


def test_a_projection_is_there_inside_the_block_only(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    before = catalog(connection)
    with demo.project() as projection:
        assert catalog(connection) == before | {projection.name}
        assert (projection.nodes, projection.relationships) == (457, 1900)
        rows = connection.call("gds.wcc.stream", projection.name)
        assert len(rows) == 457
    assert catalog(connection) == before


def test_a_projection_is_dropped_when_the_block_fails(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    before = catalog(connection)
    with pytest.raises(ZeroDivisionError), demo.project():
        _ = 1 // 0
    assert catalog(connection) == before


def test_a_projection_that_its_user_dropped_is_no_error(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    before = catalog(connection)
    with demo.project() as projection:
        connection.call("gds.graph.drop", projection.name)
    assert catalog(connection) == before


def test_a_taken_name_is_refused_and_what_has_it_stays(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    with demo.project("taken") as projection:
        with pytest.raises(UsageError, match="a projection 'taken' already"), demo.project("taken"):
            pass
        assert projection.name in catalog(connection)


def relationships(
    db: kgdb.Connection, projection: str, weight: str | None = None
) -> list[tuple[str, str, float]]:
    """What a projection holds, as GDS tells it; ids are those of the entities."""
    text = (
        "CALL gds.graph.relationshipProperty.stream($name, $weight) "
        "YIELD sourceNodeId, targetNodeId, propertyValue AS weight "
        if weight
        else "CALL gds.graph.relationships.stream($name) "
        "YIELD sourceNodeId, targetNodeId WITH *, 1.0 AS weight "
    )
    records, _, _ = db.driver.execute_query(
        text + "RETURN gds.util.asNode(sourceNodeId).id, gds.util.asNode(targetNodeId).id, weight",
        {"name": projection, "weight": weight},
    )
    return sorted((record[0], record[1], record[2]) for record in records)


@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("chosen", [None, RELATIONS[1:3]])
@pytest.mark.parametrize("weights", [None, {"关系": 2.5, "r": -1.0}])
def test_a_projection_holds_the_facts_that_were_asked_for(
    connection: kgdb.Connection,
    graph: kgdb.KnowledgeGraph,
    facts: list[Fact],
    undirected: bool,
    chosen: Sequence[str] | None,
    weights: dict[str, float] | None,
) -> None:
    expected = []
    for head, relation, tail in facts:
        if chosen is None or relation in chosen:
            weight = 1.0 if weights is None else weights.get(relation, 0.5)
            expected.append((head, tail, weight))
            if undirected:
                expected.append((tail, head, weight))
    options = {} if weights is None else {"weights": weights, "default_weight": 0.5}
    with graph.project(relations=chosen, undirected=undirected, **options) as projection:
        found = relationships(connection, projection.name, projection.weight)
        assert projection.nodes == graph.info.entities
        assert projection.relationships == len(expected)
    assert found == sorted(expected)


def test_a_projection_becomes_an_object_of_the_client(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    with demo.project(undirected=True) as projection:
        graph = projection.graph()
        assert graph.node_count() == 457
        assert graph.relationship_count() == 3800
        ranks = connection.gds().page_rank.stream(graph)
        assert len(ranks) == 457


def test_a_graph_too_large_for_the_memory_is_refused_before_it_is_read(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    huge = kgdb.KnowledgeGraph(connection, replace(demo.info, entities=10**9, triples=10**10))
    before = catalog(connection)
    with pytest.raises(UsageError, match=r"'demo' takes .*GiB.* of memory, more than 80%"):
        huge.project().__enter__()
    assert catalog(connection) == before


# Cheapest paths


COSTS = (
    {},
    {"r": 0.3, "people.person.place": 2, "关系": 0.1},
    {"r": 0.0, "^r": 5.5, "a `quoted` one": 0.0},
)


def arcs(facts: Sequence[Fact], costs: dict[str, float], direction: str) -> nx.DiGraph:
    """What may be walked, each arc at the least cost of its relationships."""
    network = nx.DiGraph()
    for head, relation, tail in facts:
        along = costs.get(relation, 1.0)
        against = costs.get(f"^{relation}", along)
        walked = {"out": [(head, tail, along)], "in": [(tail, head, against)]}
        for one in ("out", "in"):
            if direction in (one, "both"):
                for source, target, cost in walked[one]:
                    known = network.get_edge_data(source, target, {"weight": math.inf})
                    network.add_edge(source, target, weight=min(cost, known["weight"]))
    return network


def check_steps(
    found: WeightedPath, stated: set[Fact], costs: dict[str, float], network: nx.DiGraph
) -> None:
    """Each step is a fact, and costs what the cheapest relation between the two costs."""
    for triple, step, cost in zip(found.path.triples, found.path.steps, found.costs, strict=True):
        assert (triple.head.id, triple.relation, triple.tail.id) in stated
        own = costs.get(step.relation, 1.0)
        assert cost == (costs.get(f"^{step.relation}", own) if step.reverse else own)
    ids = [entity.id for entity in found.path.entities]
    assert found.cost == pytest.approx(nx.path_weight(network, ids, "weight"))
    assert [entity.name for entity in found.path.entities] == [f"n{id_}" for id_ in ids]


@pytest.mark.parametrize("direction", ["both", "out", "in"])
@pytest.mark.parametrize("costs", COSTS)
def test_cheapest_paths_are_those_of_networkx(
    graph: kgdb.KnowledgeGraph, facts: list[Fact], costs: dict[str, float], direction: str
) -> None:
    network = arcs(facts, costs, direction)
    stated = set(facts)
    chosen = random.Random(7)
    compared = 0
    with graph.cheapest(costs, direction=direction) as paths:
        for g in range(COMPONENTS):
            source, target = (f"{g}.{n}" for n in chosen.sample(range(NODES), 2))
            if source not in network or target not in network:
                continue
            k = chosen.choice([1, 3, 6])
            expected: list[list[str]] = []
            if nx.has_path(network, source, target):
                every = nx.shortest_simple_paths(network, source, target, "weight")
                expected = list(islice(every, 40))
            weights = [nx.path_weight(network, path, "weight") for path in expected]
            found = paths.between(source, target, k)
            assert [f.cost for f in found] == pytest.approx(weights[:k])
            assert ("limit" in found.cut) == (len(expected) > k)
            for one in found:
                check_steps(one, stated, costs, network)
            ids = [[entity.id for entity in one.path.entities] for one in found]
            if "ties" not in found.cut and len(expected) < 40:
                ranked = sorted(
                    (round(w, 9), path) for w, path in zip(weights, expected, strict=True)
                )
                assert ids == [path for _, path in ranked[:k]]
                compared += len(found)
    assert compared >= 10


def test_of_relations_that_cost_the_same_the_first_by_name_is_told(
    graph: kgdb.KnowledgeGraph, facts: list[Fact]
) -> None:
    between: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in facts:
        if head != tail:
            between.setdefault((head, tail), set()).add(relation)
            between.setdefault((tail, head), set()).add(f"^{relation}")
    (source, target), relations = max(between.items(), key=lambda item: (len(item[1]), item))
    assert len(relations) > 2
    (found,) = graph.shortest_weighted(source, target)
    assert [str(step) for step in found.path.steps] == [
        min(relations, key=lambda spec: (spec.removeprefix("^"), spec.startswith("^")))
    ]


def test_relations_can_be_chosen_and_excluded(
    graph: kgdb.KnowledgeGraph, facts: list[Fact]
) -> None:
    head, relation, tail = next(fact for fact in facts if fact[0] != fact[2])
    (along,) = graph.shortest_weighted(head, tail, relations=[relation])
    assert along.path.steps == (Step(relation),)
    (against,) = graph.shortest_weighted(tail, head, relations=[f"^{relation}"])
    assert against.path.steps == (Step(relation, reverse=True),)
    assert graph.shortest_weighted(head, tail, exclude=RELATIONS) == ()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"source": "nobody"}, "'random' has no entity 'nobody'"),
        ({"source": "0.0", "target": "0.0"}, "both '0.0'"),
        ({"k": 0}, "k is 0; expected a whole number from 1"),
        ({"weights": {"people.person.plaec": 1}}, "Did you mean 'people.person.place'"),
        ({"weights": {"r": -0.5}}, "the cost of 'r' is -0.5; expected 0 or more"),
        ({"default_cost": math.inf}, "default_cost is inf; expected a finite number"),
        ({"relations": ["nothing"]}, "relations holds 'nothing', which is no relation"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    graph: kgdb.KnowledgeGraph, arguments: dict[str, object], said: str
) -> None:
    before = catalog(graph.database)
    with pytest.raises(UsageError, match=said):
        graph.shortest_weighted(**{"source": "0.0", "target": "0.1", **arguments})
    assert catalog(graph.database) == before


@pytest.mark.parametrize("undirected", [False, True])
def test_the_numbers_of_nodes_are_told_as_entities(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph, undirected: bool
) -> None:
    with demo.project(undirected=undirected) as projected:
        rows = connection.call("gds.degree.stream", projected.name)
        found = projected.entities(row["nodeId"] for row in rows)
        records, _, _ = connection.driver.execute_query("MATCH (n:Demo) RETURN n.id AS id")
        assert sorted(entity.id for entity in found) == sorted(record["id"] for record in records)
        assert found == [Entity(entity.id, entity.name) for entity in found]
        assert projected.entities([]) == []
        last, first = rows[-1]["nodeId"], rows[0]["nodeId"]
        assert projected.entities([last, first, last]) == [found[-1], found[0], found[-1]]
        with pytest.raises(UsageError, match="holds 'Ada Weir'; expected the whole numbers"):
            projected.entities(["Ada Weir"])  # type: ignore[list-item]
        with pytest.raises(UsageError, match="holds 99999999, and no node"):
            projected.entities([99999999])
