"""A graph that somebody else made, used where it lies and left as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import kgdb
from kgdb import loading
from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.loading import adopt
from kgdb.settings import Settings

pytestmark = pytest.mark.integration

MOVIES = """
CREATE (harbour:Movie:Film:Entity {key: 1, name: 'The Quiet Harbour', original: 'Stille Havn'}),
       (glass:Movie:Film {key: 2, name: 'Glass Orchard', released: 2004}),
       (ferry:Movie:Film {key: 3, name: '第九个渡口', released: 2011}),
       (nameless:Movie:Film {key: 4, released: 2015}),
       (ines:Person:Film {key: 10, name: 'Ines Valdaro', born: 1961}),
       (otto:Person:Film {key: 11, name: 'Otto Brandvik', born: 1970}),
       (mei:Person:Film {key: 12, name: 'Mei Castellan', born: 1980}),
       (city:City {name: 'Norbury'}),
       (ines)-[:DIRECTED]->(harbour), (ines)-[:DIRECTED]->(glass), (mei)-[:DIRECTED]->(ferry),
       (otto)-[:ACTED_IN {role: 'the pilot'}]->(harbour),
       (otto)-[:ACTED_IN {role: 'the twin'}]->(harbour),
       (otto)-[:ACTED_IN]->(ferry), (mei)-[:ACTED_IN]->(glass),
       (ines)-[:`ADMIRES (secretly)`]->(ines), (nameless)-[:SEQUEL_OF]->(glass),
       (otto)-[:LIVES_IN]->(city), (city)-[:HOME_OF]->(mei)
"""


class NoEncoder:
    """An encoder that must not be asked."""

    name = "none"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(texts)


@pytest.fixture
def movies(clean: kgdb.Connection) -> Iterator[kgdb.Connection]:
    """Films and people by plain Cypher, with numbers as ids."""
    clean.driver.execute_query("MATCH (n:Film|City) DETACH DELETE n")
    clean.driver.execute_query(MOVIES)
    yield clean
    for info in clean.graphs():
        if info.adopted:
            loading.unload(clean, info)
    clean.driver.execute_query("MATCH (n:Film|City) DETACH DELETE n")


def everything(db: kgdb.Connection) -> tuple[list[Any], list[Any]]:
    """All nodes and relationships of the user's, as they are."""
    nodes, _, _ = db.driver.execute_query(
        "MATCH (n:Film|City) RETURN elementId(n) AS e, labels(n) AS l, properties(n) AS p "
        "ORDER BY e"
    )
    edges, _, _ = db.driver.execute_query(
        "MATCH (n:Film|City)-[r]->(m) RETURN elementId(r) AS e, type(r) AS t, properties(r) AS p, "
        "elementId(n) AS a, elementId(m) AS b ORDER BY e"
    )
    return [row.data() for row in nodes], [row.data() for row in edges]


def schema(db: kgdb.Connection) -> set[str]:
    records, _, _ = db.driver.execute_query("SHOW INDEXES YIELD name RETURN name")
    return {record["name"] for record in records} - {"kgdb_graph", "kgdb_relation"}


def bookkeeping(db: kgdb.Connection, name: str) -> int:
    records, _, _ = db.driver.execute_query(
        "MATCH (n:KnowledgeGraph|Relation) WHERE n.name = $name OR n.kg = $name "
        "RETURN count(n) AS nodes",
        name=name,
    )
    return int(records[0]["nodes"])


def test_adopting_writes_bookkeeping_and_unloading_leaves_the_nodes(
    movies: kgdb.Connection,
) -> None:
    before, indexes = everything(movies), schema(movies)
    adopted = adopt(movies, "films", "Film", id_property="key")
    info = adopted.graph
    assert (info.entities, info.triples, info.relations) == (7, 9, 4)
    assert (info.adopted, info.state, info.pagerank) == (True, "ready", False)
    assert (adopted.labels, adopted.nameless, adopted.outside) == ({"Film": 7}, {"Film": 1}, 2)
    relations = movies.graph("films").relations
    assert {each.id: (each.count, each.fan_out, each.fan_in) for each in relations.values()} == {
        "DIRECTED": (3, 1.5, 1),
        "ACTED_IN": (4, 2, 1.333),
        "ADMIRES (secretly)": (1, 1, 1),
        "SEQUEL_OF": (1, 1, 1),
    }
    assert schema(movies) - indexes == {"kgdb_Film_id", "kgdb_Film_name", "kgdb_Film_names"}
    assert everything(movies) == before
    loading.unload(movies, info)
    # One of the nodes has the label :Entity too, which kgdb gives its own nodes.
    assert everything(movies) == before
    assert schema(movies) == indexes
    assert bookkeeping(movies, "films") == 0


