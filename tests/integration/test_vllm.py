"""The real vLLM, in this process and as a server, held against the library transformers.

``make test-vllm`` makes an environment with vLLM as it is built for processors, and runs these.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import run
from model_server import SCHEMA, serving
from sources import Fact

import kgdb
from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest, LanguageModel, load_llm
from kgdb.language.local.prompt_tokens import Tokens
from kgdb.language.local.smollm2 import weights
from kgdb.progress import silent
from kgdb.settings import load_settings
from tests.unit.outcomes import complete

pytestmark = pytest.mark.integration

pytest.importorskip("vllm", reason="make test-vllm runs these")

_STARTING = 600
_SPACE = "1"
"""GiB of memory for what has been read."""

GRAMMAR = 'start: "CREATE (" /[a-z]{1,5}/ ")"'
FILM = "The Tuesday Engine"
CHOICES = ("Paris", "London", "the moon")


@pytest.fixture(scope="module")
def folder(home: Path) -> Path:
    return weights(home / "models", silent)


@pytest.fixture(scope="module", params=["in process", "server"])
def name(
    request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """What names the model in kgdb."""
    os.environ["VLLM_CPU_KVCACHE_SPACE"] = _SPACE
    if request.param == "in process":
        yield f"vllm:{folder}"
        return
    command = [str(Path(sys.executable).with_name("vllm")), "serve", str(folder)]
    command += ["--dtype", "float32"]
    with serving(command, tmp_path_factory.mktemp("serve") / "log.txt", _STARTING) as url:
        yield f"openai:{folder}@{url}"


@pytest.fixture(scope="module")
def model(home: Path, name: str) -> LanguageModel:
    settings = load_settings({"KGDB_HOME": str(home)}, llm=name, llm_dtype="float32")
    loaded = load_llm(settings)
    assert loaded is not None
    return loaded


def test_choices_have_the_probabilities_that_transformers_gives_them(
    model: LanguageModel, folder: Path
) -> None:
    ask = CompletionRequest("The capital of France is", choices=CHOICES, continues=True)
    (reply,) = complete(model, ask)
    assert reply.text == "Paris"
    assert reply.scores == pytest.approx(_log_probabilities(folder, ask), abs=1e-3)


def _log_probabilities(folder: Path, ask: CompletionRequest) -> list[float]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokens = Tokens(AutoTokenizer.from_pretrained(folder)).choices(ask)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    scores = []
    for rest in tokens.rests:
        read = torch.tensor([tokens.shared + rest])
        with torch.no_grad():
            logs = model(read).logits[0].log_softmax(-1)
        before = len(tokens.shared) - 1
        scores.append(sum(float(logs[before + i, token]) for i, token in enumerate(rest)))
    return scores


def test_replies_keep_to_their_form(model: LanguageModel) -> None:
    requests = [
        CompletionRequest("Who made Heat?", choices=("Mann", "Pacino")),
        CompletionRequest("Who made Heat?", max_tokens=100, schema=SCHEMA),
        CompletionRequest("Write a node.", max_tokens=20, grammar=GRAMMAR),
        CompletionRequest("Who made Heat?", max_tokens=5),
    ]
    choice, value, node, plain = complete(model, *requests)
    assert choice.text in {"Mann", "Pacino"}
    assert set(json.loads(value.text)) == {"answers", "sure"}
    assert node.text.startswith("CREATE (")
    assert node.text.endswith(")")
    assert plain.finish == "length"
    assert plain.tokens_out == 5


def test_a_prompt_that_is_too_long_is_an_error_of_its_own(model: LanguageModel) -> None:
    long, short = model.complete(
        [CompletionRequest("word " * 20_000), CompletionRequest("Who?", max_tokens=4)]
    )
    assert isinstance(long, ModelError)
    assert isinstance(short, Completion)


def test_a_question_is_answered_with_its_proof(
    demo: kgdb.KnowledgeGraph, facts: set[Fact], name: str
) -> None:
    # A model so small chooses what answers; it tells vLLM nothing of how small it is.
    options = ("--method", "gotr", "--set", "inference=choose", "--llm", name)
    answer = _asked("answer", "Who wrote The Tuesday Engine?", *options)
    writers = {tail for head, by, tail in facts if (head, by) == (FILM, "written_by")}
    assert {found["entity"]["name"] for found in answer["entities"]} == writers
    assert answer["usage"]["calls"] >= 3


def test_a_claim_is_judged(demo: kgdb.KnowledgeGraph, name: str) -> None:
    claim = "The Tuesday Engine was written by Ada Weir."
    verdict = _asked("verify", claim, "--llm", name, "--set", "judge=llm")
    assert verdict["label"] in {"SUPPORTED", "REFUTED", "NOT ENOUGH EVIDENCE"}
    assert verdict["usage"]["calls"] >= 1


def _asked(command: str, text: str, *options: str) -> Any:
    done = run(command, text, "--graph", "demo", "--json", *options, VLLM_CPU_KVCACHE_SPACE=_SPACE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
