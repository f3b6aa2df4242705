"""Questions as nobody asks them: emoji, thousands of characters, more than a model can read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from fakes import memory_graph, reasoner
from films import TWO_HOPS, films
from outcomes import names, retrieved
from scripted import ScriptedModel

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.language.local.prompt_tokens import too_long
from kgdb.methods import Reasoner, all_methods
from kgdb.values import Answer

pytestmark = [pytest.mark.unit, pytest.mark.slow]

LENGTH = 5000
FILLER = " and then somebody said that nobody remembers anything of it at all," * 100
EMOJI = (
    "🎬",
    "who directed 👩‍👩‍👧‍👦?",
    "who directed [🎬]?",
    "who acted in [The Salt Ledger] 🇫🇷 🤷🏽‍♀️?",
)
NAMED_LAST = FILLER[: LENGTH - len(TWO_HOPS)] + TWO_HOPS
CHINESE_NAMED_LAST = "谁导演了那部电影？" * ((LENGTH - 30) // 9) + "Quiet Shore 的导演是谁？"
LONG = (NAMED_LAST, "a" * LENGTH, "🎬" * LENGTH)
OPTIONS: dict[str, dict[str, Any]] = {
    "bm25": {"corpus": "neighborhood"},
    "embedding": {"corpus": "neighborhood"},
    "refkg": {"inference": "read"},
}
READING = ("rok", "gotr", "refkg", "kggpt", "tog", "mindmap")


class Small(ScriptedModel):
    """Refuses a prompt that leaves no room for its reply, as real ones do."""

    def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
        prompt = len(ask.prompt.split())
        if prompt + ask.max_tokens > self.context:
            return too_long(self.name, prompt, ask.max_tokens, self.context)
        return super()._reply(ask)


def made(method: str, model: ScriptedModel | None = None) -> Reasoner:
    return reasoner(method, memory_graph(films()), model, **OPTIONS.get(method, {}))


@pytest.mark.parametrize("llm", [False, True], ids=["without a model", "with a model"])
@pytest.mark.parametrize("questions", [EMOJI, LONG], ids=["emoji", "long"])
@pytest.mark.parametrize("method", all_methods())
def test_each_is_answered_or_has_a_reason(
    method: str, questions: tuple[str, ...], llm: bool
) -> None:
    for answer in made(method, ScriptedModel() if llm else None).answers(questions):
        assert answer.error is None, answer.question
        assert answer.entities or answer.reason
        assert json.dumps(answer.to_dict(), ensure_ascii=False).encode()


class Spelling(ScriptedModel):
    """A model to which every character is a token, as to one that has never seen the script."""

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]

    def _reply(self, ask: CompletionRequest) -> Completion | ModelError:
        if len(ask.prompt) + ask.max_tokens > self.context:
            return too_long(self.name, len(ask.prompt), ask.max_tokens, self.context)
        return super()._reply(ask)


@pytest.mark.parametrize("context", [pytest.param(4096, marks=pytest.mark.endurance), 8192])
@pytest.mark.parametrize("method", READING)
def test_one_longer_than_a_model_reads_ends_with_the_numbers(method: str, context: int) -> None:
    questions = ("🎬" * LENGTH, CHINESE_NAMED_LAST)
    for answer in made(method, Spelling(context=context)).answers(questions):
        if answer.error is None:
            assert answer.entities or answer.reason
        else:
            assert isinstance(answer.error, ModelError)
            assert f"{context:,}" in answer.error.message
            assert "larger context" in (answer.error.hint or "")


@pytest.mark.parametrize("method", ["refkg", "rok", "gotr", "kggpt"])
def test_emoji_around_a_question_are_no_part_of_it(method: str) -> None:
    answer = made(method).answer(f"🤷🏽‍♀️ {TWO_HOPS} 🇫🇷")
    assert names(answer) == {"Ken Amagiri", "Harriet Coldmoor"}


@pytest.mark.parametrize("method", ["rok", "gotr", "mindmap", "neighbors"])
def test_a_name_is_found_at_the_end_of_a_long_text(method: str) -> None:
    answer = made(method).answer(NAMED_LAST)
    assert any("Ada Weir" in path for path in retrieved(answer))


def outcome(method: str, model: ScriptedModel) -> Answer:
    (answer,) = made(method, model).answers([TWO_HOPS])
    return answer


@pytest.mark.parametrize("method", READING)
def test_a_context_too_small_for_one_fact_is_an_error_with_both_numbers(method: str) -> None:
    error = outcome(method, ScriptedModel(context=100)).error
    assert isinstance(error, ModelError)
    assert re.match(
        r"The model 'scripted' reads 100 tokens; the question and one fact need \d", error.message
    )
    assert "larger context" in (error.hint or "")


@pytest.mark.parametrize("method", READING)
def test_a_context_of_what_was_needed_at_last_is_enough(method: str) -> None:
    context, answer = 100, outcome(method, ScriptedModel(context=100))
    for _ in range(5):
        if answer.error is None:
            break
        context = int(answer.error.message.rpartition("need ")[2].rstrip(".").replace(",", ""))
        answer = outcome(method, ScriptedModel(context=context))
    assert answer.error is None
    assert answer.entities or answer.reason
    assert outcome(method, ScriptedModel(context=context - 1)).error


@pytest.mark.parametrize("method", READING)
def test_whatever_its_context_a_model_reads_or_says_that_it_cannot(method: str) -> None:
    outcomes = [outcome(method, Small(context=context)) for context in range(1, 900, 60)]
    for answer in outcomes:
        if answer.error is None:
            assert answer.entities or answer.reason
        else:
            assert isinstance(answer.error, ModelError)
            assert "larger context" in (answer.error.hint or "")
    refused = [answer.error is not None for answer in outcomes]
    assert refused == sorted(refused, reverse=True)
    assert (refused[0], refused[-1]) == (True, False)


def test_of_two_questions_the_one_that_is_left_is_named() -> None:
    answer = reasoner("auto", memory_graph(films())).answer(
        "Who directed [Quiet Shore], and when was it released?"
    )
    assert names(answer)
    assert "Only one question is answered; ask 'when was it released' on its own." in answer.notes
