"""The default language model's computations, held to the library whose model it is."""

from __future__ import annotations

import copy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from outcomes import complete
from tiny import tiny_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from kgdb.language import CompletionRequest
from kgdb.language.local.llama import load_llama
from kgdb.language.local.transformers_model import TransformersModel
from kgdb.language.local.weights import load_weights

pytestmark = [pytest.mark.unit, pytest.mark.slow]

PROMPT = torch.tensor([[5, 17, 300, 42, 8, 9]])


@pytest.fixture(scope="module", params=["tied", "untied"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    return tiny_model(folder, tied=request.param == "tied")


@pytest.fixture(scope="module")
def own(folder: Path) -> Any:
    return load_llama(folder, "float32").model


@pytest.fixture(scope="module")
def library(folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


def assert_same(own: Any, library: Any, *tokens: Any, **given: Any) -> None:
    with torch.inference_mode():
        one, other = (model(*tokens, **copy.deepcopy(given)) for model in (own, library))
    torch.testing.assert_close(one.logits, other.logits, rtol=0, atol=1e-5)


def test_prompts_have_the_logits_of_the_library(own: Any, library: Any) -> None:
    assert_same(own, library, PROMPT)
    assert_same(own, library, PROMPT, use_cache=True, logits_to_keep=1)
    assert_same(own, library, PROMPT[:, :1])


@pytest.mark.parametrize("length", [1, 4])
def test_so_has_what_comes_after_a_cache(own: Any, library: Any, length: int) -> None:
    with torch.inference_mode():
        cache = library(PROMPT, use_cache=True).cache
    assert_same(own, library, PROMPT[:, :length] + 1, cache=cache)


def test_so_have_rows_that_are_padded_on_the_left(own: Any, library: Any) -> None:
    rows = PROMPT.repeat(2, 1)
    mask = torch.ones_like(rows)
    mask[1, :2] = 0
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    with torch.inference_mode():
        cache = library(rows, attention_mask=mask, position_ids=positions, use_cache=True).cache
    assert_same(
        own,
        library,
        torch.tensor([[3], [4]]),
        attention_mask=torch.cat([mask, mask.new_ones((2, 1))], dim=-1),
        position_ids=mask.sum(-1, keepdim=True),
        cache=cache,
    )


def test_so_have_texts_that_branch(own: Any, library: Any) -> None:
    with torch.inference_mode():
        cache = library(PROMPT, use_cache=True).cache
    # The second and the third token both come after the first.
    mask = torch.zeros((3, 9))
    mask[0, 7:] = mask[1, 8] = mask[2, 7] = torch.finfo(torch.float32).min
    assert_same(
        own,
        library,
        torch.tensor([[10, 11, 12]]),
        attention_mask=mask[None, None],
        position_ids=torch.tensor([[6, 7, 7]]),
        cache=cache,
    )


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_replies_are_those_of_the_library(folder: Path, dtype: str) -> None:
    requests = [
        CompletionRequest("Who directed the films?", max_tokens=12),
        CompletionRequest("第七个渡口 的 导演 是 谁?", max_tokens=9),
        CompletionRequest("ab?", max_tokens=9, grammar='start: ("ab" | "cd" ",")+'),
        CompletionRequest(
            "Who?", choices=("the director of this", "the films starring this", "Ada")
        ),
        CompletionRequest("The director of", choices=("this", "Ada Weir"), continues=True),
    ]
    own = TransformersModel("own", load_llama(folder, dtype))
    library = TransformersModel("library", load_weights(str(folder), dtype=dtype))
    for one, other in zip(complete(own, *requests), complete(library, *requests), strict=True):
        assert one.text == other.text
        assert one.scores == pytest.approx(other.scores, abs=1e-3)
        assert (one.tokens_in, one.tokens_out) == (other.tokens_in, other.tokens_out)
    assert (own.context, own.parameters) == (library.context, library.parameters)


def test_texts_have_the_tokens_of_the_library(folder: Path) -> None:
    own, library = load_llama(folder).tokenizer, AutoTokenizer.from_pretrained(folder)
    for text in ("", "Who directed it?", "<|im_end|> 第七", " \n\tx"):
        assert own(text).input_ids == library(text).input_ids
    assert own.chat_template == library.chat_template
    assert own.all_special_tokens == library.all_special_tokens


LOAD = """
import sys
from pathlib import Path
from kgdb.language.local.llama import load_llama
from kgdb.language.local.transformers_model import TransformersModel

TransformersModel("own", load_llama(Path(sys.argv[1])))
print(*sys.modules)
"""


def test_no_model_classes_are_imported(tiny_folder: Path) -> None:
    """They take longer to import than PyTorch does."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD, tiny_folder], capture_output=True, text=True, check=True
    )
    modules = set(done.stdout.split())
    assert "transformers" in modules
    assert not modules & {"transformers.modeling_utils", "transformers.models", "torch._dynamo"}
