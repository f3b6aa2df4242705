"""The typed mirror of the procedures, against the real server and the demo graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from reference import CASES, Case
from sources import Fact, load_facts

import kgdb
from kgdb.errors import ConnectionFailed, DatabaseError, GraphNotFound
from kgdb.graph import count_round_trips
from kgdb.graph.retrieval.retrieval_options import declared
from kgdb.values import Entity, Step

pytestmark = pytest.mark.integration


def test_plugin_has_the_version_of_the_package(connection: kgdb.Connection) -> None:
    assert connection.plugin_version() == kgdb.__version__


def test_neighbors_are_the_facts_of_the_source(demo: kgdb.KnowledgeGraph, facts: set[Fact]) -> None:
    found = {(n.step, n.entity.id) for n in demo.neighbors(["Ada Weir"])}
    expected = {(Step(r), t) for h, r, t in facts if h == "Ada Weir"}
    expected |= {(Step(r, reverse=True), h) for h, r, t in facts if t == "Ada Weir"}
    assert found == expected
    assert len(found) > 5


def test_neighbors_tell_what_a_limit_cut(demo: kgdb.KnowledgeGraph) -> None:
    cut = demo.neighbors(["Ada Weir"], limit=3)
    assert len(cut) == 3
    assert cut.cut == ("limit",)
    assert not demo.neighbors(["Ada Weir"]).truncated


def test_neighbors_by_relation_and_direction(demo: kgdb.KnowledgeGraph) -> None:
    assert {n.step for n in demo.neighbors(["Ada Weir"], relations=["^directed_by"])} == {
        Step("directed_by", reverse=True)
    }
    assert demo.neighbors(["Ada Weir"], direction="out") == ()


def test_relations_around_count_facts(demo: kgdb.KnowledgeGraph, facts: set[Fact]) -> None:
    around = {a.step: a.count for a in demo.relations_around(["Ada Weir"])}
    expected = Counter(Step(r, reverse=True) for _, r, t in facts if t == "Ada Weir")
    assert around == dict(expected)


def test_follow_gives_ends_and_their_paths(demo: kgdb.KnowledgeGraph, facts: set[Fact]) -> None:
    films = {h for h, r, t in facts if (r, t) == ("starred_actors", "Ada Weir")}
    directors = Counter(t for h, r, t in facts if h in films and r == "directed_by")
    ends = demo.follow(["Ada Weir"], ["^starred_actors", "directed_by"], paths=10)
    assert {end.entity.id: end.count for end in ends} == dict(directors)
    stated = {(Entity(h, h), r, Entity(t, t)) for h, r, t in facts}
    for end in ends:
        assert len(end.paths) == end.count
        for path in end.paths:
            assert path.entities[-1] == end.entity
            assert {(t.head, t.relation, t.tail) for t in path.triples} <= stated


def test_menus_are_those_of_each_chain(demo: kgdb.KnowledgeGraph) -> None:
    chains = [(), (Step("starred_actors", reverse=True),), (Step("release_year"),)]
    with count_round_trips() as trips:
        candidate_relations = demo.candidate_relations(["Ada Weir"], chains)
    assert trips.count == 1
    assert candidate_relations[0] == demo.relations_around(["Ada Weir"])
    assert Step("directed_by") in {around.step for around in candidate_relations[1]}
    assert candidate_relations[2] == ()


@pytest.mark.parametrize("query", ['"ada weir"', '"ADA WEIR"'])
def test_fulltext_ignores_case(demo: kgdb.KnowledgeGraph, query: str) -> None:
    assert demo.fulltext([query])[0][0].entity == Entity("Ada Weir", "Ada Weir")


def test_fulltext_ignores_diacritics(demo: kgdb.KnowledgeGraph) -> None:
    assert demo.fulltext(['"solene kermadoc"'])[0][0].entity.name == "Solène Kermadoc"


def test_unknown_relation_is_refused_with_the_nearest(demo: kgdb.KnowledgeGraph) -> None:
    with pytest.raises(DatabaseError, match="directed_by"):
        demo.follow(["Ada Weir"], ["directedby"])


def naming(case: Case, relation: str) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Arguments and options of a search, for each place where it may name a relation."""
    if case.arguments(relation):
        yield case.arguments(relation), {}
    for option in {"relations", "exclude"} & set(declared(case.search.options)):
        yield case.arguments("directed_by"), {option: [relation]}


