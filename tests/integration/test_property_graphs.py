"""A property graph of somebody else's, adopted by its name alone and given back as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

import kgdb
from kgdb import loading
from kgdb.cli.main import cli
from kgdb.errors import DatabaseError, EntityNotFound, UsageError
from kgdb.loading import adopt
from kgdb.settings import Settings

pytestmark = pytest.mark.integration

SHOP = """
CREATE (tea:Ware {wareName: 'Smoked Tea', wareID: 1, price: 4.5, blurb: 'A long text.'}),
       (jam:Ware {wareName: 'Plum Jam', wareID: 2, price: 3.0}),
       (rye:Ware {wareName: 'Rye Bread', wareID: 3}),
       (fen:Maker {companyName: 'Fenland Mills', contactName: 'Ada Holt', phone: '555-0101'}),
       (lim:Maker {companyName: 'Lime & Sons', contactName: 'Bo Lund', phone: '555-0102'}),
       (kim:Clerk:Staff {firstName: 'Kim', lastName: 'Moor', title: 'Sales Clerk', born: 1971}),
       (joe:Boss:Staff {firstName: 'Joe', lastName: 'Moor', title: 'Sales Manager', born: 1960}),
       (first:Purchase {purchaseID: '10248', shipName: 'Ann', wareID: 1}),
       (second:Purchase {purchaseID: '10249', shipName: 'Ann', wareID: 1}),
       (board:_Dashboard {title: 'Sales', version: '2.4'}),
       (fen)-[:MAKES]->(tea), (fen)-[:MAKES]->(rye), (lim)-[:MAKES]->(jam),
       (kim)-[:REPORTS_TO]->(joe), (kim)-[:TOOK {on: date('2021-03-04')}]->(first),
       (first)-[:HAS {quantity: 3}]->(tea), (first)-[:HAS]->(jam), (second)-[:HAS]->(rye),
       (board)-[:SHOWS]->(tea)