def test_relations_at_mediators_are_told(movies: kgdb.Connection) -> None:
    movies.driver.execute_query("MATCH (n:Film)-[:SEQUEL_OF]->() SET n:Mediator")
    adopt(movies, "films", "Film", id_property="key")
    relations = movies.graph("films").relations
    assert [each.id for each in relations.values() if each.mediator_heads] == ["SEQUEL_OF"]
    assert not any(each.mediator_tails for each in relations.values())


def test_embeddings_are_not_written_on_nodes_that_are_not_ours(movies: kgdb.Connection) -> None:
    info = adopt(movies, "films", "Film", id_property="key").graph
    before = everything(movies)
    with pytest.raises(UsageError, match="'films' is adopted"):
        loading.embed_names(movies, info, NoEncoder())
    assert everything(movies) == before


@pytest.mark.parametrize("plugin", ["required", "never"])
def test_retrieval_works_on_an_adopted_graph(
    movies: kgdb.Connection, settings: Settings, plugin: str
) -> None:
    movies.adopt("films", "Film", id_property="key", alias_properties=["original"])
    with kgdb.connect(plugin=plugin) as db:
        kg = db.graph("films")
        around = {(str(row.step), row.entity.id, row.entity.name) for row in kg.neighbors(["11"])}
        assert around == {("ACTED_IN", "1", "The Quiet Harbour"), ("ACTED_IN", "3", "第九个渡口")}
        (nameless,) = [row for row in kg.neighbors(["2"]) if str(row.step) == "^SEQUEL_OF"]
        assert (nameless.entity.id, nameless.entity.name) == ("4", "4")
        linked = kg.link(["ines valdaro", "第九个渡口", "Stille havn"])
        assert [found[0].entity.id for found in linked] == ["10", "3", "1"]
        (shortest,) = kg.shortest_paths(["10", "12"], max_hops=3)
        assert [str(step) for step in shortest.path.steps] == ["DIRECTED", "^ACTED_IN"]
        assert shortest.path in [found.path for found in kg.all_paths(["10", "12"], max_hops=2)]
        followed = kg.follow(["11"], ["ACTED_IN", "^DIRECTED"])
        assert {row.entity.name for row in followed} == {"Ines Valdaro", "Mei Castellan"}
        menu = {str(row.step): row.count for row in kg.relations_around(["10"])}
        assert menu["DIRECTED"] == 2
        beam = kg.beam(["11"], [{"ACTED_IN": 0.9}, {"^DIRECTED": 0.8}])
        assert {found.path.entities[-1].id for found in beam} == {"10", "12"}
        ranked = kg.pagerank(["1", "2", "10", "11", "12"])
        assert len(ranked) == 5
        assert kg.fulltext(["Glass"])[0][0].entity.id == "2"


def test_a_question_is_answered_from_an_adopted_graph(
    movies: kgdb.Connection, settings: Settings
) -> None:
    adopt(movies, "films", "Film", id_property="key")
    answer = movies.graph("films").answer("Who directed Glass Orchard?", llm="none")
    assert [found.entity.name for found in answer.entities] == ["Ines Valdaro"]