@pytest.mark.parametrize("plugin", ["required", "never"])
def test_a_relation_is_unknown_whatever_other_graphs_have(
    clean: kgdb.Connection, demo: kgdb.KnowledgeGraph, tmp_path: Path, plugin: str
) -> None:
    nodes, name = ["Ada Weir"], "directed_bys"
    with kgdb.connect(plugin=plugin) as db:
        kg = db.graph("demo")
        calls = [
            *(
                partial(getattr(kg, method), nodes, *given, **options)
                for method, case in CASES.items()
                for given, options in naming(case, name)
            ),
            partial(kg.candidate_relations, nodes, [(Step(name),)]),
        ]

        def refusals() -> list[str]:
            messages = []
            for call in calls:
                with pytest.raises(DatabaseError) as refused:
                    call()
                messages.append(refused.value.message.partition(": ")[2] or refused.value.message)
            return messages

        before = refusals()
        for message in before:
            assert f"no relation '{name}' in graph 'demo' (did you mean 'directed_by'" in message
        load_facts(clean, tmp_path, "others", [("a", name, "b")])
        assert refusals() == before


def test_unknown_entity_is_named(demo: kgdb.KnowledgeGraph) -> None:
    with pytest.raises(DatabaseError, match="Nobody At All"):
        demo.neighbors(["Nobody At All"])


def test_unknown_graph_is_refused_with_the_loaded_ones(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    with pytest.raises(GraphNotFound, match="Did you mean demo"):
        connection.graph("dmeo")


def test_any_procedure_can_be_called(connection: kgdb.Connection) -> None:
    assert connection.call("gds.version")[0]["gdsVersion"].startswith("2.13")
    with pytest.raises(DatabaseError, match=r"nosuch\.procedure"):
        connection.call("nosuch.procedure")


def test_wrong_password_says_so(connection: kgdb.Connection) -> None:
    with pytest.raises(ConnectionFailed, match="refused the credentials"):
        kgdb.connect(connection.uri, username="neo4j", password="wrong")


def test_graph_data_science_client_shares_the_connection(connection: kgdb.Connection) -> None:
    assert str(connection.gds().server_version()).startswith("2.13")


def test_py2neo_reads_the_same_database(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    graph = connection.py2neo()
    assert graph.nodes.match("Demo", id="Ada Weir").first()["name"] == "Ada Weir"


@pytest.fixture
def strange(clean: kgdb.Connection, tmp_path: Path) -> kgdb.KnowledgeGraph:
    """A graph whose names and relations are made to be misread."""
    facts = [
        ("C:\\>", "a `quoted` relation", "AND"),
        ('He said "no"', "people.person.place_of_birth", "`); MATCH (n) DETACH DELETE n //"),
        ("C:\\>", "关系", "雨巷里的修钟人"),
    ]
    return load_facts(clean, tmp_path, "strange", facts)


def test_names_that_look_like_code_are_names(strange: kgdb.KnowledgeGraph) -> None:
    ends = strange.follow(["C:\\>"], ["a `quoted` relation"])
    assert [end.entity.name for end in ends] == ["AND"]
    assert strange.follow(["C:\\>"], ["关系"])[0].entity.name == "雨巷里的修钟人"
    ends = strange.follow(['He said "no"'], ["people.person.place_of_birth"])
    assert ends[0].entity.name == "`); MATCH (n) DETACH DELETE n //"


def test_a_query_sees_its_graph_only(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    everything = "MATCH (n) RETURN count(n)"
    with connection.driver.session() as session:
        own = session.run("MATCH (n:Demo) RETURN count(n) AS n").single(strict=True)["n"]
    assert demo.read_cypher(everything).rows == ((own,),)
    assert demo.read_cypher(everything, whole_store=True).rows[0][0] > own
    error = demo.read_cypher("MATCH (n:KnowledgeGraph) RETURN n").error
    assert error is not None
    assert error.code == "UNKNOWN_LABEL"
