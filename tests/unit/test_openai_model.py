"""Models behind an OpenAI-compatible server, against a real one over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from kgdb.errors import ModelError
from kgdb.language import Ask, Completion
from kgdb.language.openai_model import OpenAIModel

pytestmark = pytest.mark.unit

CHOICES = ("the films starring this", "the director of this")


@dataclass
class Server:
    """What it was sent, and how it answers: ``reply`` makes a message of a request."""

    url: str = ""
    reply: Callable[[dict[str, Any]], str] = lambda request: '{"choice": "the director of this"}'
    status: int = 200
    body: bytes | None = None
    content_type: str = "application/json"
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def answer(self, request: dict[str, Any]) -> bytes:
        if self.body is not None:
            return self.body
        message = {"role": "assistant", "content": self.reply(request)}
        completion = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
        }
        return json.dumps(completion).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append(request)
            state.paths.append(self.path)
            state.keys.append(self.headers.get("Authorization"))
            body = state.answer(request)
            self.send_response(state.status)
            self.send_header("Content-Type", state.content_type)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Retry-After-Ms", "1")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        state.url = f"http://127.0.0.1:{listening.server_port}/v1"
        yield state
        listening.shutdown()
        thread.join()


def complete(model: OpenAIModel, *asks: Ask) -> list[Completion]:
    """What the model answers; the first of its errors is raised."""
    completions = []
    for completion in model.complete(asks):
        if isinstance(completion, ModelError):
            raise completion
        completions.append(completion)
    return completions


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(variable, raising=False)


def test_the_model_is_held_to_the_choices_by_a_schema(server: Server) -> None:
    complete(OpenAIModel("tiny", server.url), Ask("Question: who?", choices=CHOICES))
    (request,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert request["model"] == "tiny"
    assert request["temperature"] == 0
    format_ = request["response_format"]
    assert format_["type"] == "json_schema"
    assert format_["json_schema"]["strict"] is True
    assert format_["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"choice": {"type": "string", "enum": list(CHOICES)}},
        "required": ["choice"],
        "additionalProperties": False,
    }
    user = request["messages"][-1]["content"]
    assert user.startswith("Question: who?")
    assert all(f"- {choice}\n" in f"{user}\n" for choice in CHOICES)


@pytest.mark.parametrize(
    "reply", ['{"choice": "the films starring this"}', " the films starring this\n"]
)
def test_the_choice_comes_back_with_its_cost(server: Server, reply: str) -> None:
    server.reply = lambda request: reply
    (completion,) = complete(OpenAIModel("tiny", server.url), Ask("?", choices=CHOICES))
    assert completion.text == "the films starring this"
    assert (completion.tokens_in, completion.tokens_out) == (11, 5)
    assert completion.scores is None


def test_many_prompts_are_answered_each_for_itself_and_in_order(server: Server) -> None:
    def last(request: dict[str, Any]) -> str:
        choices = request["response_format"]["json_schema"]["schema"]["properties"]["choice"]
        return json.dumps({"choice": choices["enum"][-1]})

    server.reply = last
    asks = [Ask(f"question {i}", choices=("no", f"yes {i}")) for i in range(12)]
    completions = complete(OpenAIModel("tiny", server.url), *asks)
    assert [completion.text for completion in completions] == [f"yes {i}" for i in range(12)]
    assert len(server.requests) == 12


@pytest.mark.parametrize(
    "reply",
    [
        "the dog of this",
        '{"choice": "the dog of this"}',
        '{"choice": null}',
        '{"choice": ["the director of this"]}',
        '{"answer": "the director of this"}',
        '["the director of this"]',
        "{",
        "7",
        "",
    ],
)
def test_a_reply_that_is_no_choice_is_an_error_that_quotes_it(server: Server, reply: str) -> None:
    server.reply = lambda request: reply
    with pytest.raises(ModelError, match="asked for one of 2 choices") as failure:
        complete(OpenAIModel("tiny", server.url), Ask("?", choices=CHOICES))
    assert repr(reply) in failure.value.message
    assert "JSON schemas" in (failure.value.hint or "")


@pytest.mark.parametrize("status", [500, 404, 401])
def test_a_failing_server_is_an_error_that_names_model_and_server(
    server: Server, status: int
) -> None:
    server.status, server.body = status, b'{"error": {"message": "out of order"}}'
    with pytest.raises(ModelError, match=r"'tiny' at http.*out of order") as failure:
        complete(OpenAIModel("tiny", server.url), Ask("?", choices=CHOICES))
    assert "is up" in (failure.value.hint or "")
    # What may pass is tried again, what cannot is not.
    assert (len(server.requests) > 1) == (status == 500)


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<html>It works!</html>", "text/html"),
        (b"{nope", "application/json"),
        (b"[]", "application/json"),
        (b"null", "application/json"),
        (b'{"error": "no such model"}', "application/json"),
        (b'{"choices": []}', "application/json"),
        (b'{"choices": [{"message": null}]}', "application/json"),
    ],
)
def test_a_server_of_another_kind_is_an_error_about_the_url(
    server: Server, body: bytes, content_type: str
) -> None:
    server.body, server.content_type = body, content_type
    with pytest.raises(ModelError, match="no OpenAI-compatible server") as failure:
        complete(OpenAIModel("tiny", server.url), Ask("?", choices=CHOICES))
    assert server.url in failure.value.message
    assert "/v1" in (failure.value.hint or "")


def test_nothing_listening_is_an_error() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        port = closed.server_port
    model = OpenAIModel("tiny", f"http://127.0.0.1:{port}/v1")
    model._client.max_retries = 0  # or the test waits
    with pytest.raises(ModelError, match=f"'tiny' at http://127.0.0.1:{port}"):
        complete(model, Ask("?", choices=CHOICES))


def test_a_server_of_ones_own_needs_no_key_and_gets_one_that_is_set(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete(OpenAIModel("tiny", server.url), Ask("?", choices=CHOICES))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    complete(OpenAIModel("tiny", server.url), Ask("?", choices=CHOICES))
    assert server.keys[1] == "Bearer secret"
    assert server.keys[0] != server.keys[1]


def test_the_hosted_service_needs_a_key() -> None:
    with pytest.raises(ModelError, match="openai:tiny cannot be called") as failure:
        OpenAIModel("tiny", None)
    assert "OPENAI_API_KEY" in (failure.value.hint or "")
