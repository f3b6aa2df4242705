"""What GoT-R makes of scripts, replies, names and servers that are not as they should be."""

from __future__ import annotations

from typing import Any

import pytest
from fakes import MemoryDriver, memory_graph, reasoner
from films import FILMS, HOSTILE, TEXTS, TWO_HOPS, films
from outcomes import names, said
from scripted import ScriptedModel
from scripted_gotr import CHAIN, DECOMPOSE, REPAIR, THOUGHT, ask, replies

from kgdb.errors import ModelError, ModelUnavailable, PluginMissing, UsageError
from kgdb.language import Completion, CompletionRequest

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("repaired", [CHAIN, "```cypher\n" + CHAIN])
def test_a_refused_script_is_mended_once(repaired: str) -> None:
    model = ScriptedModel(replies("CREATE (a)\nSET a.x = 1", ["Ken Amagiri"], repair=repaired))
    answer = reasoner("gotr", memory_graph(films()), model).answer(TWO_HOPS)
    assert names(answer) >= {"Ken Amagiri"}
    assert said(answer, "thought")["errors"] == ["line 2, column 1: expected CREATE, found 'SET'"]
    # The stage that has the facts found tells of the drawing too: one stage draws the whole tree.
    assert said(answer, "retrieve")["scripts"] == ["CREATE (a)\nSET a.x = 1", repaired]
    assert said(answer, "retrieve")["errors"] == said(answer, "thought")["errors"]
    (mending,) = [asked.prompt for asked in model.asked if REPAIR in asked.prompt]
    assert "line 2, column 1: expected CREATE, found 'SET'" in mending
    assert "SET a.x = 1" in mending
    assert (answer.usage.calls, answer.usage.round_trips) == (4, 5)


def test_without_repair_the_model_is_not_asked_again() -> None:
    answer = ask(TWO_HOPS, replies("garbage", ["Ken Amagiri"], repair=CHAIN), repair=False)
    assert answer.usage.calls == 3
    assert said(answer, "thought")["drawn_by"] == "encoder"


@pytest.mark.parametrize(
    "script",
    [
        "",
        "   \n",
        "I'm sorry, I cannot do that.",
        "MATCH (n) DETACH DELETE n",
        "CREATE (a {name: 'Ada Weir'})",
        "CREATE (a {name: 'Jane Doe'})-[:directed_by]->(b)",
        "CREATE (a {name: 'Ada Weir'}) CREATE (b)-[:directed_by]->(c)",
        "x" * 50_000,
        "{question} {} %s }{",
    ],
)
def test_a_script_that_is_no_thought_costs_the_thought_alone(script: str) -> None:
    given = replies(script, ["Ken Amagiri", "Harriet Coldmoor"], repair=script)
    answer = ask(TWO_HOPS, given)
    assert names(answer) == {"Ken Amagiri", "Harriet Coldmoor"}
    assert any("no usable graph of thought" in note for note in answer.notes)
    assert len(said(answer, "thought")["errors"]) == 2
    assert (answer.usage.calls, answer.usage.round_trips) == (4, 5)


@pytest.mark.parametrize(
    "reply",
    ["", "[]", '{"questions": "x"}', '{"questions": [1, null]}', '{"questions": ["who', "no"],
)
def test_a_question_that_is_not_decomposed_is_taken_whole(reply: str) -> None:
    answer = ask(TWO_HOPS, replies(answers=["Ken Amagiri"]) | {DECOMPOSE: reply})
    assert said(answer, "decompose")["questions"] == [
        "who directed the films starring <topic entity>?"
    ]
    assert any("did not decompose" in note for note in answer.notes)
    assert names(answer) >= {"Ken Amagiri"}


