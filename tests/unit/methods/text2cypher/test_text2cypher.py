"""Text2Cypher over a database in memory: what it asks, and what it makes of replies and rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fakes import Row, memory_graph, reasoner
from films import films
from outcomes import names
from scripted import Reply, ScriptedModel

from kgdb.errors import UsageError
from kgdb.values import Answer, EntityValue

pytestmark = pytest.mark.unit

QUESTION = "Which films star Ada Weir?"
QUERY = "MATCH (m)-[:starred_actors]->(:Test {name: 'Ada Weir'}) RETURN m"
OK: Row = {"status": "ok", "message": None, "line": None, "column": None}


def node(name: str) -> dict[str, Any]:
    return {"id": name, "name": name, "labels": ["Test"]}


def fact(head: str, relation: str, tail: str) -> list[Any]:
    edge = {"relation": relation, "source": head, "target": tail}
    return [[node(head), node(tail)], [edge]]


STARS = [
    (node(film), [fact(film, "starred_actors", "Ada Weir")], [])
    for film in ("The Salt Ledger", "Quiet Shore")
]


def rows(columns: list[str], *found: tuple[Any, ...]) -> Callable[[str], Row]:
    """A database that gives the same rows to each query; the last two columns are evidence."""

    def read(script: str) -> Row:
        if "AS seen" in script:  # the samples of values
            return OK
        more = "kgdb_facts" in script
        shown = [*columns, "kgdb_facts", "kgdb_values"] if more else columns
        return OK | {"columns": shown, "rows": [row if more else row[:-2] for row in found]}

    return read


def ask(
    replies: Mapping[str, Reply] | str,
    read: Callable[[str], Row],
    question: str = QUESTION,
    **options: Any,
) -> tuple[Answer, ScriptedModel, list[str]]:
    driver = films()
    scripts: list[str] = []

    def noted(script: str) -> Row:
        scripts.append(script)
        return read(script)

    driver.reads = noted
    model = ScriptedModel({"": replies} if isinstance(replies, str) else replies)
    (answer,) = reasoner("text2cypher", memory_graph(driver), model, **options).answers([question])
    assert answer.error is None
    return answer, model, [script for script in scripts if "AS seen" not in script]


def test_nodes_are_answers_with_the_facts_that_were_matched() -> None:
    answer, model, scripts = ask(f"```cypher\n{QUERY}\n```", rows(["m"], *STARS))
    assert names(answer) == {"The Salt Ledger", "Quiet Shore"}
    proofs = [[str(step) for step in path.steps] for path in answer.evidence]
    assert proofs == [["^starred_actors"]] * 2
    assert [path.entities[0].name for path in answer.evidence] == ["Ada Weir"] * 2
    assert answer.interpretation == QUERY
    assert scripts[0] == QUERY
    assert len(model.asked) == 1


def test_the_prompt_has_the_schema_and_what_is_named() -> None:
    _, model, _ = ask(QUERY, rows(["m"], *STARS))
    prompt = model.asked[0].prompt
    assert "[:directed_by]" in prompt
    assert "the end is the director of the start" in prompt
    assert "(e {name: 'Ada Weir'})" in prompt
    assert "ORDER BY books DESC LIMIT 3" in prompt
    assert prompt.endswith(f"Question: {QUESTION}")


def test_a_refused_query_is_repaired_once_with_the_error() -> None:
    def read(script: str) -> Row:
        if "nmae" in script:
            return {
                "status": "UNKNOWN_KEY",
                "message": "no property 'nmae'",
                "line": 1,
                "column": 9,
            }
        return rows(["m"], *STARS)(script)

    replies: dict[str, Reply] = {"no property 'nmae'": QUERY, "": "MATCH (m) RETURN m.nmae"}
    answer, model, _ = ask(replies, read)
    assert names(answer) == {"The Salt Ledger", "Quiet Shore"}
    assert "line 1, column 9: no property 'nmae'" in model.asked[1].prompt
    assert "MATCH (m) RETURN m.nmae" in model.asked[1].prompt
    assert answer.trace[1].output["errors"] == ["UNKNOWN_KEY: line 1, column 9: no property 'nmae'"]


@pytest.mark.parametrize("repair", [True, False])
def test_a_query_that_stays_refused_is_no_answer(repair: bool) -> None:
    def read(script: str) -> Row:
        return {"status": "TIME", "message": "stopped after 10,000 ms"}

    answer, model, scripts = ask(QUERY, read, repair=repair)
    assert answer.is_empty
    assert "stopped after 10,000 ms" in (answer.reason or "")
    assert answer.interpretation == QUERY
    assert answer.trace[1].output["cypher"] == [QUERY] * (1 + repair)
    assert (len(model.asked), len(scripts)) == (1 + repair, 1 + repair)


@pytest.mark.parametrize("reply", ["", "I don't know.", "<think>MATCH (n) RETURN n"])
def test_a_reply_without_a_query_runs_nothing(reply: str) -> None:
    answer, _, scripts = ask(reply, rows(["m"], *STARS))
    assert answer.is_empty
    assert (answer.reason or "").startswith("the language model wrote no Cypher query")
    assert scripts == []


def test_a_reply_without_an_end_runs_nothing() -> None:
    """What is beyond the part that would be looked at may change what the query is."""
    reply = "MATCH (n) RETURN n" + " " * 10_000_000 + "DETACH DELETE n"
    answer, _, scripts = ask(reply, rows(["m"], *STARS))
    assert answer.reason == "the language model wrote no Cypher query but 10,000,033 characters"
    assert scripts == []


def test_no_row_is_no_answer() -> None:
    answer, _, _ = ask(QUERY, rows(["m"]))
    assert answer.reason == "the query of the language model found nothing in the graph"


def test_rows_of_nothing_are_no_answer() -> None:
    answer, _, _ = ask("MATCH (m) RETURN max(m.age)", rows(["max(m.age)"], (None, [], [])))
    assert answer.is_empty


def test_what_the_model_knows_itself_is_no_answer() -> None:
    answer, _, _ = ask("MATCH (m) RETURN 'Paris'", rows(["'Paris'"], ("Paris", [], [])))
    assert answer.reason == "what the query of the language model returns is not from the graph"
    assert answer.unsupported == ()
    allowed, _, _ = ask(
        "MATCH (m) RETURN 'Paris'", rows(["'Paris'"], ("Paris", [], [])), allow_unsupported=True
    )
    assert allowed.unsupported == ("Paris",)
    assert allowed.is_empty


def test_a_count_is_a_number() -> None:
    query = "MATCH (m)-[:starred_actors]->(:Test {name: 'Ada Weir'}) RETURN count(m)"
    facts = [fact("Quiet Shore", "starred_actors", "Ada Weir")]
    answer, _, _ = ask(query, rows(["count(m)"], (1, [facts], [])))
    assert answer.value == 1
    assert [str(step) for path in answer.facts for step in path.steps] == ["starred_actors"]


def test_a_count_of_what_is_misspelt_is_no_zero() -> None:
    query = "MATCH (m)-[:starred_actors]->(:Test {name: 'Ada Weier'}) RETURN count(m)"
    answer, _, _ = ask(query, rows(["count(m)"], (0, [], [])))
    assert answer.value is None
    assert "the graph has no 'Ada Weier'" in (answer.reason or "")


def test_a_count_of_what_is_there_may_be_zero() -> None:
    query = "MATCH (:Test {name: 'Ada Weir'})-[:starred_actors]->(m) RETURN count(m)"
    answer, _, _ = ask(query, rows(["count(m)"], (0, [], [])))
    assert answer.value == 0
    assert not answer.is_empty


def test_yes_or_no() -> None:
    query = "MATCH (m)-[:starred_actors]->(:Test {name: 'Ada Weir'}) RETURN count(m) > 1"
    answer, _, _ = ask(query, rows(["count(m) > 1"], (True, [], [])))
    assert (answer.value, answer.text) == (True, "Yes.")


def test_two_columns_are_groups() -> None:
    query = "MATCH (m)-[:directed_by]->(p) RETURN p.name AS who, count(m) AS films"
    found = (
        ("Ken Amagiri", 2, [], [[node("Ken Amagiri"), "name", "Ken Amagiri"]]),
        ("Harriet Coldmoor", 1, [], [[node("Harriet Coldmoor"), "name", "Harriet Coldmoor"]]),
    )
    answer, _, _ = ask(query, rows(["who", "films"], *found))
    assert isinstance(answer.value, tuple)
    assert [(each.entity.id, each.value) for each in answer.value] == [
        ("Ken Amagiri", 2),
        ("Harriet Coldmoor", 1),
    ]


def test_names_of_nodes_are_answers_and_other_properties_are_values() -> None:
    query = "MATCH (m) WHERE m.year > 1 RETURN m.name"
    values = [[node("Quiet Shore"), "year", 1989], [node("Quiet Shore"), "name", "Quiet Shore"]]
    answer, _, _ = ask(query, rows(["m.name"], ("Quiet Shore", [], values)))
    assert names(answer) == {"Quiet Shore"}
    assert [path.entities[-1].name for path in answer.evidence] == ["1989"]
    answer, _, _ = ask("MATCH (m) RETURN m.year", rows(["m.year"], (1989, [], [values[0]])))
    assert answer.value == 1989


def test_values_of_several_stand_with_their_owners() -> None:
    query = "MATCH (m) RETURN m.year"
    found = [(year, [], [[node(film), "year", year]]) for film, year in (("A", 1), ("B", 2))]
    answer, _, _ = ask(query, rows(["m.year"], *found))
    assert isinstance(answer.value, tuple)
    assert [(each.entity.name, each.value) for each in answer.value] == [("A", 1), ("B", 2)]
    assert isinstance(answer.value[0], EntityValue)


def test_rows_beyond_the_limit_of_reading_are_told() -> None:
    def read(script: str) -> Row:
        return rows(["m"], *STARS)(script) | {"truncated": True}

    answer, _, _ = ask(QUERY, read, max_rows=2)
    assert answer.truncated
    assert "beyond the first 2" in answer.notes[0]


@pytest.mark.parametrize(
    ("question", "limit", "told"),
    [
        (QUESTION, 1, True),
        ("Which 2 films star Ada Weir?", 2, False),
        ("Which two films star Ada Weir?", 2, False),
        (QUESTION, 2, True),
    ],
)
def test_a_limit_that_nobody_asked_for_is_told(question: str, limit: int, told: bool) -> None:
    def read(script: str) -> Row:
        every = [*STARS, (node("Snow Whale"), [], [])]
        return rows(["m"], *(every[:limit] if "LIMIT" in script else every))(script)

    answer, _, _ = ask(f"{QUERY} LIMIT {limit}", read, question)
    assert answer.truncated == told
    assert any(f"only the first {limit} of 3 rows" in note for note in answer.notes) == told


def test_rows_that_tie_with_the_last_one_are_told() -> None:
    def read(script: str) -> Row:
        every = [("A", 5, [], []), ("B", 5, [], []), ("C", 1, [], [])]
        return rows(["who", "n"], *(every[:1] if "LIMIT" in script else every))(script)

    query = "MATCH (m)-->(p) RETURN p.name AS who, count(m) AS n ORDER BY n DESC LIMIT 1"
    answer, _, _ = ask(query, read, "Who directed the most films?")
    assert answer.truncated
    assert any(
        "1 row that the query leaves out (LIMIT 1) has the same 'n'" in n for n in answer.notes
    )


def test_evidence_that_cannot_be_read_leaves_the_rows() -> None:
    def read(script: str) -> Row:
        if "kgdb_facts" in script:
            return {"status": "MEMORY", "message": "too much"}
        return rows(["m"], *STARS)(script)

    answer, _, _ = ask(QUERY, read)
    assert names(answer) == {"The Salt Ledger", "Quiet Shore"}
    assert any("are their own evidence" in note for note in answer.notes)


def test_without_a_model_it_says_what_to_do() -> None:
    (answer,) = reasoner("text2cypher", memory_graph(films())).answers([QUESTION])
    assert answer.reason == (
        "the method text2cypher asks a language model, and there is none. Name one with --llm."
    )


def test_it_does_not_verify() -> None:
    with pytest.raises(UsageError, match="text2cypher"):
        reasoner("text2cypher", memory_graph(films()), ScriptedModel()).verify("Ada Weir starred.")
