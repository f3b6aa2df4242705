"""Servers that fail: what passes is waited for, what does not is an error of its own ask."""

from __future__ import annotations

import time
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from served import Request, Response, Server, chat, failure, models

from kgdb.errors import ModelError, ModelUnavailable
from kgdb.language import Completion, CompletionRequest
from kgdb.language.served import retries
from kgdb.language.served.openai_model import OpenAIModel
from kgdb.progress import Event

pytestmark = [pytest.mark.unit, pytest.mark.slow]


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "_FIRST_PAUSE", 0.001)


def asked(server: Server, *prompts: str, timeout: float = 10) -> list[Completion | ModelError]:
    model = OpenAIModel("tiny", server.url, timeout=timeout)
    return model.complete([CompletionRequest(prompt) for prompt in prompts or ("Who?",)])


def error(server: Server, timeout: float = 10) -> ModelError:
    (outcome,) = asked(server, timeout=timeout)
    assert isinstance(outcome, ModelError)
    return outcome


def test_down_nothing_answers_at_the_address() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        port = closed.server_port
    failed = error(Server(f"http://127.0.0.1:{port}/v1"))
    assert f"'tiny' at http://127.0.0.1:{port}/v1/ cannot be reached" in failed.message
    assert isinstance(failed, ModelUnavailable)
    assert "is up" in (failed.hint or "")


def test_down_at_first_the_server_is_looked_at_again_when_it_is_up(server: Server) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as closed:
        port = closed.server_port
    model = OpenAIModel("tiny", f"http://127.0.0.1:{port}/v1")
    assert model.context == 4096
    server.is_vllm(context=9000)
    model._client._client.base_url = server.url
    assert model.context == 9000


def test_slow_the_ask_ends_when_its_time_is_up_and_is_not_repeated(server: Server) -> None:
    server.reply = lambda request: Response({}, delay=1.0)
    started = time.monotonic()
    failed = error(server, timeout=0.2)
    assert time.monotonic() - started < 0.9
    assert "did not reply within 0.2 seconds" in failed.message
    assert isinstance(failed, ModelUnavailable)
    assert "KGDB_LLM_TIMEOUT" in (failed.hint or "")
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [200, 500])
def test_a_reply_that_trickles_in_is_broken_off_when_its_time_is_up(
    server: Server, status: int
) -> None:
    response = chat("Mann")
    response.trickle, response.status = 0.05, status
    server.reply = lambda request: response
    started = time.monotonic()
    failed = error(server, timeout=0.3)
    assert 0.3 <= time.monotonic() - started < 1
    assert "did not reply within 0.3 seconds" in failed.message
    assert isinstance(failed, ModelUnavailable)
    assert len(server.requests) == 1


def test_one_that_stops_in_its_middle_is_broken_off_too(server: Server) -> None:
    response = chat("Mann")
    response.trickle = 1.5
    server.says(response)
    started = time.monotonic()
    assert "did not reply within 0.4 seconds" in error(server, timeout=0.4).message
    assert time.monotonic() - started < 1


def test_one_that_trickles_in_but_in_time_is_a_reply(server: Server) -> None:
    response = chat("Mann")
    response.trickle = 0.001
    server.says(response)
    assert asked(server) == [Completion("Mann", 11, 5)]


def test_so_is_what_the_server_tells_of_itself(server: Server) -> None:
    about = models()
    about.trickle = 0.05
    server.about = {"/v1/models": about}
    started = time.monotonic()
    assert OpenAIModel("tiny", server.url, timeout=0.3).context == 4096
    assert time.monotonic() - started < 1


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<html>It works!</html>", "text/html"),
        (b"{nope", "application/json"),
        (b"", "application/json"),
        (b"[]", "application/json"),
        (b"null", "application/json"),
        (b'{"error": "no such model"}', "application/json"),
        (b'{"choices": []}', "application/json"),
        (b'{"choices": null}', "application/json"),
        (b'{"choices": [{"message": null}]}', "application/json"),
        (
            b'{"choices": [{"message": {"content": 7}, "finish_reason": "stop"}]}',
            "application/json",
        ),
        (b"\xff\xfe\x00", "application/json"),
    ],
)
def test_garbage_is_an_error_about_the_address(
    server: Server, body: bytes, content_type: str
) -> None:
    server.reply = lambda request: Response(body, content_type=content_type)
    failed = error(server)
    assert f"What answers at {server.url}/ is no OpenAI-compatible server" in failed.message
    assert "/v1" in (failed.hint or "")
    assert len(server.requests) == 1


