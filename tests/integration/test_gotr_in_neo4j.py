"""GoT-R on a real server: the model is scripted, its thought is run and found in the database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sources import Fact

import kgdb
from kgdb.graph import Pattern, SearchOptions, SearchRequest, search_all, thought
from kgdb.language import Completion, CompletionRequest, LanguageModel, load_llm
from kgdb.methods import Reasoner, Resources, create
from kgdb.methods.gotr.grammar import thought_grammar
from kgdb.settings import load_settings
from kgdb.values import Answer, Step
from tests.unit.outcomes import names
from tests.unit.scripted import ScriptedModel

pytestmark = pytest.mark.integration

QUESTION = "Which films did Ruben Okonjo-Hale direct with Ada Weir?"
JOIN = """```cypher
CREATE (ruben {name: 'Ruben Okonjo-Hale'})
CREATE (ada {name: 'Ada Weir'})
CREATE (film)-[:directed_by]->(ruben)
CREATE (film)-[:starred_actors]->(ada)
```"""


@pytest.fixture(scope="module")
def small_model(home: Path) -> LanguageModel:
    loaded = load_llm(load_settings({"KGDB_HOME": str(home)}, llm="smollm2"))
    assert loaded is not None
    return loaded


def asked(
    graph: kgdb.KnowledgeGraph, script: str, repair: str = "", question: str = QUESTION
) -> tuple[Answer, ScriptedModel]:
    model = ScriptedModel(
        {
            "atomic questions": '{"questions": ["which films did <topic entity> direct?"]}',
            "was refused": repair,
            "Step 1": script,
            "nothing else. Give": json.dumps({"answers": ["A Small Apocalypse in Norbury"]}),
        }
    )
    encoder = graph.database.encoder()
    tools = Resources(graph, encoder, model)  # type: ignore[arg-type]
    return Reasoner(create("gotr", {}), tools).answer(question), model


def joined(facts: set[Fact]) -> set[str]:
    return {
        head
        for head, relation, tail in facts
        if (relation, tail) == ("directed_by", "Ruben Okonjo-Hale")
        and (head, "starred_actors", "Ada Weir") in facts
    }


def test_a_thought_with_a_join_is_found_in_the_database(
    demo: kgdb.KnowledgeGraph, facts: set[Fact]
) -> None:
    answer, _ = asked(demo, JOIN)
    films = joined(facts)
    assert len(films) == 2
    assert names(answer) == films
    first = {path.entities[1].name for path in answer.retrieved[: 2 * len(films)]}
    assert first == films
    assert all(
        (t.head.id, t.relation, t.tail.id) in facts
        for path in answer.retrieved
        for t in path.triples
    )
    (stage,) = [stage for stage in answer.trace if stage.name == "retrieve"]
    edges = stage.output["thought"]["edges"]
    assert [edge["found"][0]["facts"][0][1:] for edge in edges] == [
        ["directed_by", "Ruben Okonjo-Hale"],
        ["starred_actors", "Ada Weir"],
    ]
    assert (answer.usage.calls, answer.usage.round_trips) == (3, 5)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("MATCH (n) DETACH DELETE n", "found 'MATCH'"),
        ("CREATE (a {name: 'it's'})", "line 1, column"),
        ("CREATE (a:Person {name: 'Ada Weir'})\nSET a.seen = true", "line 2, column 1"),
        ("CALL apoc.load.json('http://example.org/')", "line 1, column 1"),
        ("CREATE (a)-[:x]->(b)" * 2000, ""),
        ("", ""),
    ],
)
def test_a_refused_script_is_told_with_its_place_and_mended(
    demo: kgdb.KnowledgeGraph, facts: set[Fact], script: str, error: str
) -> None:
    before = demo.database.query(_counting())
    answer, model = asked(demo, script, repair=JOIN)
    assert names(answer) == joined(facts)
    (mending,) = [ask.prompt for ask in model.asked if "was refused" in ask.prompt]
    assert error in mending
    assert (answer.usage.calls, answer.usage.round_trips) == (4, 5)
    assert demo.database.query(_counting()) == before


def test_a_script_that_stays_wrong_costs_the_thought_alone(demo: kgdb.KnowledgeGraph) -> None:
    answer, _ = asked(demo, "DROP DATABASE neo4j", repair="CREATE (x {name: $y})-[:z]->()")
    assert answer.entities
    assert any("no usable graph of thought" in note for note in answer.notes)
    assert (answer.usage.calls, answer.usage.round_trips) == (4, 5)


@pytest.mark.endurance
@pytest.mark.parametrize("question", [QUESTION, "'}) DETACH DELETE n //"])
def test_a_model_of_135_million_parameters_draws_what_the_database_runs(
    demo: kgdb.KnowledgeGraph, small_model: LanguageModel, question: str
) -> None:
    """Left to itself it writes prose more often than Cypher."""
    relations = ["directed_by", "starred_actors", "written_by"]
    mentions = ["Ada Weir", "Ruben Okonjo-Hale"]
    requests = [
        CompletionRequest(
            f"Draw a graph in Cypher.\nQuestion: {question}", grammar=grammar, max_tokens=200
        )
        for grammar in (thought_grammar(relations, mentions), thought_grammar([], []))
    ]
    scripts = [
        reply.text for reply in small_model.complete(requests) if isinstance(reply, Completion)
    ]
    runs = [ground.run for ground in demo.ground_thoughts(scripts)]
    assert [(run.error, run.executed) for run in runs] == [(None, True)] * 2
    (held, _) = runs
    assert held.thought is not None
    assert held.thought.nodes[0].name in mentions
    assert {edge.type for edge in held.thought.edges} <= set(relations)
    assert held.thought.edges


UNMATCHED = "CREATE (a {name: 'Ada Weir'})-[:written_by]->(b) CREATE (b)-[:written_by]->(c)"
NOBODY = "CREATE (a {name: 'Qwertz Uiop'})-[:written_by]->(b)"


@pytest.mark.parametrize("plugin", ["required", "never"])
@pytest.mark.parametrize(
    "question",
    [QUESTION, "Which films did Ruben Okonjo-Hael direct?", "Which films did Qwertz Uiop direct?"],
)
def test_the_first_question_of_a_connection_keeps_to_the_bounds(
    connection: kgdb.Connection, demo: kgdb.KnowledgeGraph, question: str, plugin: str
) -> None:
    """Whatever the model writes; what is read once for a connection is nobody's."""
    for script, repair in [
        (JOIN, ""),
        ("DROP DATABASE neo4j", JOIN),
        ("DROP DATABASE neo4j", "garbage"),
        (UNMATCHED, ""),
        (NOBODY, UNMATCHED),
        (NOBODY, NOBODY),
    ]:
        with kgdb.connect(plugin=plugin) as fresh:
            fresh._encoders = connection._encoders
            answer, _ = asked(fresh.graph("demo"), script, repair, question)
        assert answer.usage.round_trips <= 5
        assert answer.usage.calls <= 4


