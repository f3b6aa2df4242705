"""A real llama.cpp server: whatever its model would like to say, it is held to the form asked for.

The model has random weights. What it writes by itself is noise; that its replies are choices and
JSON is the server's work.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from model_server import SCHEMA

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.language.served.openai_model import OpenAIModel
from kgdb.progress import Event
from tests.unit.outcomes import complete
from tests.unit.tiny import CONTEXT, tiny_gguf, tiny_model

pytestmark = pytest.mark.integration

SERVE = """
import sys, threading
import xllamacpp
parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.hostnames = ["127.0.0.1"]
parameters.port = int(sys.argv[2])
parameters.cpuparams.n_threads = 1
parameters.n_parallel = 1
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("llama")
    model = tiny_gguf(tiny_model(folder / "base"), folder / "tiny.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(model), str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
        )
    assert process.stdout is not None
    address = process.stdout.readline().decode().strip()
    if not address:
        pytest.fail(f"the server did not start:\n{(folder / 'log.txt').read_text()[-2000:]}")
    yield f"{address}/v1"
    process.terminate()
    process.wait(30)


@pytest.fixture
def said() -> list[Event]:
    return []


@pytest.fixture
def model(url: str, said: list[Event]) -> OpenAIModel:
    return OpenAIModel("tiny", url, report=said.append)


def test_it_tells_how_much_the_model_reads(model: OpenAIModel) -> None:
    assert model.context == CONTEXT


def test_every_reply_is_one_of_the_choices(model: OpenAIModel, said: list[Event]) -> None:
    candidate_relations = [
        tuple(f"{word} {n}" for n in range(size)) for word in ("a", "演员") for size in (1, 9)
    ]
    requests = [
        CompletionRequest(f"{menu[0]}?", choices=menu, continues=c)
        for menu in candidate_relations
        for c in (False, True)
    ]
    for ask, reply in zip(requests, complete(model, *requests), strict=True):
        assert reply.text in ask.choices
        assert reply.tokens_in > 0 < reply.tokens_out
    assert said == []


def test_every_reply_has_the_form_of_the_schema(model: OpenAIModel, said: list[Event]) -> None:
    requests = [
        CompletionRequest(f"Who made film {n}?", max_tokens=300, schema=SCHEMA) for n in range(5)
    ]
    for reply in complete(model, *requests):
        value = json.loads(reply.text)
        assert set(value) == {"answers", "sure"}
        assert set(value["answers"]) <= {"Mann", "Pacino"}
        assert isinstance(value["sure"], bool)
    assert said == []


def test_the_same_ask_has_the_same_reply(model: OpenAIModel) -> None:
    ask = CompletionRequest("Who made Heat?", max_tokens=12)
    assert len({reply.text for reply in complete(model, ask, ask, ask)}) == 1


def test_a_prompt_that_is_too_long_is_an_error_of_its_own(
    model: OpenAIModel, said: list[Event]
) -> None:
    long, short = model.complete(
        [CompletionRequest("word " * 2000, schema=SCHEMA), CompletionRequest("Who?", max_tokens=4)]
    )
    assert isinstance(long, ModelError)
    assert "context size" in long.message
    assert "KGDB_LLM_CONTEXT" in (long.hint or "")
    assert isinstance(short, Completion)
    # The server still does schemas: it was the request that it refused.
    assert said == []
    assert complete(model, CompletionRequest("Who?", max_tokens=300, schema=SCHEMA))


def test_a_schema_that_it_cannot_read_does_not_end_the_others(model: OpenAIModel) -> None:
    broken, fine = model.complete(
        [
            CompletionRequest("Who?", schema={"type": "nonsense"}),
            CompletionRequest("Who?", max_tokens=4),
        ]
    )
    assert isinstance(broken, ModelError)
    assert "'nonsense' is not valid" in broken.message
    assert isinstance(fine, Completion)
