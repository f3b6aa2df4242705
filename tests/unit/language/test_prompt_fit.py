"""What a prompt can hold: the most valuable evidence, to the last token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from fakes import BagOfWords, named
from hypothesis import given
from hypothesis import strategies as st
from scripted import ScriptedModel

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest, fit
from kgdb.language.text.prompt_fit import SPARE
from kgdb.methods import QuestionContext, Resources

pytestmark = pytest.mark.unit

REPLY = 20
LINES = ("one two three", "four", "five six")


@dataclass
class Words:
    """A model whose tokens are words."""

    context: int
    name = "words"
    counted = 0

    def count(self, texts: Sequence[str]) -> list[int]:
        self.counted += 1
        return [len(text.split()) for text in texts]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        raise NotImplementedError


def written(lines: Sequence[str]) -> str:
    """Five words, and each line behind its number: ten, twelve and fifteen words then."""
    numbered = " ".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    return f"Facts: {numbered} Question: who is it?"


def kept(room: int, lines: Sequence[str] = LINES) -> int:
    """How many lines stay where a prompt may have ``room`` words."""
    return fit(Words(room + REPLY + SPARE), lines, written, REPLY)


@pytest.mark.parametrize(
    ("room", "lines"), [(9, 1), (10, 1), (11, 2), (13, 2), (14, 3), (15, 3), (1000, 3)]
)
def test_what_fits_is_kept_to_the_last_token(room: int, lines: int) -> None:
    assert len(written(LINES[:1]).split()) == 9
    assert kept(room) == lines


@pytest.mark.parametrize("room", [8, 1, 0, -80])
def test_a_context_that_is_too_small_for_one_fact_is_an_error_with_both_numbers(room: int) -> None:
    with pytest.raises(ModelError, match="need 93") as refusal:
        kept(room)
    assert f"'words' reads {room + REPLY + SPARE} tokens" in refusal.value.message
    assert "larger context" in (refusal.value.hint or "")


def test_without_evidence_nothing_is_left_out() -> None:
    assert kept(-100, ()) == 0


def test_where_all_fits_it_is_counted_once() -> None:
    llm = Words(10_000)
    assert fit(llm, LINES * 100, written, REPLY) == 300
    assert llm.counted == 1


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(0, 150))
def test_it_is_as_many_as_there_can_be(sizes: list[int], room: int) -> None:
    lines = [" ".join(["word"] * size) for size in sizes]
    fitting = [n for n in range(1, len(lines) + 1) if len(written(lines[:n]).split()) <= room]
    if not fitting:
        with pytest.raises(ModelError):
            kept(room, lines)
    else:
        assert kept(room, lines) == max(fitting)


def test_a_single_fact_that_fits_alone_is_kept() -> None:
    assert kept(9, LINES[:1]) == 1
    with pytest.raises(ModelError):
        kept(8, LINES[:1])


@pytest.mark.parametrize(("context", "note"), [(1_000, ()), (79, ("2 of 3 facts were left out",))])
def test_what_a_method_leaves_out_is_told(context: int, note: tuple[str, ...]) -> None:
    encoder = BagOfWords()
    model = ScriptedModel(context=context)
    ctx = QuestionContext(Resources(named("Heat"), encoder, model), "who?")
    kept = ctx.llm.fit(["a fact"] * 3, lambda some: "Facts: " + " and ".join(some), 10, "facts")
    assert kept == (1 if note else 3)
    assert tuple(told.partition(":")[0] for told in ctx.notes) == note


def test_nothing_is_fitted_without_a_model() -> None:
    encoder = BagOfWords()
    ctx = QuestionContext(Resources(named("Heat"), encoder, None), "who?")
    with pytest.raises(ModelError, match="There is no language model"):
        ctx.llm.fit(["a fact"], " ".join, 10)