@pytest.mark.parametrize("plugin", ["required", "never"])
def test_a_node_without_an_id_is_left_out_and_ends_no_question(
    movies: kgdb.Connection, settings: Settings, plugin: str
) -> None:
    adopt(movies, "films", "Film", id_property="key")
    movies.driver.execute_query(
        "MATCH (glass:Film {key: 2}), (ines:Film {key: 10}) "
        "CREATE (new:Film {name: 'New Reel'}), (other:Film), (ines)-[:DIRECTED]->(new), "
        "(new)-[:SEQUEL_OF]->(glass), (ines)-[:DIRECTED]->(other), (new)-[:SEQUEL_OF]->(other)"
    )
    with kgdb.connect(plugin=plugin) as db:
        kg = db.graph("films")
        around = kg.neighbors(["10"])
        assert {row.entity.id for row in around} == {"1", "2", "10"}
        assert len(around.without_id) == 2
        ends = kg.follow(["10"], ["DIRECTED", "SEQUEL_OF"])
        assert ([row.entity.id for row in ends], len(ends.without_id)) == ([], 2)
        # Another way leads to the same end.
        movies.driver.execute_query(
            "MATCH (n:Film {key: 4}), (ines:Film {key: 10}) CREATE (ines)-[:DIRECTED]->(n)"
        )
        (end,) = kg.follow(["10"], ["DIRECTED", "SEQUEL_OF"])
        assert [entity.id for path in end.paths for entity in path.entities] == ["10", "4", "2"]
        assert [found.path.entities[-1].id for found in kg.all_paths(["10", "2"], max_hops=1)] == [
            "2"
        ]
        for found in (
            kg.all_paths(["10", "2"]),
            kg.beam(["10"], [{"DIRECTED": 1.0}, {"SEQUEL_OF": 1.0}]),
            kg.shortest_paths(["11", "2"], max_hops=4),
        ):
            ids = {entity.id for row in found for entity in row.path.entities}
            assert not [id_ for id_ in ids if ":" in id_]
        assert kg.link(["New Reel"])[0] == ()
        assert len(kg.link(["New Reel"])[0].without_id) == 1
        assert kg.fulltext(["Reel"]) == [[]]
        assert {triple.head.id for triple in kg.facts()} == {"4", "10", "11", "12"}
        for method in ("refkg", "rok", "gotr", "tog", "mindmap", "kggpt", "neighbors", "embedding"):
            answer = kg.answer("Which films did Ines Valdaro direct?", method=method, llm="none")
            assert answer.entities or answer.reason, method
            told = " ".join(answer.notes)
            if method != "embedding":  # which reads all facts, and none that has no id
                assert "2 nodes have no property 'key'" in told, (method, answer.notes)
        named = kg.answer("Who directed New Reel?", llm="none")
        assert (named.entities, bool(named.reason)) == ((), True)
        assert "1 node has no property 'key'" in " ".join(named.notes)
        verdict = kg.verify("Ines Valdaro directed Glass Orchard.", llm="none")
        assert (verdict.label, verdict.notes) == ("SUPPORTED", ())
        unknown = kg.verify("Ines Valdaro directed New Reel.", llm="none")
        assert unknown.label == "NOT ENOUGH EVIDENCE"
        assert "1 node has no property 'key'" in " ".join(unknown.notes)


def test_an_id_that_looks_like_an_element_id_is_one(movies: kgdb.Connection) -> None:
    movies.driver.execute_query("MATCH (n:Film) SET n.uid = elementId(n)")
    kg = movies.adopt("films", "Film", id_property="uid")
    ids = [found.entity.id for found in kg.link(["Ines Valdaro"])[0]]
    around = kg.neighbors(ids)
    assert {row.entity.name for row in around} == {
        "The Quiet Harbour",
        "Glass Orchard",
        "Ines Valdaro",
    }
    assert around.without_id == frozenset()


def test_adopting_again_names_the_option_that_differs(movies: kgdb.Connection) -> None:
    adopt(movies, "films", "Film", id_property="key", alias_properties=["original"])
    with pytest.raises(UsageError) as refused:
        adopt(movies, "films", "Film", id_property="uid")
    assert "--id was 'key' and is 'uid' now." in refused.value.message
    assert "--label" not in refused.value.message
    with pytest.raises(UsageError) as refused:
        adopt(movies, "films", "City")
    assert "--label was 'Film' and is 'City' now." in refused.value.message
    assert "kgdb remove films" in (refused.value.hint or "")