"""
LABELS = "Ware|Maker|Staff|Purchase|_Dashboard|Guest"


@pytest.fixture
def shop(clean: kgdb.Connection) -> Iterator[kgdb.Connection]:
    """Wares, makers, staff and purchases, as any application might have them."""
    clean.driver.execute_query(f"MATCH (n:{LABELS}) DETACH DELETE n")
    clean.driver.execute_query(SHOP)
    yield clean
    for info in clean.graphs():
        if info.adopted:
            loading.unadopt(clean, info)
    clean.driver.execute_query(f"MATCH (n:{LABELS}) DETACH DELETE n")


def everything(db: kgdb.Connection) -> list[list[dict[str, Any]]]:
    """All nodes, relationships, indexes and constraints that are not those of the demo graph."""
    queries = (
        "MATCH (n) WHERE NOT n:Entity AND coalesce(n.kg, n.name, '') <> 'demo' "
        "RETURN elementId(n) AS e, labels(n) AS l, properties(n) AS p ORDER BY e",
        "MATCH (n)-[r]->(m) WHERE NOT n:Entity "
        "RETURN elementId(r) AS e, type(r) AS t, properties(r) AS p ORDER BY e",
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties RETURN * ORDER BY name",
        "SHOW CONSTRAINTS YIELD name, type, labelsOrTypes, properties RETURN * ORDER BY name",
    )
    return [[record.data() for record in db.driver.execute_query(q).records] for q in queries]


def test_a_name_is_enough_and_everything_is_given_back(
    shop: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    before = everything(shop)
    adopted = adopt(shop, "shop")
    info = adopted.graph
    assert set(info.labels) == {"Boss", "Clerk", "Maker", "Purchase", "Staff", "Ware"}
    assert (info.id_property, info.every_label) == (None, True)
    assert {source.label: source.properties for source in info.names} == {
        "Boss": ("firstName", "lastName"),
        "Clerk": ("firstName", "lastName"),
        "Staff": ("firstName", "lastName"),
        "Maker": ("companyName",),
        "Ware": ("wareName",),
        "Purchase": ("purchaseID",),
    }
    assert [source.label for source in info.names if source.with_label] == ["Purchase"]
    # Two of the nine nodes have two labels, and what the dashboard shows is not in the graph.
    assert (info.entities, info.triples, adopted.outside) == (9, 8, 1)
    # Labels of the demo graph's entities belong to it.
    assert "demo" in adopted.left_out.values()
    relations = shop.graph("shop").relations
    assert set(relations) == {"MAKES", "REPORTS_TO", "TOOK", "HAS"}
    reports = relations["REPORTS_TO"]
    assert (reports.head_labels, reports.tail_labels) == (
        {"Clerk": 1, "Staff": 1},
        {"Boss": 1, "Staff": 1},
    )
    has = relations["HAS"]
    assert (has.count, has.head_labels, has.fan_out) == (3, {"Purchase": 3}, 1.5)
    loading.unadopt(shop, info)
    assert everything(shop) == before


def test_a_node_tells_its_labels_and_properties(shop: kgdb.Connection) -> None:
    adopt(shop, "shop")
    kg = shop.graph("shop")
    kim, tea = (kg.link([name])[0][0].entity for name in ("Kim Moor", "Smoked Tea"))
    found = kg.properties([tea.id, kim])
    assert [(each.entity, each.labels) for each in found] == [
        (tea, ("Ware",)),
        (kim, ("Clerk", "Staff")),
    ]
    assert found[0].properties["wareName"] == "Smoked Tea"
    with pytest.raises(EntityNotFound, match="no entity '4:none'"):
        kg.properties([kim.id, "4:none"])


@pytest.mark.parametrize("plugin", ["required", "never"])
def test_entities_are_found_by_the_names_of_their_labels(
    shop: kgdb.Connection, settings: Settings, plugin: str
) -> None:
    adopt(shop, "shop")
    with kgdb.connect(plugin=plugin) as db:
        kg = db.graph("shop")
        asked = ["smoked tea", "Lime & Sons", "Kim Moor", "Purchase 10248", "Smoked Te"]
        found = [rows[0].entity.name for rows in kg.link(asked)]
        assert found == ["Smoked Tea", "Lime & Sons", "Kim Moor", "Purchase 10248", "Smoked Tea"]
        # What is a name elsewhere is none here: the title of an employee.
        assert not [row for row in kg.link(["Sales Manager"])[0] if row.score > 0.9]
        (kim,) = [row.entity for row in kg.link(["Kim Moor"])[0] if row.score == 1]
        steps = {(str(row.step), row.entity.name) for row in kg.neighbors([kim.id])}
        assert steps == {("REPORTS_TO", "Joe Moor"), ("TOOK", "Purchase 10248")}
        ends = kg.follow([kim.id], ["TOOK", "HAS", "^MAKES"])
        assert {row.entity.name for row in ends} == {"Fenland Mills", "Lime & Sons"}
        assert [path.entities[0].name for path in ends[0].paths] == ["Kim Moor"]
        named = {triple.head.name for triple in kg.facts()}
        assert named == {
            "Fenland Mills", "Lime & Sons", "Kim Moor", "Purchase 10248", "Purchase 10249",
        }  # fmt: skip
        assert [row.entity.name for row in kg.fulltext(["plum"])[0]] == ["Plum Jam"]


def test_later_nodes_are_there_and_later_labels_after_the_next_adoption(
    shop: kgdb.Connection,
) -> None:
    adopt(shop, "shop", name_properties={"Ware": "wareName"})
    shop.driver.execute_query(
        "MATCH (m:Maker {companyName: 'Fenland Mills'}) CREATE (m)-[:MAKES]->"
        "(:Ware {wareName: 'Oat Cake'}), (:Guest {name: 'Ida Rask'})-[:VISITED]->(m)"
    )
    shop.driver.execute_query("CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    kg = shop.graph("shop")
    (oat,) = kg.link(["Oat Cake"])[0][:1]
    assert [str(row.step) for row in kg.neighbors([oat.entity.id])] == ["^MAKES"]
    assert not kg.link(["Ida Rask"])[0]
    changed = adopt(shop, "shop").graph
    assert (changed.labels[-1], changed.triples) == ("Guest", 10)
    assert shop.graph("shop").link(["Ida Rask"])[0][0].score == 1


def test_all_of_one_name_are_linked_or_the_cut_says_so(shop: kgdb.Connection) -> None:
    shop.driver.execute_query(
        "UNWIND range(1, 266) AS n CREATE (:Guest {name: 'Parking Area', number: n})-[:NEAR]->"
        "(:Maker {companyName: 'Maker ' + n})"
    )
    adopt(shop, "shop", ["Guest", "Maker"])
    for plugin in ("required", "never"):
        with kgdb.connect(plugin=plugin) as db:
            found = db.graph("shop").link(["Parking Area"], ties=1000)[0]
            assert len({row.entity.id for row in found}) == 266, plugin
            few = db.graph("shop").link(["Parking Area"], limit=5)[0]
            assert few.truncated, plugin


def test_a_query_sees_the_labels_of_the_graph_only(
    shop: kgdb.Connection, demo: kgdb.KnowledgeGraph
) -> None:
    adopt(shop, "shop", ["Ware", "Maker"])
    kg = shop.graph("shop")
    answer = kg.read_cypher("MATCH (n)-[r]->(m) RETURN n, type(r) AS r, m ORDER BY m.wareID")
    assert [(n["name"], r, m["name"]) for n, r, m in answer.rows] == [
        ("Fenland Mills", "MAKES", "Smoked Tea"),
        ("Lime & Sons", "MAKES", "Plum Jam"),
        ("Fenland Mills", "MAKES", "Rye Bread"),
    ]
    assert {row[0]["id"].count(":") for row in answer.rows} == {2}
    counted = kg.read_cypher("MATCH (n:Ware) WHERE COUNT { (n)<--() } = 1 RETURN count(n) AS n")
    assert counted.rows == ((3,),)
    assert "no relationship type 'HAS'" in str(
        kg.read_cypher("MATCH ()-[:HAS]->(n) RETURN n").error
    )
    path = kg.read_cypher("MATCH p = (:Maker)-[*1..3]-(:Ware) RETURN count(p) AS n")
    assert path.rows == ((3,),)


def test_options_are_per_label(shop: kgdb.Connection, settings: Settings) -> None:
    arguments = ["adopt", "shop", "--label", "Maker", "--label", "Ware"]
    arguments += ["--name", "Maker=contactName", "--name", "Ware=wareName"]
    result = CliRunner().invoke(cli, [*arguments, "--json"])
    assert json.loads(result.stdout)["labels"] == {
        "Maker": {"nodes": 2, "name": "contactName"},
        "Ware": {"nodes": 3, "name": "wareName"},
    }
    told = CliRunner().invoke(cli, ["adopt", "shop"])
    assert "Maker: 2 nodes, named by contactName" in told.output
    assert CliRunner().invoke(cli, ["remove", "shop"]).exit_code == 0


@pytest.mark.parametrize(
    ("labels", "options", "says"),
    [
        (["Ware", "Maker"], {"id_property": "wareID"}, "needs exactly one --label"),
        (["Staff"], {"name_properties": {"Ware": "wareName"}}, "no such label"),
        (["Ware"], {}, "No relationship joins two nodes with the label Ware"),
        (["_Dashboard", "Ware"], {"name_properties": {"Ware": "price", "_Dashboard": "x"}}, "'x'"),
    ],
)
def test_what_makes_no_sense_is_refused(
    shop: kgdb.Connection, labels: list[str], options: dict[str, Any], says: str
) -> None:
    before = everything(shop)
    with pytest.raises(UsageError) as failure:
        adopt(shop, "shop", labels, **options)
    assert says in failure.value.message
    assert everything(shop) == before


def test_a_loaded_graph_is_not_given_back(shop: kgdb.Connection, demo: kgdb.KnowledgeGraph) -> None:
    with pytest.raises(UsageError, match="'demo' is not adopted"):
        loading.unadopt(shop, demo.info)
    with pytest.raises(DatabaseError, match="no entity"):
        demo.neighbors(["nobody"])


def test_evidence_shows_the_properties_of_relationships(shop: kgdb.Connection) -> None:
    adopt(shop, "shop")
    answer = shop.graph("shop").answer(
        "Which purchase did [Kim Moor] take?", method="refkg", llm="none"
    )
    (found,) = answer.entities
    shown = [str(path.steps[-1].relation) for path in found.paths]
    assert shown == ["TOOK", "on"]
    assert found.paths[1].entities[-1].name == "2021-03-04"
