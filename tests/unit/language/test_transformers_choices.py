"""How a language model in this process scores choices, with a tiny one of random weights."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

import pytest
import torch
from outcomes import complete
from transformers import AutoModelForCausalLM, AutoTokenizer

from kgdb.language import CompletionRequest
from kgdb.language.local import batch_memory, choice_scoring
from kgdb.language.local.model_weights import load_weights
from kgdb.language.local.transformers_model import TransformersModel

pytestmark = [pytest.mark.unit, pytest.mark.slow]


@pytest.fixture(scope="module")
def model(tiny_folder: Path) -> TransformersModel:
    return TransformersModel("tiny", load_weights(str(tiny_folder)))


@pytest.mark.parametrize("continues", [False, True])
def test_choices_have_the_exact_log_probabilities_of_their_texts(
    model: TransformersModel, tiny_folder: Path, continues: bool
) -> None:
    choices = ("the director of this", "the films starring this", "Ada Weir", "是 谁")
    reply = complete(model, CompletionRequest("Who is it?", choices=choices, continues=continues))[
        0
    ]
    network = AutoModelForCausalLM.from_pretrained(tiny_folder)
    tokenizer = AutoTokenizer.from_pretrained(tiny_folder)
    if continues:
        prompt, space = "Who is it?", " "
    else:
        prompt, space = "<|im_start|>user\nWho is it?<|im_end|>\n<|im_start|>assistant\n", ""
    before = len(tokenizer(prompt).input_ids)
    expected = []
    for choice in choices:
        tokens = torch.tensor(tokenizer([f"{prompt}{space}{choice}"]).input_ids)
        logs = network(tokens).logits.log_softmax(-1)[0, before - 1 : -1]
        expected.append(logs.gather(-1, tokens[0, before:, None]).sum().item())
    assert reply.scores == pytest.approx(expected, abs=1e-3)
    assert reply.text == choices[expected.index(max(expected))]
    assert reply.tokens_out == 0


def test_a_choice_that_merges_with_the_end_of_the_prompt_is_scored_from_before_it(
    model: TransformersModel,
) -> None:
    # "direct" and "ed" are pieces of one token, and so are "direct" and "or".
    choices = model._tokens.choices(
        CompletionRequest("direct", choices=("ed", "or"), continues=True)
    )
    spaced = model._tokens.choices(
        CompletionRequest("films ", choices=("starring",), continues=True)
    )
    text = model._tokens.text
    assert [text(choices.shared + rest) for rest in choices.rests] == ["direct ed", "direct or"]
    # The space at the end of the prompt belongs to the first token of the choice.
    assert [text(spaced.shared), text(spaced.rests[0])] == ["films", " starring"]


def test_choices_after_nothing_are_scored_whole(model: TransformersModel) -> None:
    choices = model._tokens.choices(CompletionRequest("", choices=("Ada", "this"), continues=True))
    assert [model._tokens.text(rest) for rest in choices.rests] == ["Ada", "this"]
    assert len(choices.shared) == 1


def test_the_first_of_equal_choices_is_taken(model: TransformersModel) -> None:
    reply = complete(model, CompletionRequest("Who?", choices=("Ada Weir", "Ada Weir")))[0]
    assert reply.scores is not None
    assert reply.scores[0] == reply.scores[1]


@pytest.mark.parametrize("branching", [True, False])
def test_many_choices_are_scored_in_parts_that_fit_the_memory(
    model: TransformersModel, monkeypatch: pytest.MonkeyPatch, branching: bool
) -> None:
    choices = tuple(f"film {i} " * (1 + i % 7) for i in range(60))
    ask = CompletionRequest("Which one?", choices=choices)
    whole = complete(model, ask)[0]
    share = 4_000_000
    monkeypatch.setattr(batch_memory.Memory, "_share", lambda self: share)
    monkeypatch.setattr(choice_scoring, "_can_branch", lambda model: branching)
    passes = count_tokens(model, monkeypatch)
    parts = complete(model, ask)[0]
    assert parts.text == whole.text
    assert parts.scores == pytest.approx(whole.scores, abs=1e-3)
    assert 3 < len(passes) < 40
    assert max(passes) < sum(passes) / 3


def test_words_with_which_several_choices_begin_are_read_once(
    model: TransformersModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    choices = tuple(f"the films starring this {word}" for word in ("one", "two", "Ada Weir"))
    rests = model._tokens.choices(CompletionRequest("Who?", choices=choices)).rests
    passes = count_tokens(model, monkeypatch)
    model.complete([CompletionRequest("Who?", choices=choices)])
    # What comes before the last token of each, as far as it differs.
    differing = {tuple(rest[:end]) for rest in rests for end in range(1, len(rest))}
    assert passes[1:] == [len(differing)]
    assert len(differing) < sum(map(len, rests)) - 8


def count_tokens(model: TransformersModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tokens of each pass through the network from now on."""
    passes: list[int] = []
    forward = model._model.forward

    @wraps(forward)
    def counted(input_ids: torch.Tensor, **given: Any) -> Any:
        passes.append(input_ids.numel())
        return forward(input_ids, **given)

    monkeypatch.setattr(model._model, "forward", counted)
    return passes
