"""Language models by vLLM: what it is asked for, and what is made of its answers.

vLLM needs a GPU, or a processor that it is built for. In its place stands a module with the parts
of it that are used.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from tiny import tiny_tokenizer

from kgdb.errors import ModelError, ModelMissing
from kgdb.language import Completion, CompletionRequest, LanguageModel, load_llm
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


@dataclass
class Params:
    """Takes what vllm 0.12 and later do, and nothing else."""

    temperature: float = 1.0
    max_tokens: int = 16
    stop: list[str] | None = None
    prompt_logprobs: int | None = None
    structured_outputs: Structured | None = None


@dataclass
class Structured:
    json: str | None = None
    grammar: str | None = None


@dataclass
class Engine:
    """Stands for ``vllm.LLM``, and keeps what it was given."""

    made: dict[str, Any] = field(default_factory=dict)
    calls: list[list[tuple[list[int], Params]]] = field(default_factory=list)
    reply: Callable[[list[int], Params], tuple[str, str]] = lambda tokens, params: (" hm ", "stop")
    logprob: Callable[[int], float] = lambda token: -1.0

    def __call__(self, **given: Any) -> Engine:
        self.made = given
        self.llm_engine = SimpleNamespace(model_config=SimpleNamespace(max_model_len=64))
        return self

    def get_tokenizer(self) -> Any:
        return tiny_tokenizer()

    def generate(
        self, prompts: Sequence[dict[str, list[int]]], params: Sequence[Params], *, use_tqdm: bool
    ) -> list[Any]:
        assert not use_tqdm
        tokens = [prompt["prompt_token_ids"] for prompt in prompts]
        self.calls.append(list(zip(tokens, params, strict=True)))
        return [self._output(*each) for each in zip(tokens, params, strict=True)]

    def _output(self, tokens: list[int], params: Params) -> Any:
        text, finish = self.reply(tokens, params)
        told = None
        if params.prompt_logprobs is not None:
            # The most likely token is told beside the one that is there.
            told = [
                {99_999: SimpleNamespace(logprob=-0.1), t: SimpleNamespace(logprob=self.logprob(t))}
                for t in tokens
            ]
            told[0] = None  # type: ignore[call-overload]
        output = SimpleNamespace(text=text, token_ids=[1, 2, 3], finish_reason=finish)
        return SimpleNamespace(outputs=[output], prompt_logprobs=told)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Engine]:
    state = Engine()
    for variable in ("ENABLE_V1_MULTIPROCESSING", "LOGGING_STREAM", "LOGGING_LEVEL"):
        monkeypatch.setenv(f"VLLM_{variable}", "")  # so that it is as before at the end
        monkeypatch.delenv(f"VLLM_{variable}")
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    module, params = ModuleType("vllm"), ModuleType("vllm.sampling_params")
    module.LLM, module.SamplingParams = state, Params  # type: ignore[attr-defined]
    params.StructuredOutputsParams = Structured  # type: ignore[attr-defined]
    monkeypatch.setattr("kgdb.language.model_catalog._require", lambda *given: None)
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", params)
    monkeypatch.delitem(sys.modules, "kgdb.language.local.vllm_model", raising=False)
    yield state
    sys.modules.pop("kgdb.language.local.vllm_model", None)


def model(name: str = "org/model") -> LanguageModel:
    loaded = load_llm(Settings(llm=f"vllm:{name}"))
    assert loaded is not None
    return loaded


def test_it_is_made_with_the_library_that_keeps_lark_grammars(engine: Engine) -> None:
    vllm = model()
    assert engine.made == {
        "model": "org/model",
        "seed": 0,
        "dtype": "auto",
        "structured_outputs_config": {"backend": "guidance", "disable_any_whitespace": True},
    }
    assert (vllm.name, vllm.context) == ("org/model", 64)
    assert vllm.count(["Ada Weir"]) == [len(tiny_tokenizer()("Ada Weir").input_ids)]


def test_it_is_in_this_process_unless_the_user_says_otherwise(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    model()
    assert os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] == "0"
    # Answers go to the standard output, alone.
    assert os.environ["VLLM_LOGGING_STREAM"] == "ext://sys.stderr"
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "1")
    model()
    assert os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] == "1"


def test_it_computes_with_the_numbers_that_are_asked_for(engine: Engine) -> None:
    load_llm(Settings(llm="vllm:org/model", llm_dtype="float32"))
    assert engine.made["dtype"] == "float32"


def test_all_asks_go_out_at_once(engine: Engine) -> None:
    requests = [
        CompletionRequest("who?", max_tokens=9, stop=("\n",)),
        CompletionRequest("who?", schema=SCHEMA, max_tokens=30),
        CompletionRequest("who?", grammar='start: "a"', max_tokens=30),
        CompletionRequest("who?", choices=("Ada Weir", "films")),
    ]
    replies = model().complete(requests)
    (call,) = engine.calls
    assert len(call) == 5
    free, schema, grammar, *choices = [params for _, params in call]
    assert free == Params(0.0, 9, ["\n"], None, None)
    assert json.loads(schema.structured_outputs.json) == SCHEMA  # type: ignore[union-attr, arg-type]
    assert grammar.structured_outputs == Structured(grammar='start: "a"')
    assert choices == [Params(0.0, 1, None, 1, None)] * 2
    tokenizer = tiny_tokenizer()
    shown = tokenizer.decode(call[0][0])
    assert shown == "<|im_start|>user\nwho?<|im_end|>\n<|im_start|>assistant\n"
    assert [tokenizer.decode(tokens)[len(shown) :] for tokens, _ in call[3:]] == [
        "Ada Weir",
        "films",
    ]
    assert [reply.text for reply in replies if isinstance(reply, Completion)][:3] == [
        "hm",
        " hm ",
        " hm ",
    ]
    assert replies[0] == Completion("hm", len(call[0][0]), 3)


def test_choices_are_scored_by_their_own_tokens(engine: Engine) -> None:
    engine.logprob = lambda token: -token / 100
    (reply,) = model().complete(
        [CompletionRequest("The director", choices=("of", "this"), continues=True)]
    )
    assert isinstance(reply, Completion)
    tokenizer = tiny_tokenizer()
    expected = [
        sum(-token / 100 for token in tokenizer(text).input_ids) for text in (" of", " this")
    ]
    assert reply.scores == pytest.approx(expected)
    assert reply.text == ("of", "this")[expected.index(max(expected))]
    assert reply.tokens_out == 0


def test_a_reply_that_was_cut_off_says_so(engine: Engine) -> None:
    engine.reply = lambda tokens, params: ('{"a": "b', "length")
    (reply,) = model().complete([CompletionRequest("who?", schema=SCHEMA, max_tokens=3)])
    assert isinstance(reply, Completion)
    assert (reply.text, reply.finish) == ('{"a": "b', "length")


def test_what_is_too_long_is_not_sent(engine: Engine) -> None:
    long = "films " * 70
    results = model().complete(
        [
            CompletionRequest(long, max_tokens=1),
            CompletionRequest("?", choices=("a", long)),
            CompletionRequest("?"),
            CompletionRequest("?", max_tokens=8),
        ]
    )
    for result in results[:3]:
        assert isinstance(result, ModelError)
        assert "holds 64 together" in result.message
    assert isinstance(results[3], Completion)
    assert len(engine.calls[0]) == 1
    engine.calls.clear()
    assert model().complete([]) == []
    assert engine.calls == []


def test_what_vllm_refuses_takes_nothing_else_down(engine: Engine) -> None:
    def refuse(tokens: list[int], params: Params) -> tuple[str, str]:
        if params.structured_outputs:
            raise ValueError("unsupported JSON schema feature")
        return "fine", "stop"

    engine.reply = refuse
    bad, fine = model().complete(
        [CompletionRequest("a", schema=SCHEMA, max_tokens=5), CompletionRequest("b", max_tokens=5)]
    )
    assert isinstance(bad, ModelError)
    assert "unsupported JSON schema feature" in bad.message
    assert isinstance(fine, Completion)
    assert fine.text == "fine"


def test_an_engine_that_does_not_start_is_a_missing_model(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**given: Any) -> Any:
        raise RuntimeError("Failed to infer device type\nmore")

    monkeypatch.setattr(sys.modules["vllm"], "LLM", fail)
    with pytest.raises(ModelMissing, match="'org/model' cannot be loaded: Failed to infer"):
        model()