def test_names_in_a_thought_are_data(demo: kgdb.KnowledgeGraph) -> None:
    hostile = "x\\'}) DETACH DELETE n //"
    script = f"CREATE (a {{name: '{hostile}'}})-[:directed_by]->(b {{name: 'Ada Weir'}})"
    (run,) = demo.ground_thoughts([script], link={"limit": 2, "min_score": 0.8})
    assert run.run.thought is not None
    assert run.run.thought.nodes[0].name == "x'}) DETACH DELETE n //"
    assert {place: [e.name for e in found] for place, found in run.entities.items()} == {
        1: ["Ada Weir"]
    }


def test_gathering_gives_what_each_search_gives_alone(demo: kgdb.KnowledgeGraph) -> None:
    pattern = Pattern(
        thought(("f", "by", "r"), ("f", "with", "a")),
        {"r": ["Ruben Okonjo-Hale"], "a": ["Ada Weir"]},
        {"by": {"directed_by": 0.9}, "with": {"starred_actors": 0.8}},
    )
    hops = [{"^starred_actors": 0.9}, {"directed_by": 0.5}]
    steps = [Step("starred_actors", reverse=True), Step("directed_by")]
    one = SearchRequest(
        beams=[(["Ada Weir"], hops)],
        patterns=[pattern],
        chains=[(["Ada Weir"], steps), (["Ruben Okonjo-Hale"], steps[1:])],
        entities=["Ada Weir", "Ruben Okonjo-Hale"],
    )
    given = SearchOptions(
        beam={"width": 7},
        match={"limit": 5},
        follow={"limit": 3, "paths": 2},
        shortest={"max_hops": 3},
        neighbors={"limit": 9},
    )
    first, nothing, again = search_all(demo, [one, SearchRequest(), one], given)
    assert first == again
    assert first.beams == (demo.beam(["Ada Weir"], hops, width=7),)
    assert first.matches == (
        demo.match(pattern.thought, pattern.nodes, pattern.relations, limit=5),
    )
    assert first.ends == tuple(
        demo.follow(nodes, chain, limit=3, paths=2) for nodes, chain in one.chains
    )
    assert first.ends[0].cut == ("limit",)
    assert first.paths == demo.shortest_paths(one.entities, max_hops=3)
    assert first.neighbors == demo.neighbors(one.entities, limit=9)
    assert first.neighbors.cut == ("limit",)
    assert (nothing.beams, nothing.matches, nothing.ends) == ((), (), ())
    assert (nothing.paths, nothing.neighbors) == ((), ())


@pytest.mark.parametrize("script", [None, JOIN])
def test_without_the_plugin_chains_and_shortest_paths_answer(
    demo: kgdb.KnowledgeGraph, script: str | None
) -> None:
    question = "Who directed the films that Ada Weir acted in?"
    with kgdb.connect(plugin="never") as plain:
        graph = plain.graph("demo")
        if script:
            answer, _ = asked(graph, script)
            assert "A Small Apocalypse in Norbury" in {e.entity.name for e in answer.entities}
            assert any("Without the kgdb plugin" in note for note in answer.notes)
        else:
            answer = graph.answer(question, method="gotr", llm="none")
            with_plugin = demo.answer(question, method="gotr", llm="none")
            assert answer.entities == with_plugin.entities != ()
            # Fewer round trips are left for what the chains go on by: other paths come with them.
            assert answer.evidence == with_plugin.evidence


def _counting() -> Any:
    from kgdb.graph.connection.statements import Statement

    return Statement(
        "MATCH (n) WITH count(n) AS nodes CALL db.labels() YIELD label "
        "WITH nodes, count(label) AS labels CALL db.propertyKeys() YIELD propertyKey "
        "RETURN nodes, labels, count(propertyKey) AS keys"
    )