def test_a_reply_without_counts_is_a_reply(server: Server) -> None:
    response = chat("Mann")
    del response.body["usage"]
    server.says(response)
    assert asked(server) == [Completion("Mann", 0, 0)]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_what_passes_is_waited_for(server: Server, status: int) -> None:
    server.says(failure(status), failure(status), "fine")
    assert asked(server) == [Completion("fine", 11, 5)]
    assert len(server.requests) == 3


def test_a_connection_that_breaks_in_the_middle_is_made_again(server: Server) -> None:
    broken = chat("half of this arrives")
    broken.reset = True
    server.says(broken, broken, "whole")
    assert asked(server) == [Completion("whole", 11, 5)]
    assert len(server.requests) == 3


def test_a_connection_that_always_breaks_is_an_error(server: Server) -> None:
    broken = chat("half of this arrives")
    broken.reset = True
    server.says(broken)
    assert "cannot be reached" in error(server).message


@pytest.mark.parametrize(
    ("status", "message"), [(500, "failed: .*out of order"), (429, "takes no more requests: .*")]
)
def test_what_does_not_pass_is_an_error_after_a_bounded_number_of_tries(
    server: Server, status: int, message: str
) -> None:
    server.says(failure(status))
    with pytest.raises(ModelError, match=rf"'tiny' at http://127.*{message}"):
        raise error(server)
    assert len(server.requests) == retries._TRIES


def test_a_server_that_says_when_to_come_back_is_obeyed(server: Server) -> None:
    busy = failure(429)
    busy.headers = {"Retry-After": "0.3"}
    server.says(busy, "fine")
    started = time.monotonic()
    assert asked(server) == [Completion("fine", 11, 5)]
    assert 0.3 <= time.monotonic() - started < 2


def test_it_may_say_so_as_a_date(server: Server) -> None:
    busy = failure(503)
    busy.headers = {"Retry-After": formatdate(time.time() + 2, usegmt=True)}
    server.says(busy, "fine")
    started = time.monotonic()
    assert asked(server) == [Completion("fine", 11, 5)]
    assert time.monotonic() - started > 0.9


@pytest.mark.parametrize("when", ["3600", "inf", "1e400"])
def test_a_server_that_is_back_too_late_is_not_waited_for(server: Server, when: str) -> None:
    busy = failure(429)
    busy.headers = {"Retry-After": when}
    server.says(busy)
    started = time.monotonic()
    assert "takes no more requests" in error(server).message
    assert time.monotonic() - started < 1
    assert len(server.requests) == 1


@pytest.mark.parametrize("when", ["soon", "-5", "nan", ""])
def test_a_time_that_is_none_counts_as_not_said(server: Server, when: str) -> None:
    busy = failure(429)
    busy.headers = {"Retry-After": when}
    server.says(busy, "fine")
    assert asked(server) == [Completion("fine", 11, 5)]


def test_all_tries_together_keep_to_the_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "_FIRST_PAUSE", 0.5)
    server.says(failure(500))
    started = time.monotonic()
    assert "failed" in error(server, timeout=0.3).message
    assert time.monotonic() - started < 0.6


def test_a_try_that_has_too_little_time_left_does_not_hide_why_others_failed(
    server: Server,
) -> None:
    def reply(request: Request) -> Response:
        first = len(server.requests) == 1
        return failure(500) if first else Response({}, delay=1.0)

    server.reply = reply
    assert "failed" in error(server, timeout=0.3).message
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [400, 404])
def test_a_wrong_model_is_an_error_that_names_those_there_are(server: Server, status: int) -> None:
    server.about = {"/v1/models": models(owned_by="vllm")}
    server.says(failure(status, "The model does not exist"))
    failed = error(server)
    assert "refused the request" in failed.message
    assert "The model does not exist" in failed.message
    assert "The server has: tiny." in (failed.hint or "")
    assert len(server.requests) == 1


