"""GoT-R over a small film world in memory: its steps, what they cost, many questions at once."""

from __future__ import annotations

import pytest
from fakes import BagOfWords, memory_graph, reasoner
from films import FILMS, JOINED, TWO_HOPS, films
from outcomes import names, retrieved, said
from scripted import ScriptedModel
from scripted_gotr import CHAIN, JOIN, THOUGHT, ask, replies

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed Snow Whale?", {"Ken Amagiri"}),
        (TWO_HOPS, {"Ken Amagiri", "Harriet Coldmoor"}),
    ],
)
def test_without_a_language_model_a_chain_of_relations_is_the_thought(
    question: str, expected: set[str]
) -> None:
    answer = ask(question)
    assert names(answer) == expected
    assert (answer.usage.calls, answer.reason, answer.notes) == (0, None, ())
    assert answer.usage.round_trips <= 5
    assert said(answer, "thought")["drawn_by"] == "encoder"
    for answered in answer.entities:
        assert answered.paths
        for path in answered.paths:
            assert path in answer.retrieved
            assert all((t.head.id, t.relation, t.tail.id) in FILMS for t in path.triples)


def test_three_calls_of_the_model_and_one_statement_for_all_evidence() -> None:
    driver = films()
    model = ScriptedModel(replies(answers=["Ken Amagiri", "Harriet Coldmoor"]))
    chosen = reasoner("gotr", memory_graph(driver), model, also_chains=False)
    answer = chosen.answer(TWO_HOPS)
    assert names(answer) == {"Ken Amagiri", "Harriet Coldmoor"}
    assert [stage.name for stage in answer.trace if stage.usage.calls] == [
        "decompose", "thought", "answer",
    ]  # fmt: skip
    assert answer.usage.calls == 3
    assert answer.usage.round_trips == 3
    driver.sent.clear()
    assert chosen.answer(TWO_HOPS).usage.round_trips == 3
    assert [name for name, _ in driver.sent] == ["entities/named", "got/ground", "search_all"]
    assert answer.interpretation == "film –starred_actors→ Ada Weir; film –directed_by→ who"


def test_atomic_relations_of_each_atomic_question_are_offered_once() -> None:
    model = ScriptedModel(replies())
    answer = reasoner("gotr", memory_graph(films()), model, k_q=1).answer(TWO_HOPS)
    assert said(answer, "relations")["relations"] == [
        {"question": "who directed <topic entity>?", "relations": ["directed_by"]},
        {"question": "which films star <topic entity>?", "relations": ["starred_actors"]},
    ]
    (offered,) = [asked.prompt for asked in model.asked if THOUGHT in asked.prompt]
    assert "directed_by: the director of X" in offered
    assert "release_year" not in offered


def test_k_q_relations_are_so_many_whatever_scores_are_the_same() -> None:
    """ "Top 3" is three relations, not all those of the three best scores."""
    alike = films(*(("Snow Whale", f"unlike_{number}", "Nobody") for number in range(30)))
    answer = ask(TWO_HOPS, replies(), driver=alike, k_q=3)
    assert [len(of["relations"]) for of in said(answer, "relations")["relations"]] == [3, 3]


def test_a_thought_with_a_join_is_found_whole() -> None:
    answer = ask(JOINED, replies(JOIN, ["Snow Whale"]))
    assert names(answer) == {"Snow Whale"}
    assert ("Ken Amagiri", "Snow Whale", "Rex Hallorand") in retrieved(answer)
    assert answer.retrieved[0].entities[1].name == "Snow Whale"
    assert said(answer, "retrieve")["matches"] > 0
    edges = said(answer, "retrieve")["thought"]["edges"]
    found = [fact for found in edges[0]["found"] for fact in found["facts"]]
    assert ["Snow Whale", "directed_by", "Ken Amagiri"] in found


def test_an_edge_against_its_direction_and_in_other_words_is_found() -> None:
    thought = "CREATE (a {name: 'Ada Weir'})-[:STARRED_ACTORS]->(f)-[:was_directed]->(who)"
    answer = ask(TWO_HOPS, replies(thought, ["Ken Amagiri"]))
    assert ("Ada Weir", "The Salt Ledger", "Ken Amagiri") in retrieved(answer)


def test_what_the_model_believes_is_a_candidate_and_no_condition() -> None:
    thought = CHAIN.replace("(who)", "(who {name: 'Rex Hallorand'})")
    answer = ask(TWO_HOPS, replies(thought, ["Ken Amagiri"]))
    nodes = said(answer, "retrieve")["thought"]["nodes"]
    assert [(node["name"], node["anchor"]) for node in nodes if node["entities"]] == [
        ("Ada Weir", True), ("Rex Hallorand", False),
    ]  # fmt: skip
    assert names(answer) >= {"Ken Amagiri"}
    # Between what is asked about and what is believed lies a shortest path.
    assert ("Ada Weir", "Quiet Shore", "Rex Hallorand") in retrieved(answer)


def test_many_questions_get_what_each_gets_alone() -> None:
    questions = [TWO_HOPS, JOINED, "who is it?", "when was Quiet Shore released?"]
    given = replies(JOIN, ["Snow Whale", "1989"])
    model = ScriptedModel(given)
    run_batched = reasoner("gotr", memory_graph(films()), model).answers(questions)
    for question, answer in zip(questions, run_batched, strict=True):
        alone = reasoner("gotr", memory_graph(films()), ScriptedModel(given)).answer(question)
        assert (alone.entities, alone.retrieved, alone.reason, alone.interpretation) == (
            answer.entities, answer.retrieved, answer.reason, answer.interpretation,
        )  # fmt: skip


def test_one_round_trip_serves_all_questions() -> None:
    driver = films()
    reasoner("gotr", memory_graph(driver), ScriptedModel(replies())).answers([TWO_HOPS] * 20)
    sent = [name for name, _ in driver.sent]
    assert (sent.count("search_all"), sent.count("got/ground")) == (1, 1)


def test_relations_are_encoded_once_for_all_questions() -> None:
    encoder = BagOfWords()
    chosen = reasoner("gotr", memory_graph(films()), ScriptedModel(replies()), encoder)
    chosen.answers([TWO_HOPS] * 5)
    chosen.answer(JOINED)
    assert encoder.encoded.count("the director of it") == 1


def test_the_first_question_gets_what_the_next_ones_get() -> None:
    chosen = reasoner("gotr", memory_graph(films()))
    first, second = chosen.answer(TWO_HOPS), chosen.answer(TWO_HOPS)
    assert (first.entities, first.retrieved) == (second.entities, second.retrieved)


def test_a_chinese_question_is_asked_in_chinese() -> None:
    driver = films(("雪鲸", "directed_by", "周深"))
    thought = "CREATE (a {name: '雪鲸'})-[:directed_by]->(b)"
    model = ScriptedModel(
        {
            "原子问题": '{"questions": ["<topic entity>的导演是谁？"]}',
            "第一步": thought,
            "事实": '{"answers": ["周深"]}',
        }
    )
    answer = reasoner("gotr", memory_graph(driver), model).answer("《雪鲸》是谁导演的？")
    assert "周深" in names(answer)
    assert all("Question" not in asked.prompt for asked in model.asked)
