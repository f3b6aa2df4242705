"""Graphs as builders of knowledge graphs and memories of agents write them, adopted and asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from click.testing import CliRunner

import kgdb
from kgdb import loading
from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.loading import adopt
from kgdb.settings import Settings
from kgdb.wording import value_text

pytestmark = pytest.mark.integration


@dataclass(frozen=True)
class Layout:
    """A graph of somebody's tool, questions with their answers, and what is told."""

    statement: str
    questions: dict[str, set[str]]
    told: tuple[str, ...] = ()
    schema: dict[str, str] = field(default_factory=dict)


LAYOUTS = {
    "base label beside each label": Layout(
        """
        CREATE (a:__KGBuilder__:__Entity__:Person {name: 'Vera Lund'}),
               (b:__KGBuilder__:__Entity__:Company {name: 'Kupfer GmbH', founded: 1954}),
               (c:__KGBuilder__:__Entity__:Town {name: 'Aalen'}),
               (d:__KGBuilder__:Chunk {index: 0, text: 'Vera runs it.', embedding: [0.1, 0.2]}),
               (a)-[:MANAGES]->(b), (b)-[:LOCATED_IN]->(c), (a)-[:FROM_CHUNK]->(d)
        """,
        {
            "Who manages Kupfer GmbH?": {"Vera Lund"},
            "Where is Kupfer GmbH located?": {"Aalen"},
            "When was Kupfer GmbH founded?": {"1954"},
            "How many companies does Vera Lund manage?": {"1"},
        },
        schema={"MANAGES": "Person Company", "LOCATED_IN": "Company Town"},
    ),
    "entities with the base label alone": Layout(
        """
        CREATE (a:__Entity__:Person {name: 'Rolf Amsel'}), (b:__Entity__ {name: 'Ulm'}),
               (c:__Community__ {id: '0-1', summary: 'People in towns'}), (d:_Dashboard {v: 1}),
               (a)-[:LIVES_IN]->(b), (a)-[:IN_COMMUNITY]->(c)
        """,
        {"Where does Rolf Amsel live?": {"Ulm"}},
        (
            "__Community__: 1 node left out, because labels that begin with _ are other tools'",
            "_Dashboard: 1 node left out",
            "1 relationship leads to nodes without the labels",
        ),
    ),
    "a node label and typed entities": Layout(
        """
        CREATE (a:__Node__:__Entity__:Robot {name: 'Ivo-3', id: 'Ivo-3'}),
               (b:__Node__:__Entity__:Lab {name: 'Lab Nine', id: 'Lab Nine'}),
               (c:__Node__:Chunk {id: 'c-1', text: 'Ivo-3 works.', embedding: [0.5, 1.5]}),
               (a)-[:WORKS_IN]->(b), (c)-[:MENTIONS]->(a)
        """,
        {"Where does Ivo-3 work?": {"Lab Nine"}, "Which robots work in Lab Nine?": {"Ivo-3"}},
    ),
    "names as ids": Layout(
        """
        CREATE (a:__Entity__:Person {id: 'Jana Reh', occupation: 'Weaver'}),
               (b:__Entity__:Company {id: 'Mohn KG'}), (c:__Entity__:Person {id: 'Udo Falke'}),
               (d:__Entity__:`2_year_Period` {id: '2019-2020'}),
               (e:Document {id: 'a41bd0e77c', text: 'Jana Reh founded Mohn KG.'}),
               (a)-[:FOUNDER_OF]->(b), (c)-[:WORKS_AT]->(b), (a)-[:FOUNDER_DURING]->(d),
               (e)-[:MENTIONS]->(a)
        """,
        {
            "Who is the founder of Mohn KG?": {"Jana Reh"},
            "Who works at Mohn KG?": {"Udo Falke"},
            "What is the occupation of Jana Reh?": {"Weaver"},
        },
        ("Person: 2 nodes, named by id", "Company: 1 node, named by id"),
    ),
    "names as ids without a base label": Layout(
        """
        CREATE (a:Poet {id: 'Mara Quell'}), (b:Song {id: 'Tide and Stone'}),
               (c:Song {id: 'Lantern'}), (a)-[:WROTE]->(b), (a)-[:WROTE]->(c)
        """,
        {
            "Who wrote Lantern?": {"Mara Quell"},
            "Which songs did Mara Quell write?": {"Tide and Stone", "Lantern"},
        },
        ("Song: 2 nodes, named by id",),
    ),
    "ids that are codes": Layout(
        """
        CREATE (a:Sensor {id: 'f81d4fae-7dec'}), (b:Sensor {id: 'a0b1c2d3-44e5'}),
               (c:Hall {name: 'Hall West'}), (a)-[:STANDS_IN]->(c), (b)-[:STANDS_IN]->(c)
        """,
        {"How many sensors stand in Hall West?": {"2"}},
        ("Sensor: 2 nodes, named by Sensor and id",),
    ),
    "labels with numbers as names": Layout(
        """
        CREATE (a:Invoice {number: 404, amount: 99.5}), (b:Invoice {number: 405, amount: 12.0}),
               (c:Parcel {parcelID: 'ab-17x'}), (d:Item {title: 'Blue Lamp'}),
               (e:Item {title: 'Red Rug'}), (f:Buyer {name: 'Ola Stein'}),
               (a)-[:CONTAINS]->(d), (b)-[:CONTAINS]->(e), (c)-[:CONTAINS]->(e), (f)-[:PAID]->(a)
        """,
        {
            "Who paid Invoice 404?": {"Ola Stein"},
            "What does invoice 405 contain?": {"Red Rug"},
            "What is the amount of Invoice 405?": {"12"},
            "What does Parcel AB-17X contain?": {"Red Rug"},
            "Did Ola Stein pay Invoice 405?": {"no"},
            "Who paid Invoice 40?": set(),
        },
        ("Invoice: 2 nodes, named by Invoice and number", "named by Parcel and parcelID"),
    ),
    "one relation type for all": Layout(
        """
        CREATE (a:Friend {uuid: 'u-1', name: 'Nils', name_embedding: [0.1, 0.2, 0.3]}),
               (b:Gadget {uuid: 'u-2', name: 'Lamp 5'}), (c:Place {uuid: 'u-3', name: 'Bergen'}),
               (a)-[:RELATES_TO {uuid: 'r-1', name: 'BOUGHT', fact: 'Nils bought the Lamp 5',
                                 fact_embedding: [0.1, 0.2]}]->(b),
               (a)-[:RELATES_TO {uuid: 'r-2', name: 'LIVES_IN', fact: 'Nils lives in Bergen'}]->(c)
        """,
        {},
        (
            "RELATES_TO: its property 'name' says what a relationship means (BOUGHT, LIVES_IN)",
            "CREATE (a)-[typed:$(r.`name`)]->(b)",
        ),
    ),
    "values of every type": Layout(
        """
        CREATE (a:Job {name: 'Job Red', effort: duration('PT8H'), site: point({longitude: 11.0,
                latitude: 49.0}), opens: localtime('08:30'),
                made: datetime('2023-01-01T08:00+01:00'),
                embedding: [x IN range(1, 768) | x * 0.5], text_vector: [0.5, 1.5]}),
               (b:Job {name: 'Job Blue', effort: duration('P1DT2H'), site: point({x: 1, y: 2}),
                opens: localtime('10:00'), made: datetime('2024-05-01T08:00Z')}),
               (c:Worker {name: 'Ada Moll'}),
               (a)-[:DONE_BY {spent: duration('PT30M')}]->(c),
               (b)-[:DONE_BY {spent: duration('PT15M')}]->(c)
        """,
        {
            "Which job has the largest effort?": {"Job Blue"},
            "Which job has the smallest effort?": {"Job Red"},
            "What is the effort of Job Red?": {"PT8H"},
            "What is the total effort of all jobs?": {"P1DT10H"},
            "What is the site of Job Red?": {"point({longitude: 11.0, latitude: 49.0})"},
            "What is the site of Job Blue?": {"point({x: 1.0, y: 2.0})"},
        },
    ),
    "durations as texts": Layout(
        """
        CREATE (a:Clip {name: 'Clip One', length: 'PT90S'}),
               (b:Clip {name: 'Clip Two', length: 'PT3M'}), (c:Channel {name: 'North'}),
               (c)-[:SHOWS]->(a), (c)-[:SHOWS]->(b)
        """,
        {
            "Which clip has the largest length?": {"Clip Two"},
            "What is the length of Clip One?": {"PT90S"},
        },
    ),
}  # fmt: skip


