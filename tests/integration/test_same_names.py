"""Many entities of one name: all of them are taken, or it is told that they are not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kgdb
from kgdb import loading
from kgdb.cli.main import cli
from kgdb.graph import count_round_trips, link
from kgdb.methods.context.batched_graph import STARTS_IN_PLAIN
from kgdb.values import Answer

pytestmark = pytest.mark.integration

AREAS, CRIMES = 266, 811
NAME = "Parking Area"
QUESTION = f"Which crimes occurred at {NAME}?"
ALL = {f"crime {i}" for i in range(CRIMES)}

LOADER = """
name = "city"
label = "City"
[sources.edges]
file = "edges.tsv"
delimiter = "\\t"
columns = ["head", "relation", "tail"]
[sources.nodes]
file = "nodes.tsv"
delimiter = "\\t"
columns = ["id", "name"]
[tables]
triples = "SELECT head, relation, tail FROM edges"
entities = "SELECT id, name FROM nodes"
[relations.occurred_at]
text = "the place where {} occurred"
inverse = "the crimes that occurred at {}"
question = "where did {} occur?"
inverse_question = "which crimes occurred at {}?"
"""

# Of Yard, more names are longer than those that are looked at first.
BRACKETED = {f"y{i}": f"Yard {i}" for i in range(40)} | {
    "yard": "Yard (east side)",
    "dock-n": "Dock (north)",
    "dock-s": "Dock (south)",
}


def crime(number: int) -> tuple[str, str]:
    """The area and the officer of a crime; a few areas have many, and some have one."""
    return f"a{number % AREAS}", f"o{number % 7}"


def areas() -> dict[str, str]:
    return {f"a{i}": NAME for i in range(AREAS)} | {f"b{i}": f"{NAME} {i}" for i in range(60)}


@pytest.fixture(scope="module", params=["loaded", "adopted"])
def city(
    request: Any, connection: kgdb.Connection, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The graph, by kgdb's loader or made by somebody else."""
    crimes = [(f"c{i}", f"crime {i}", *crime(i)) for i in range(CRIMES)]
    names = areas() | {id_: name for id_, name, *_ in crimes}
    names |= {f"o{i}": f"Officer {i}" for i in range(7)} | BRACKETED
    edges = [(id_, "occurred_at", area) for id_, _, area, _ in crimes]
    edges += [(id_, "investigated_by", officer) for id_, _, _, officer in crimes]
    if request.param == "loaded":
        folder: Path = tmp_path_factory.mktemp("city")
        for file, rows in (("edges", edges), ("nodes", list(names.items()))):
            lines = "".join("\t".join(row) + "\n" for row in rows)
            (folder / f"{file}.tsv").write_text(lines)
        (folder / "city.toml").write_text(LOADER)
        spec = loading.read_spec(str(folder / "city.toml"))
        with loading.prepare(spec, folder) as prepared:
            loading.load(prepared, connection)
    else:
        connection.driver.execute_query(
            "UNWIND $nodes AS node CREATE (:Town {key: node[0], called: node[1]})",
            nodes=[list(node) for node in names.items()],
        )
        connection.driver.execute_query("CREATE INDEX town FOR (t:Town) ON (t.key)")
        connection.driver.execute_query("CALL db.awaitIndexes(60)")
        connection.driver.execute_query(
            "UNWIND $edges AS edge MATCH (h:Town {key: edge[0]}), (t:Town {key: edge[2]}) "
            "CREATE (h)-[:$(edge[1])]->(t)",
            edges=[list(edge) for edge in edges],
        )
        connection.adopt("city", "Town", id_property="key", name_properties="called")
        connection.driver.execute_query(
            "MATCH (r:Relation {kg: 'city', id: 'occurred_at'}) SET r.text = 'the place where {} "
            "occurred', r.inverse = 'the crimes that occurred at {}', r.question = 'where did {} "
            "occur?', r.inverse_question = 'which crimes occurred at {}?'"
        )
        connection.driver.execute_query(
            "MATCH (r:Relation {kg: 'city'}) REMOVE r.embedding, r.inverse_embedding"
        )
    yield "city"
    (info,) = (info for info in connection.graphs() if info.name == "city")
    loading.unload(connection, info)
    connection.driver.execute_query("MATCH (n:Town) DETACH DELETE n")
    connection.driver.execute_query("DROP INDEX town IF EXISTS")


@pytest.fixture(scope="module", params=["required", "never"])
def kg(request: Any, city: str) -> Iterator[kgdb.KnowledgeGraph]:
    """Through the plugin, and in plain Cypher."""
    with kgdb.connect(plugin=request.param) as db:
        yield db.graph(city)


in_two_worlds = pytest.mark.parametrize(
    ("city", "kg"),
    [
        ("loaded", "never"),
        ("adopted", "required"),
        pytest.param("loaded", "required", marks=pytest.mark.endurance),
        pytest.param("adopted", "never", marks=pytest.mark.endurance),
    ],
    indirect=True,
)
"""For what answers from names that are linked in every world."""


