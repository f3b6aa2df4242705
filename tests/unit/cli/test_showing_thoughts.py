"""What ``--show-thought`` and ``--explain`` print of GoT-R's graph of thought."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import memory_graph, reasoner
from films import TWO_HOPS, films
from scripted import ScriptedModel
from scripted_gotr import CHAIN, DECOMPOSE, ask, replies

from kgdb.cli.showing import show
from kgdb.errors import ModelError, PluginMissing
from kgdb.presentation import last_thought
from kgdb.values import Answer, Stage, Usage

pytestmark = pytest.mark.unit

REFUSED = "MATCH (n) DETACH DELETE n"
NONE = "No graph of thought was drawn: "


def printed(
    capsys: pytest.CaptureFixture[str], answer: Answer, *, explain: bool, thought: bool
) -> tuple[str, str]:
    """What is on standard output and on standard error."""
    show(answer, 20, explain=explain, thought=thought)
    return capsys.readouterr()


def test_without_a_language_model_that_is_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    answer = ask("who is it?")
    _, err = printed(capsys, answer, explain=False, thought=True)
    assert err == (
        f"{NONE}there is no language model to draw one, and no chain of relations was found in its "
        "place.\n"
    )


def test_what_was_refused_is_shown_with_its_error(capsys: pytest.CaptureFixture[str]) -> None:
    given = replies(REFUSED, repair=REFUSED)
    answer = ask(TWO_HOPS, given, atomic_relations=False)
    out, err = printed(capsys, answer, explain=False, thought=True)
    assert f"│   └── {REFUSED}\n├── refused: " in out
    assert err == (
        f"{NONE}what the language model wrote was refused, and no chain of relations was found in "
        "its place.\n"
    )


def test_what_could_not_be_run_was_not_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def missing(*_: object, **__: object) -> None:
        raise PluginMissing("There is no plugin.")

    monkeypatch.setattr("kgdb.methods.context.batched_graph.BatchedGraph.ground_thought", missing)
    answer = ask(TWO_HOPS, replies(), atomic_relations=False)
    out, err = printed(capsys, answer, explain=False, thought=True)
    assert "CREATE (ada {name: 'Ada Weir'})" in out
    assert f"{NONE}what the language model wrote could not be run, " in err


def test_a_question_that_failed_before_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    model = ScriptedModel(replies() | {DECOMPOSE: ModelError("The model is gone.")})
    (answer,) = reasoner("gotr", memory_graph(films()), model).answers([TWO_HOPS])
    _, err = printed(capsys, answer, explain=False, thought=True)
    assert err == f"Error: The model is gone.\n{NONE}the question had failed before.\n"


def test_of_another_method_it_is_told_which_draws_one(capsys: pytest.CaptureFixture[str]) -> None:
    thinks = Stage("think", {"thought": "Ada Weir, I believe."}, Usage())
    answer = replace(ask("who is it?"), method="rok", trace=(thinks,))
    assert last_thought(answer.trace) is None
    out, err = printed(capsys, answer, explain=True, thought=True)
    assert err == f"{NONE}--method gotr draws one.\n"
    assert "  thought: Ada Weir, I believe.\n" in out


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("model", [False, True])
def test_explaining_draws_it_once(
    capsys: pytest.CaptureFixture[str], model: bool, shown: bool
) -> None:
    answer = ask(TWO_HOPS, replies(CHAIN, ["Ken Amagiri"]) if model else None)
    assert answer.entities
    out, _ = printed(capsys, answer, explain=True, thought=shown)
    assert out.count("graph of thought") == 1
    assert "nodes=" not in out
    assert "edges=" not in out
    assert out.count("── found as directed_by, ") == 1
    assert out.count("drawn_by: ") == 1
    first, *_ = CHAIN.splitlines()
    assert out.count(f"  scripts:\n    {first}\n") == model