def test_an_error_of_the_model_ends_its_own_question_alone() -> None:
    def flaky(asked: Any) -> str:
        return CHAIN

    given = replies(flaky, ["Ken Amagiri"])
    broken = ModelError("The server is gone.")
    model = ScriptedModel({"who directed Snow Whale?": broken, **given})
    answers = reasoner("gotr", memory_graph(films()), model).answers(
        [TWO_HOPS, "who directed Snow Whale?", TWO_HOPS]
    )
    assert [answer.error for answer in answers] == [None, broken, None]
    assert names(answers[0]) == names(answers[2]) >= {"Ken Amagiri"}


def test_a_server_that_refuses_the_grammar_is_asked_without() -> None:
    class Refusing(ScriptedModel):
        def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
            return ModelError("It cannot be compiled.") if ask.grammar else super()._reply(ask)

    model = Refusing(replies(answers=["Ken Amagiri"]), supports_grammar=True)
    answer = reasoner("gotr", memory_graph(films()), model).answer(TWO_HOPS)
    assert names(answer) >= {"Ken Amagiri"}
    assert said(answer, "thought")["drawn_by"] == "language model"
    assert any("without a grammar: It cannot be compiled." in note for note in answer.notes)
    assert answer.usage.calls == 3


def test_a_server_that_is_down_is_not_asked_again_without_the_grammar() -> None:
    class Down(ScriptedModel):
        def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
            return ModelUnavailable("It is down.") if THOUGHT in ask.prompt else super()._reply(ask)

    model = Down(replies(), supports_grammar=True)
    (answer,) = reasoner("gotr", memory_graph(films()), model).answers([TWO_HOPS])
    assert isinstance(answer.error, ModelUnavailable)
    assert sum(THOUGHT in ask.prompt for ask in model.asked) == 1


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("with_model", [False, True])
def test_names_that_give_orders_change_nothing(name: str, with_model: bool) -> None:
    driver = films(("Snow Whale", "written_by", name), (name, "starred_actors", "Ada Weir"))
    given = replies(answers=["Ken Amagiri"]) if with_model else None
    answer = ask(TWO_HOPS, given, driver=driver)
    plain = ask(TWO_HOPS, given)
    assert names(answer) == names(plain) == {"Ken Amagiri", "Harriet Coldmoor"}
    assert [stage.name for stage in answer.trace] == [stage.name for stage in plain.trace]


@pytest.mark.parametrize("name", HOSTILE)
def test_relations_that_give_orders_stay_on_their_line(name: str) -> None:
    model = ScriptedModel(replies())
    driver = films(("Snow Whale", name, "Mallory"))
    answer = reasoner("gotr", memory_graph(driver), model).answer(TWO_HOPS)
    assert answer.error is None
    (asked,) = [asked.prompt for asked in model.asked if THOUGHT in asked.prompt]
    listed = asked.split("Relations:\n")[1].split("\n\n")[0].splitlines()
    assert len(listed) == 5


def test_a_question_that_names_nothing_says_so() -> None:
    for given in (None, replies("CREATE (a)-[:x]->(b)", repair="")):
        answer = ask("who directed Qwertzuiop?", given)
        assert (answer.entities, answer.retrieved) == ((), ())
        assert "the question mentions no name" in (answer.reason or "")


def test_a_graph_without_relations_has_a_reason() -> None:
    driver = MemoryDriver([], names={"a": "Ada Weir"})
    for given in (None, replies(CHAIN)):
        answer = ask(TWO_HOPS, given, driver=driver)
        assert answer.entities == ()
        assert answer.reason


def test_a_server_without_the_plugin_gets_chains() -> None:
    class Without(MemoryDriver):
        def _got_ground(self, *_: Any, **__: Any) -> Any:
            raise PluginMissing("The server has no kgdb plugin.")

    answer = ask(TWO_HOPS, replies(answers=["Ken Amagiri"]), driver=Without(FILMS, TEXTS))
    assert any("plugin" in note for note in answer.notes)
    assert names(answer) >= {"Ken Amagiri"}


def test_it_does_not_verify() -> None:
    with pytest.raises(UsageError, match="does not verify"):
        reasoner("gotr", memory_graph(films())).verify("Ada Weir directed Heat.")