def test_adopting_again_keeps_what_is_not_given_and_changes_names(movies: kgdb.Connection) -> None:
    indexes = schema(movies)
    first = adopt(movies, "films", "Film", id_property="key", alias_properties=["original"]).graph
    assert adopt(movies, "films").graph == replace(first, loaded_at=ANY)
    changed = adopt(movies, "films", name_properties={"Film": "original"}).graph
    assert changed.name_properties == {"Film": "original"}
    assert movies.graph("films").link(["Stille Havn"])[0][0].entity.name == "Stille Havn"
    loading.unadopt(movies, changed)
    assert schema(movies) == indexes


def test_adopting_again_counts_again(movies: kgdb.Connection) -> None:
    first = adopt(movies, "films", "Film", id_property="key").graph
    again = adopt(movies, "films", "Film", id_property="key").graph
    assert (first.entities, first.triples, first.relations) == (
        again.entities,
        again.triples,
        again.relations,
    )
    movies.driver.execute_query(
        "MATCH (r:Relation {kg: 'films', id: 'DIRECTED'}) SET r.text = 'the films by {}'"
    )
    movies.driver.execute_query("MATCH ()-[r:SEQUEL_OF]->() DELETE r")
    movies.driver.execute_query(
        "MATCH (a:Film {key: 12}), (b:Film {key: 1}) CREATE (a)-[:DIRECTED]->(b)"
    )
    changed = adopt(movies, "films", "Film", id_property="key").graph
    assert (changed.triples, changed.relations) == (9, 3)
    relations = movies.graph("films").relations
    assert (relations["DIRECTED"].count, relations["DIRECTED"].text) == (4, "the films by {}")
    assert bookkeeping(movies, "films") == 4


def test_indexes_of_the_user_are_used_and_kept(movies: kgdb.Connection) -> None:
    movies.driver.execute_query("CREATE RANGE INDEX own_key FOR (f:Film) ON (f.key)")
    movies.driver.execute_query("CREATE RANGE INDEX own_name FOR (f:Film) ON (f.name)")
    movies.driver.execute_query("CREATE FULLTEXT INDEX own_names FOR (f:Film) ON EACH [f.name]")
    try:
        before = schema(movies)
        graph = adopt(movies, "films", "Film", id_property="key").graph
        assert (schema(movies), graph.fulltext_index) == (before, "own_names")
        for plugin in ("required", "never"):
            with kgdb.connect(plugin=plugin) as db:
                assert db.graph("films").link(["glass orchard"])[0][0].entity.id == "2"
        loading.unload(movies, graph)
        assert (schema(movies), bookkeeping(movies, "films")) == (before, 0)
        graph = adopt(
            movies, "films", "Film", id_property="key", alias_properties=["original"]
        ).graph
        assert schema(movies) - before == {"kgdb_Film_names"}
        loading.unload(movies, graph)
        assert schema(movies) == before
        movies.driver.execute_query("MATCH (f:Film {key: 12}) SET f.key = 11")
        with pytest.raises(UsageError, match=r"'11' \(2 nodes\)"):
            adopt(movies, "films", "Film", id_property="key", alias_properties=["original"])
    finally:
        for name in ("own_key", "own_name", "own_names"):
            movies.driver.execute_query(f"DROP INDEX {name}")


@pytest.mark.parametrize(
    ("change", "options", "says"),
    [
        ("", {"label": "Flim"}, "No node is labelled 'Flim'. Did you mean 'Film'"),
        ("", {"label": "Literal"}, "'Literal' cannot be adopted"),
        (
            "",
            {"label": "City", "id_property": None},
            "--label City --label Film --label Person",
        ),
        ("", {"id_property": "id"}, "7 of 7 nodes labelled 'Film' have no property 'id'"),
        ("", {"name_properties": "title"}, "Nodes labelled 'Film' have no property 'title'"),
        ("", {"name_properties": {"Flim": "name"}}, "the graph has no such label"),
        ("MATCH (f:Film {key: 12}) REMOVE f.key", {}, "1 of 7 nodes labelled 'Film' has no prop"),
        ("MATCH (f:Film {key: 12}) SET f.key = 11", {}, "'11' (2 nodes)"),
        ("MATCH (f:Film {key: 12}) SET f.key = '11'", {}, "'11' (2 nodes)"),
        ("MATCH (f:Film {key: 12}) SET f.key = 1.5", {}, "has a float as 'key'"),
        (
            "MATCH (f:Film {key: 12}) SET f.name = ['a', 'b']",
            {"name_properties": "name"},
            "has a list as 'name'",
        ),
    ],
)
def test_what_cannot_be_adopted_is_refused_and_nothing_is_left(
    movies: kgdb.Connection, change: str, options: dict[str, Any], says: str
) -> None:
    if change:
        movies.driver.execute_query(change)
    before, indexes = everything(movies), schema(movies)
    given: dict[str, Any] = {"label": "Film", "id_property": "key", **options}
    with pytest.raises(UsageError) as failure:
        adopt(movies, "films", given.pop("label"), **given)
    assert says in str(failure.value)
    assert everything(movies) == before
    assert schema(movies) == indexes
    assert bookkeeping(movies, "films") == 0