@pytest.fixture
def empty(clean: kgdb.Connection) -> Iterator[kgdb.Connection]:
    """A connection to a database whose nodes and graphs of these tests go afterwards."""
    yield clean
    for info in clean.graphs():
        if info.adopted:
            loading.unadopt(clean, info)
    # By their labels: Neo4j gives the element ids of nodes that are gone to later ones.
    clean.driver.execute_query("MATCH (n:!Demo&!KnowledgeGraph&!Relation) DETACH DELETE n")


@pytest.fixture
def demo_comes_back(
    demo: kgdb.KnowledgeGraph, connection: kgdb.Connection
) -> Iterator[kgdb.KnowledgeGraph]:
    """The demo graph, loaded anew after a test that took it out."""
    yield demo
    with loading.prepare(loading.read_spec("demo")) as prepared:
        loading.load(prepared, connection, replace=True)


def given(answer: kgdb.Answer) -> set[str]:
    if answer.value is not None:
        return {value_text(answer.value)}  # type: ignore[arg-type]
    return {each.entity.name for each in answer.entities}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_are_adopted_and_asked(
    empty: kgdb.Connection, settings: Settings, name: str
) -> None:
    layout = LAYOUTS[name]
    empty.driver.execute_query(layout.statement)  # type: ignore[arg-type]
    adopted = CliRunner().invoke(cli, ["adopt", "layout"])
    assert adopted.exit_code == 0, adopted.output
    told = " ".join(adopted.output.split())
    assert [line for line in layout.told if line not in told] == []
    kg = empty.graph("layout")
    pairs = {r: sorted(ends.pairs) for r, ends in kg.schema.relations.items()}
    for relation, joined in layout.schema.items():
        assert pairs[relation] == [tuple(joined.split())]
    questions = list(layout.questions)
    answers = kg.reasoner("auto", llm="none").answers(questions) if questions else []
    assert [answer.error for answer in answers] == [None] * len(answers)
    found = {answer.question: given(answer) for answer in answers}
    assert found == layout.questions


