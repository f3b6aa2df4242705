"""GoT-R's switches: each row of the paper's ablations, and what is ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import BagOfWords, memory_graph, reasoner
from films import JOINED, TWO_HOPS, films
from outcomes import names, retrieved, said
from scripted import ScriptedModel
from scripted_gotr import JOIN, THOUGHT, ask, replies

from kgdb.errors import UsageError
from kgdb.methods import Reasoner, Resources, create

pytestmark = pytest.mark.unit


def test_without_atomic_relations_none_is_offered() -> None:
    model = ScriptedModel(replies(answers=["Ken Amagiri"]))
    answer = reasoner("gotr", memory_graph(films()), model, atomic_relations=False).answer(TWO_HOPS)
    (offered,) = [asked.prompt for asked in model.asked if THOUGHT in asked.prompt]
    assert "directed_by: " not in offered
    # Nothing else needs the atomic questions.
    assert not any("atomic questions" in asked.prompt for asked in model.asked)
    assert said(answer, "relations")["relations"] == []
    assert names(answer) >= {"Ken Amagiri"}


def test_relation_unaware_evidence_is_really_used() -> None:
    """It was computed and thrown away in the released code."""
    question = "what is there between Ada Weir and Rex Hallorand?"
    thought = "CREATE (a {name: 'Ada Weir'})<-[:directed_by]-(f)"
    joining = ("Ada Weir", "Quiet Shore", "Rex Hallorand")
    answer = ask(question, replies(thought, ["Quiet Shore"]), also_chains=False)
    assert joining in retrieved(answer)
    assert names(answer) >= {"Quiet Shore"}
    without = ask(question, replies(thought), relation_unaware=False, also_chains=False)
    assert joining not in retrieved(without)
    assert said(without, "retrieve")["unaware"] == 0


def test_relation_unaware_evidence_is_read_however_much_is_found_by_relations() -> None:
    cast = [("Quiet Shore", "starred_actors", f"actor {number}") for number in range(150)]
    thought = "CREATE (q {name: 'Quiet Shore'})-[:starred_actors]->(who)"
    model = ScriptedModel(replies(thought), context=100_000)
    method = reasoner(
        "gotr", memory_graph(films(*cast)), model, relations_per_edge=1, also_chains=False
    )
    found = said(method.answer("what is the release year of Quiet Shore?"), "retrieve")
    assert found["paths"] == 100
    assert "1989" in model.asked[-1].prompt


def test_without_relation_aware_retrieval_no_chain_is_followed() -> None:
    answer = ask(TWO_HOPS, replies(), relation_aware=False)
    assert ("Ada Weir", "The Salt Ledger", "Ken Amagiri") not in retrieved(answer)
    assert ("Ada Weir", "The Salt Ledger") in retrieved(answer)


def test_without_retrieval_nothing_is_proved() -> None:
    driver = films()
    given = replies(answers=["Ken Amagiri"])
    answer = ask(TWO_HOPS, given, driver=driver, hybrid=False)
    assert (answer.entities, answer.retrieved, answer.unsupported) == ((), (), ())
    assert "'Ken Amagiri'" in (answer.reason or "")
    assert "search_all" not in [name for name, _ in driver.sent]
    answer = ask(TWO_HOPS, given, hybrid=False, allow_unsupported=True)
    assert answer.unsupported == ("Ken Amagiri",)
    assert "only a language model" in (ask(TWO_HOPS, hybrid=False).reason or "")


def test_chains_are_followed_beside_a_thought_that_misses_the_point() -> None:
    wrong = replies("CREATE (a {name: 'Ada Weir'})<-[:written_by]-(f)", ["Ken Amagiri"])
    asked_for = ("Ada Weir", "The Salt Ledger", "Ken Amagiri")
    answer = ask(TWO_HOPS, wrong)
    assert said(answer, "thought")["drawn_by"] == "language model"
    assert asked_for in retrieved(answer)
    assert names(answer) >= {"Ken Amagiri"}
    assert asked_for not in retrieved(ask(TWO_HOPS, wrong, also_chains=False))


def test_a_thought_and_the_chains_beside_it_take_turns() -> None:
    """Neither may push the other out of what a model reads, or of the paths that are kept."""
    wrong = replies("CREATE (a {name: 'Ada Weir'})<-[:starred_actors]-(f)")
    first, second = ask(TWO_HOPS, wrong, k1=2, match=False).retrieved[:2]
    assert (len(first.steps), len(second.steps)) == (2, 1)


@pytest.mark.parametrize("option", [{"grammar": True}, {"grammar": False}])
def test_a_model_is_held_to_a_grammar_where_it_can_be(option: dict[str, bool]) -> None:
    model = ScriptedModel(replies(), supports_grammar=True)
    reasoner("gotr", memory_graph(films()), model, **option, k_q=1).answer(TWO_HOPS)
    (held,) = [asked for asked in model.asked if THOUGHT in asked.prompt]
    assert (held.grammar is not None) == option["grammar"]
    assert bool(held.stop) != option["grammar"]
    if held.grammar:
        assert '"directed_by" | "starred_actors"' in held.grammar
        assert 'name: "Ada Weir"' in held.grammar


def test_a_model_that_keeps_no_grammar_is_asked_without() -> None:
    model = ScriptedModel(replies())
    reasoner("gotr", memory_graph(films()), model).answer(TWO_HOPS)
    assert {asked.grammar for asked in model.asked} == {None}


def test_without_matching_no_pattern_is_sent() -> None:
    driver = films()
    answer = ask(JOINED, replies(JOIN), driver=driver, match=False)
    (sent,) = [parameters for name, parameters in driver.sent if name == "search_all"]
    assert [of["thoughts"] for of in sent["wanted"]] == [[]]
    assert said(answer, "retrieve")["matches"] == 0


@pytest.mark.parametrize(("option", "key"), [("k1", "paths"), ("k2", "triples"), ("k3", "unaware")])
def test_so_much_evidence_is_kept(option: str, key: str) -> None:
    answer = ask(TWO_HOPS, replies(), **{option: 1})
    assert said(answer, "retrieve")[key] == 1


def test_the_length_of_shortest_paths() -> None:
    thought = "CREATE (a {name: 'Ada Weir'})<-[:directed_by]-(f)"
    far = "who links Ada Weir and Ken Amagiri and 1989?"
    found = ask(far, replies(thought), l=2, also_chains=False)
    assert any(len(path) == 3 for path in retrieved(found))
    near = ask(far, replies(thought), l=1, also_chains=False)
    assert all(len(path) <= 2 for path in retrieved(near))


def thought_prompt(examples: Path | None = None, **options: Any) -> str:
    """What a model is asked for a graph of thought."""
    model, encoder = ScriptedModel(replies()), BagOfWords()
    graph = memory_graph(films())
    resources = Resources(graph, encoder, model, examples=examples)
    Reasoner(create("gotr", options), resources).answer(TWO_HOPS)
    (asked,) = [asked.prompt for asked in model.asked if THOUGHT in asked.prompt]
    return asked


def test_the_examples_are_those_of_the_graph(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    lines = [
        json.dumps({"question": f"{{x}} {number}?", "reply": f"CREATE (:{number})"})
        for number in "abcd"
    ]
    (tmp_path / "en" / "got.test.jsonl").write_text("\n".join(lines), encoding="utf-8")
    asked = thought_prompt(tmp_path)
    assert "Question: {x} a?\n```cypher\nCREATE (:a)\n```\n\nQuestion: {x} b?" in asked
    assert "{x} d?" in asked
    assert "Jane Doe" not in asked
    fewer = thought_prompt(tmp_path, shots=3)
    assert "{x} c?" in fewer
    assert "{x} d?" not in fewer


def test_without_examples_of_its_own_a_graph_has_the_general_ones() -> None:
    assert "Which book did both Ann Roe and Carl Poe write?" in thought_prompt()
    assert "Jane Doe" not in thought_prompt(shots=0)


@pytest.mark.parametrize(
    ("name", "value"), [("k_q", 0), ("l", 7), ("k1", 0), ("width", 0), ("chain_hops", 5)]
)
def test_an_option_out_of_range_is_refused(name: str, value: int) -> None:
    with pytest.raises(UsageError, match=f"{name} is {value}; expected"):
        create("gotr", {name: str(value)})