def names(answer: Answer) -> set[str]:
    return {answered.entity.name for answered in answer.entities}


@pytest.mark.parametrize("mention", [NAME, "parking area", f"[{NAME}]", "Parkinh Area"])
def test_all_of_them_are_linked(kg: kgdb.KnowledgeGraph, mention: str) -> None:
    (links,) = link(kg, [f"Which crimes occurred at {mention}?"])
    (named,) = (each for each in links if "rea" in each.mention)
    assert set(named.ids) == {f"a{i}" for i in range(AREAS)}


@pytest.mark.parametrize(
    ("question", "ids", "namesakes"),
    [
        ("Which crimes occurred at Yard?", {"yard"}, ()),
        ("Which crimes occurred at [yard]?", {"yard"}, ()),
        ("Which crimes occurred at Yard (east side)?", {"yard"}, ()),
        ("Did anything occur at Yard 7?", {"y7"}, ()),
        ("Who works at Dock?", {"dock-n", "dock-s"}, ("Dock (north)", "Dock (south)")),
    ],
)
def test_a_name_is_linked_without_its_bracket(
    kg: kgdb.KnowledgeGraph, question: str, ids: set[str], namesakes: tuple[str, ...]
) -> None:
    ((linked,),) = link(kg, [question])
    assert (set(linked.ids), linked.namesakes) == (ids, namesakes)


@pytest.mark.parametrize("mention", [NAME, "PARKING area"])
def test_the_link_procedure_gives_all_that_are_as_like(
    kg: kgdb.KnowledgeGraph, mention: str
) -> None:
    (five,) = kg.link([mention])
    assert (len(five), "limit" in five.cut) == (5, True)
    (found,) = kg.link([mention], ties=1000)
    assert {row.entity.id for row in found} == {f"a{i}" for i in range(AREAS)}
    (some,) = kg.link([mention], ties=100)
    assert (len(some), "ties" in some.cut) == (105, True)
    assert "ties" not in found.cut


@in_two_worlds
@pytest.mark.parametrize("method", ["refkg", "rok", "gotr"])
def test_the_methods_take_all_of_them(kg: kgdb.KnowledgeGraph, method: str) -> None:
    answer = kg.answer(QUESTION, method=method, llm="none")
    if kg.database.uses_plugin:
        assert names(answer) == ALL
        assert not answer.truncated
        return
    # Plain Cypher keeps every path of a chain, for which a small server has no room.
    assert 2 * STARTS_IN_PLAIN <= len(names(answer)) < len(ALL)
    assert names(answer) < ALL
    assert answer.truncated
    if method != "gotr":  # which keeps so many paths, and follows no chain to all its ends
        assert "only 50 of 266 entities of one name were followed" in " ".join(answer.notes)


@in_two_worlds
@pytest.mark.parametrize("method", ["tog", "mindmap", "kggpt", "neighbors"])
def test_the_baselines_take_all_of_them_or_tell(kg: kgdb.KnowledgeGraph, method: str) -> None:
    answer = kg.answer(QUESTION, method=method, llm="none")
    found = names(answer)
    assert found
    assert found <= ALL
    assert found == ALL or answer.truncated


@in_two_worlds
@pytest.mark.parametrize("method", ["refkg", "kggpt"])
@pytest.mark.parametrize("number", [3, 265, 700])
def test_a_claim_about_one_of_them_is_supported(
    kg: kgdb.KnowledgeGraph, method: str, number: int
) -> None:
    verdict = kg.verify(f"Crime {number} occurred at {NAME}.", method=method, llm="none")
    assert verdict.label == "SUPPORTED"
    assert verdict.supporting


def test_a_common_question_takes_no_more_round_trips(kg: kgdb.KnowledgeGraph) -> None:
    """One to link, though 60 other names begin with this one."""
    with count_round_trips() as few:
        link(kg, ["Which crimes did Officer 3 investigate?"])
    with count_round_trips() as one_of_many:
        link(kg, [f"Which crimes occurred at {NAME} 17?"])
    assert few.count == 1
    assert one_of_many.count <= 2


@in_two_worlds
def test_namesakes_are_told_apart_in_the_text(
    kg: kgdb.KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGDB_PLUGIN", "auto" if kg.database.uses_plugin else "never")
    command = ["answer", "--graph", "city", "--llm", "none", "--limit", "1000"]
    told = CliRunner().invoke(cli, [*command, f"{QUESTION}"])
    assert told.exit_code == 0, told.output
    if kg.database.uses_plugin:
        assert f"{NAME} (a3) ←occurred_at– crime 3\n" in told.output
    else:
        assert f"{NAME} (a1) ←occurred_at– crime 1\n" in told.output
        assert "A cap was reached" in told.output
    where = CliRunner().invoke(cli, [*command, "Where did crime 3 occur?"])
    assert "(a3)" not in where.output