def test_values_of_neo4j_have_their_types_and_embeddings_are_left_out(
    empty: kgdb.Connection, settings: Settings
) -> None:
    empty.driver.execute_query(LAYOUTS["values of every type"].statement)  # type: ignore[arg-type]
    adopt(empty, "layout")
    schema = empty.graph("layout").schema
    assert {name: info.type for name, info in schema.properties.items()} == {
        "effort": "duration", "site": "point", "opens": "time", "made": "date",
    }  # fmt: skip
    assert schema.relations["DONE_BY"].property("spent").type == "duration"
    assert schema.vectors == ("embedding", "text_vector")
    shown = CliRunner().invoke(cli, ["schema", "layout"]).output
    assert "Left out, because they are embeddings: embedding, text_vector" in shown
    assert "0.5" not in shown


def test_evidence_tells_parallel_relationships_apart_and_shows_no_embedding(
    empty: kgdb.Connection,
) -> None:
    empty.driver.execute_query(LAYOUTS["one relation type for all"].statement)  # type: ignore[arg-type]
    empty.driver.execute_query(
        "MATCH (a {name: 'Nils'}), (b {name: 'Lamp 5'}) "
        "CREATE (a)-[:RELATES_TO {name: 'RETURNED', fact: 'Nils returned the Lamp 5'}]->(b)"
    )
    adopt(empty, "layout")
    answer = empty.graph("layout").answer("What does [Nils] relate to?", method="refkg", llm="none")
    shown = str([path for each in answer.entities for path in each.paths])
    assert "Nils bought the Lamp 5" in shown
    assert "Nils returned the Lamp 5" in shown
    assert "fact_embedding" not in shown


def test_a_type_for_each_meaning_answers_questions(empty: kgdb.Connection) -> None:
    empty.driver.execute_query(LAYOUTS["one relation type for all"].statement)  # type: ignore[arg-type]
    kind = adopt(empty, "layout").kinds["RELATES_TO"]
    assert (kind.property, kind.values) == ("name", ("BOUGHT", "LIVES_IN"))
    empty.driver.execute_query(kind.statement)  # type: ignore[arg-type]
    assert adopt(empty, "layout").kinds == {}
    kg = empty.graph("layout")
    assert given(kg.answer("Where does Nils live?", llm="none")) == {"Bergen"}
    assert given(kg.answer("What did Nils buy?", llm="none")) == {"Lamp 5"}


MEMORY = """
CREATE (a:Entity:Pal {name: 'Hedda', uuid: 'u-1'}), (b:Entity {name: 'Narvik', uuid: 'u-2'}),
       (c:Episodic {name: 'message 1', content: 'Hedda lives in Narvik'}),
       (a)-[:LIVES_IN]->(b), (c)-[:MENTIONS]->(a)
"""


@pytest.mark.usefixtures("demo_comes_back", "empty")
def test_the_label_entity_is_adopted_where_no_graph_is_loaded(empty: kgdb.Connection) -> None:
    for info in empty.graphs():
        loading.unload(empty, info)
    empty.driver.execute_query(MEMORY)  # type: ignore[arg-type]
    adopted = adopt(empty, "memory")
    assert dict(adopted.labels) == {"Episodic": 1, "Pal": 1, "Entity": 2}
    assert adopted.outside == 0
    assert given(empty.graph("memory").answer("Where does Hedda live?", llm="none")) == {"Narvik"}
    with (
        loading.prepare(loading.read_spec("demo")) as prepared,
        pytest.raises(UsageError, match="adopted by the label Entity") as failure,
    ):
        loading.load(prepared, empty)
    assert "kgdb remove memory" in (failure.value.hint or "")
    loading.unadopt(empty, adopted.graph)
    with loading.prepare(loading.read_spec("demo")) as prepared:
        loading.load(prepared, empty)
    # The entities of a loaded graph have this label: what has no other one is left out, and told.
    again = adopt(empty, "memory")
    assert set(again.labels) == {"Episodic", "Pal"}
    assert (again.left_out["Entity"], again.outside) == ("demo", 1)