def test_an_adoption_that_is_interrupted_is_gone_on_with_or_forgotten(
    movies: kgdb.Connection,
) -> None:
    before, indexes = everything(movies), schema(movies)

    def interrupt(event: object) -> None:
        if "indexes" in str(event):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            adopt(movies, "films", "Film", id_property="key", report=interrupt)
        (info,) = [info for info in movies.graphs() if info.name == "films"]
        assert (info.state, info.adopted) == ("loading", True)
        with pytest.raises(UsageError, match="not complete"):
            movies.graph("films")
        assert everything(movies) == before
    assert adopt(movies, "films", "Film", id_property="key").graph.state == "ready"
    loading.unload(movies, movies.graph("films").info)
    assert (everything(movies), schema(movies)) == (before, indexes)


def test_texts_and_numbers_may_both_be_ids(movies: kgdb.Connection) -> None:
    movies.driver.execute_query("MATCH (f:Film {key: 12}) SET f.key = 'twelve'")
    kg = movies.adopt("films", "Film", id_property="key")
    assert {row.entity.id for row in kg.neighbors(["3"])} == {"twelve", "11"}


def test_names_and_labels_of_other_graphs_are_refused(
    movies: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    with pytest.raises(UsageError, match="'demo' is already loaded"):
        adopt(movies, "demo", "Film", id_property="key")
    with pytest.raises(UsageError, match="belong to the graph 'demo'"):
        adopt(movies, "films", "Demo")
    adopt(movies, "films", "Film", id_property="key")
    with pytest.raises(UsageError, match="belong to the graph 'films'"):
        adopt(movies, "pictures", "Film", id_property="key")


def test_a_load_cannot_take_the_place_of_an_adopted_graph(
    movies: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    loading.unload(movies, demo.info)
    before = everything(movies)
    adopt(movies, "demo", "Film", id_property="key")
    try:
        with (
            loading.prepare(loading.read_spec("demo")) as prepared,
            pytest.raises(UsageError, match="'demo' is adopted"),
        ):
            loading.load(prepared, movies, replace=True)
        assert everything(movies) == before
    finally:
        loading.unload(movies, movies.graph("demo").info)
        with loading.prepare(loading.read_spec("demo")) as prepared:
            loading.load(prepared, movies)


def test_the_command_says_what_it_did(movies: kgdb.Connection, settings: Settings) -> None:
    arguments = ["adopt", "films", "--label", "Film", "--id", "key"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    assert "Adopted films: 9 triples, 7 entities, 4 relations." in result.output
    assert "Film: 7 nodes, named by name; 1 node has none" in result.output
    assert "2 relationships lead to nodes without the label Film;" in result.output
    as_json = CliRunner().invoke(cli, [*arguments, "--json"])
    found = json.loads(as_json.stdout)
    assert (found["triples"], found["nameless"], found["outside"]) == (9, 1, 2)
    several = CliRunner().invoke(cli, ["adopt", "more", "--label", "City", "--label", "Film"])
    assert "'Film' already belong to the graph 'films'" in str(several.exception)
    unnamed = CliRunner().invoke(cli, [*arguments, "--name", "Film=title=", "--name", "original"])
    assert "expected LABEL=PROPERTY" in str(unnamed.exception)
    assert CliRunner().invoke(cli, ["remove", "films"]).exit_code == 0
    assert len(everything(movies)[0]) == 8
