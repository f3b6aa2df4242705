"""Results and connections of other libraries, against the real server."""

from __future__ import annotations

import doctest
import re
from pathlib import Path as FilePath
from typing import Any

import neo4j
import networkx as nx
import py2neo
import pytest

import kgdb
from kgdb.errors import DatabaseError, UsageError
from kgdb.interop import to_networkx, to_pandas, to_polars
from kgdb.values import Entity, Triple

pytestmark = pytest.mark.integration

PAGE = FilePath(__file__).parents[2] / "docs" / "how-to" / "interop.md"


def test_the_examples_of_the_page_run_and_give_what_it_says(demo: kgdb.KnowledgeGraph) -> None:
    blocks = re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest("".join(blocks), {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 15
    told: list[str] = []
    failed, _ = doctest.DocTestRunner().run(examples, out=told.append)
    assert not failed, "".join(told)


def test_what_is_retrieved_is_a_frame(demo: kgdb.KnowledgeGraph) -> None:
    found = demo.neighbors(["Ada Weir"], limit=3)
    frame = to_pandas(found)
    assert frame["id"].tolist() == [neighbor.entity.id for neighbor in found]
    assert frame.attrs["cut"] == ("limit",)
    nothing = to_polars(demo.neighbors(["Ada Weir"], direction="out"))
    assert nothing.filter(nothing["name"] == "x")["count"].to_list() == []


def test_what_is_retrieved_is_a_network_of_the_facts(demo: kgdb.KnowledgeGraph) -> None:
    found = demo.all_paths(["Ada Weir", "Tobias Fenwarren"], max_hops=2)
    network = to_networkx(found)
    assert nx.shortest_path_length(network.to_undirected(), "Ada Weir", "Tobias Fenwarren") == 2
    stated = {
        (triple.head.id, triple.relation, triple.tail.id)
        for one in found
        for triple in one.path.triples
    }
    assert {(h, r, t) for h, t, r in network.edges(keys=True)} == stated


# py2neo


@pytest.fixture
def counted(connection: kgdb.Connection, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that py2neo sends."""
    sent: list[str] = []
    graph = connection.py2neo()
    connector = type(graph.service.connector)
    run = connector.auto_run

    def auto_run(self: Any, cypher: str, *arguments: Any, **options: Any) -> Any:
        sent.append(cypher)
        return run(self, cypher, *arguments, **options)

    monkeypatch.setattr(connector, "auto_run", auto_run)
    return sent


def test_results_become_a_bound_subgraph_by_one_query(
    demo: kgdb.KnowledgeGraph, counted: list[str]
) -> None:
    found = demo.follow(["Ada Weir"], ["^starred_actors", "directed_by"], paths=10)
    subgraph = demo.to_py2neo(found)
    network = to_networkx(found)
    assert {node["id"] for node in subgraph.nodes} == set(network)
    assert {
        (r.start_node["id"], type(r).__name__, r.end_node["id"]) for r in subgraph.relationships
    } == {(h, r, t) for h, t, r in network.edges(keys=True)}
    assert all(node.labels >= {"Entity", "Demo"} for node in subgraph.nodes)
    assert len(counted) == 1
    assert demo.database.py2neo().exists(subgraph)


def test_single_values_become_their_counterparts(demo: kgdb.KnowledgeGraph) -> None:
    (found, *_) = demo.shortest_paths(["Ada Weir", "Tobias Fenwarren"])
    node = demo.to_py2neo(found.source)
    assert isinstance(node, py2neo.Node)
    assert node["name"] == "Ada Weir"
    triple = found.path.triples[0]
    relationship = demo.to_py2neo(triple)
    assert isinstance(relationship, py2neo.Relationship)
    assert relationship.start_node["id"] == triple.head.id
    assert type(relationship).__name__ == triple.relation
    path = demo.to_py2neo(found.path)
    assert isinstance(path, py2neo.Path)
    assert [n["id"] for n in path.nodes] == [entity.id for entity in found.path.entities]
    assert [type(r).__name__ for r in path.relationships] == [s.relation for s in found.path.steps]


def test_changes_to_what_py2neo_got_can_be_pushed(
    clean: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    node = demo.to_py2neo(Entity("Ada Weir", "Ada Weir"))
    node["note"] = "seen"
    clean.py2neo().push(node)
    try:
        assert clean.py2neo().nodes.match("Demo", note="seen").first()["id"] == "Ada Weir"
    finally:
        node["note"] = None
        clean.py2neo().push(node)


@pytest.mark.parametrize(
    "gone",
    [
        Entity("Nobody", "Nobody"),
        Triple(Entity("Ada Weir", ""), "directed_by", Entity("French", "")),
        Triple(Entity("Ada Weir", ""), "no_such_relation", Entity("French", "")),
    ],
)
def test_what_is_not_in_the_graph_is_refused(demo: kgdb.KnowledgeGraph, gone: Any) -> None:
    with pytest.raises(DatabaseError, match="'demo' no longer has, or never had"):
        demo.to_py2neo(gone)


# Connections that are open already


def test_a_graph_of_py2neo_is_accepted_where_an_address_is(connection: kgdb.Connection) -> None:
    given = connection.py2neo()
    with kgdb.connect(given) as db:
        assert db.graph("demo").info == connection.graph("demo").info
        assert db.py2neo() is given
        assert db.gds().database() == "neo4j"
    with pytest.raises(kgdb.KgdbError, match="refused the credentials"):
        kgdb.connect(given, password="wrong")


def test_a_gds_object_is_accepted_where_an_address_is(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    given = connection.gds()
    with kgdb.connect(given) as db:
        assert db.gds() is given
        assert db.uri == connection.uri
        assert db.graph("demo").neighbors(["Ada Weir"]) == demo.neighbors(["Ada Weir"])
        with pytest.raises(UsageError, match="does not tell the password"):
            db.py2neo()
    # It was lent: closing the connection did not close it.
    assert str(given.server_version()).startswith("2.13")
    assert connection.graphs()


def test_a_driver_is_accepted_and_left_open(settings: Any) -> None:
    auth = (settings.username, settings.password)
    with neo4j.GraphDatabase.driver(settings.uri, auth=auth) as driver:
        with kgdb.connect(driver, database="neo4j") as db:
            assert db.plugin_version() == kgdb.__version__
        driver.verify_connectivity()


def test_a_driver_that_was_given_logs_nothing_of_kgdbs_statements(
    settings: Any, demo: kgdb.KnowledgeGraph, caplog: pytest.LogCaptureFixture
) -> None:
    """Neo4j warns of properties that nothing has, such as those of embeddings."""
    auth = (settings.username, settings.password or "")
    with (
        neo4j.GraphDatabase.driver(settings.uri or "", auth=auth) as driver,
        caplog.at_level("DEBUG", logger="neo4j.notifications"),
    ):
        driver.execute_query("MATCH (n:Demo) RETURN n.nothing_has_this LIMIT 1")
        assert caplog.records  # as the driver is set up, it does log them
        caplog.clear()
        for plugin in ("required", "never"):
            db = kgdb.connect(driver, plugin=plugin)
            kg = db.graph("demo")
            assert kg.answer("Who directed The Keeper of Skerry Light?", llm="none").entities
            assert kg.link(["Ada Weir"])
            assert list(kg.facts())
            kg.neighbors(["Ada Weir"], timeout_ms=20_000)
            with kg.project() as projected:
                assert projected.nodes
        assert caplog.messages == []


def test_a_driver_that_leads_nowhere_is_an_error() -> None:
    with (
        neo4j.GraphDatabase.driver("bolt://127.0.0.1:1") as driver,
        pytest.raises(kgdb.KgdbError, match="No Neo4j server answers at the address of the given"),
    ):
        kgdb.connect(driver)