def test_an_address_that_has_nothing_of_a_server_is_what_is_to_be_checked(server: Server) -> None:
    server.url = server.url.removesuffix("/v1")
    failed = error(server)
    assert "there is no /chat/completions" in failed.message
    assert failed.hint == "Check the URL after @; most end in /v1."


def test_where_models_are_listed_even_if_there_is_none_it_is_the_name(server: Server) -> None:
    server.about = {"/v1/models": Response({"object": "list", "data": None})}
    server.says(failure(404, "model 'tiny' not found"))
    assert "Check the name of the model" in (error(server).hint or "")


@pytest.mark.parametrize(
    "said",
    [
        failure(
            400,
            "This model's maximum context length is 4096 tokens. However, you requested 5000.",
            code="context_length_exceeded",
        ),
        failure(400, "The decoder prompt (length 5000) is longer than the maximum model length"),
        failure(400, "the request exceeds the available context size", type="exceed_context_size"),
        failure(400, "The input (5000 tokens) is longer than the model's context length (4096)."),
        failure(413, "Requested tokens exceed the model's context window."),
    ],
    ids=["openai", "vllm", "llama.cpp", "sglang", "other"],
)
def test_a_prompt_that_is_too_long_is_an_error_that_says_so_and_no_fault_of_the_form(
    server: Server, said: Response
) -> None:
    server.says(said, '{"choice": "yes"}')
    reports: list[Event] = []
    model = OpenAIModel("tiny", server.url, report=reports.append)
    ask = CompletionRequest("Who?", choices=("yes", "no"))
    (failed,) = model.complete([ask])
    assert isinstance(failed, ModelError)
    assert "has no room for the prompt and its reply" in failed.message
    assert "KGDB_LLM_CONTEXT" in (failed.hint or "")
    assert len(server.requests) == 1
    assert model.complete([ask]) == [Completion("yes", 11, 5)]
    assert "response_format" in server.requests[-1]
    assert reports == []


def test_what_was_replied_before_a_failure_is_charged(server: Server) -> None:
    """First in the form, then in words: no choice. Asked again, the server fails."""
    server.says("dunno", "dunno", failure(400))
    model = OpenAIModel("tiny", server.url, timeout=10)
    (failed,) = model.complete([CompletionRequest("Who?", choices=("yes", "no"))])
    assert isinstance(failed, ModelError)
    assert "refused the request" in failed.message
    assert (failed.requests, failed.tokens_in, failed.tokens_out) == (2, 22, 10)
    server.says("dunno", failure(401))
    (failed,) = model.complete([CompletionRequest("Who?", choices=("yes", "no"))])
    assert isinstance(failed, ModelUnavailable)
    assert (failed.tokens_in, failed.tokens_out) == (11, 5)


def test_a_failure_can_be_shown_whatever_it_says(server: Server) -> None:
    server.says(failure(400, "no \ud83d"))
    assert error(server).message.encode()


@pytest.mark.parametrize("status", [401, 403])
def test_a_wrong_key_is_an_error_that_names_the_variable(server: Server, status: int) -> None:
    server.says(failure(status, "bad key"))
    failed = error(server)
    assert "refuses the key" in failed.message
    assert isinstance(failed, ModelUnavailable)
    assert failed.hint == "Set OPENAI_API_KEY."
    assert len(server.requests) == 1


def test_a_password_in_the_address_is_not_shown(server: Server) -> None:
    server.says(failure(500))
    model = OpenAIModel("tiny", server.url.replace("//", "//me:secret@"))
    (failed,) = model.complete([CompletionRequest("Who?")])
    assert isinstance(failed, ModelError)
    assert "secret" not in str(failed)


def test_one_that_fails_leaves_the_others_alone(server: Server) -> None:
    outcomes = {
        "empty": chat(None),
        "cut": chat("Michael", finish="length"),
        "garbage": Response(b"?"),
        "limit": failure(429),
        "broken": failure(500),
        "wrong": failure(400),
        "fine": chat("fine"),
    }

    def reply(request: Request) -> Response:
        return outcomes[request["messages"][0]["content"]]

    server.reply = reply
    found = dict(zip(outcomes, asked(server, *outcomes), strict=True))
    assert {name for name, each in found.items() if isinstance(each, ModelError)} == {
        "garbage",
        "limit",
        "broken",
        "wrong",
    }
    assert found["fine"] == Completion("fine", 11, 5)
