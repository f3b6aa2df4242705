"""Models behind an OpenAI-compatible server: what is sent to them and read of their replies."""

from __future__ import annotations

import pytest
from outcomes import complete
from served import Request, Response, Server, chat, completion, failure, models, user

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.language.served.openai_model import OpenAIModel
from kgdb.progress import Event

pytestmark = pytest.mark.unit


def test_a_prompt_is_the_message_of_a_user(server: Server) -> None:
    server.says(chat(" Michael Mann\n", tokens=(7, 3)))
    (reply,) = complete(OpenAIModel("tiny", server.url), CompletionRequest("Who?", max_tokens=9))
    assert reply == Completion("Michael Mann", 7, 3)
    (request,) = server.requests
    assert user(request) == "Who?"
    assert {name: request[name] for name in ("model", "max_tokens", "temperature", "seed")} == {
        "model": "tiny",
        "max_tokens": 9,
        "temperature": 0,
        "seed": 0,
    }
    assert "stop" not in request
    assert "response_format" not in request


def test_it_stops_where_it_is_told_even_if_the_server_does_not(server: Server) -> None:
    server.says("Mann\n\nQuestion: who else?")
    (reply,) = complete(
        OpenAIModel("tiny", server.url), CompletionRequest("Who?", stop=("\n\n", "?"))
    )
    assert reply.text == "Mann"
    assert server.requests[0]["stop"] == ["\n\n", "?"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<think>Heat is … </think>\n\nMann", "Mann"),
        ("thinking without a beginning</think>Mann", "Mann"),
        ("<think>never ending", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_what_is_thought_aloud_is_no_reply_and_an_empty_one_is_no_error(
    server: Server, content: str | None, text: str
) -> None:
    server.says(chat(content))
    assert complete(OpenAIModel("tiny", server.url), CompletionRequest("Who?"))[0].text == text


def test_the_reply_that_is_cut_off_says_so(server: Server) -> None:
    server.says(chat("Michael", finish="length"))
    assert (
        complete(OpenAIModel("tiny", server.url), CompletionRequest("Who?"))[0].finish == "length"
    )


def test_nothing_to_ask_asks_nothing(server: Server) -> None:
    assert OpenAIModel("tiny", server.url).complete([]) == []
    assert server.asked == []


def test_a_text_is_continued_where_the_server_can(server: Server) -> None:
    server.paths = ("/v1/completions", "/v1/chat/completions")
    server.says(completion({"text": " Michael Mann\nQuestion:"}, tokens=(5, 4)))
    (reply,) = complete(
        OpenAIModel("tiny", server.url),
        CompletionRequest("Heat is by", continues=True, stop=("\n",)),
    )
    assert reply == Completion("Michael Mann", 5, 4)
    assert server.requests[0]["prompt"] == "Heat is by"
    assert server.asked[-1] == "/v1/completions"


def test_else_the_model_is_told_to_continue_it(server: Server) -> None:
    said: list[Event] = []
    server.says("Michael Mann")
    model = OpenAIModel("tiny", server.url, report=said.append)
    for _ in range(2):
        assert (
            complete(model, CompletionRequest("Heat is by", continues=True))[0].text
            == "Michael Mann"
        )
    assert user(server.requests[0]).endswith("\n\nHeat is by")
    assert server.asked.count("/v1/completions") == 1
    assert len(said) == 1


@pytest.mark.parametrize(
    ("param", "left", "comes"),
    [("temperature", "temperature", None), ("max_tokens", "max_tokens", "max_completion_tokens")],
)
def test_what_a_model_refuses_is_left_out_from_then_on(
    server: Server, param: str, left: str, comes: str | None
) -> None:
    def reply(request: Request) -> Response:
        if param in request:
            return failure(400, "unsupported", param=param, code="unsupported_parameter")
        return chat("fine")

    server.reply = reply
    model = OpenAIModel("tiny", server.url)
    for _ in range(2):
        assert complete(model, CompletionRequest("Who?", max_tokens=7))[0].text == "fine"
    assert [left in request for request in server.requests] == [True, False, False]
    if comes:
        assert server.requests[1][comes] == 7


LLAMA_CPP = {"/v1/models": models(owned_by="llamacpp")}
SGLANG = {"/v1/models": models(owned_by="sglang", max_model_len=8192)}
VLLM = {"/v1/models": models(owned_by="vllm", max_model_len=8192)}
UNTHINKING = {"enable_thinking": False}


@pytest.mark.parametrize(
    ("about", "sent"),
    [
        (VLLM, UNTHINKING),
        (SGLANG, UNTHINKING),
        (LLAMA_CPP, UNTHINKING),
        ({"/v1/models": models(owned_by="library")}, None),
        ({}, None),
    ],
    ids=["vllm", "sglang", "llama.cpp", "ollama", "unknown"],
)
def test_servers_that_know_how_are_told_to_have_no_model_think(
    server: Server, about: dict[str, Response], sent: dict[str, bool] | None
) -> None:
    server.about = about
    complete(OpenAIModel("tiny", server.url), CompletionRequest("Who?"))
    assert server.requests[0].get("chat_template_kwargs") == sent


def test_that_goes_with_a_constraint(server: Server) -> None:
    server.is_vllm()
    server.says("yes")
    complete(OpenAIModel("tiny", server.url), CompletionRequest("Who?", choices=("yes", "no")))
    assert server.requests[0]["chat_template_kwargs"] == UNTHINKING
    assert server.requests[0]["structured_outputs"] == {"choice": ["yes", "no"]}


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    "why",
    [
        "chat_template is not supported for Mistral tokenizers.",
        "Unexpected fields in the request: {'chat_template_kwargs'}",
    ],
)
def test_it_is_left_out_where_it_is_refused(server: Server, status: int, why: str) -> None:
    server.about = VLLM

    def reply(request: Request) -> Response:
        return failure(status, why) if "chat_template_kwargs" in request else chat("fine")

    server.reply = reply
    model = OpenAIModel("tiny", server.url)
    for _ in range(2):
        assert complete(model, CompletionRequest("Who?"))[0].text == "fine"
    told = ["chat_template_kwargs" in request for request in server.requests]
    assert told == [True, False, False]


def test_what_is_refused_without_it_too_is_refused_for_another_reason(server: Server) -> None:
    """Some servers quote the whole request."""
    server.about = VLLM
    server.says(failure(400, "bad seed in {'chat_template_kwargs': {}}"))
    model = OpenAIModel("tiny", server.url)
    assert isinstance(model.complete([CompletionRequest("Who?")])[0], ModelError)
    server.says("fine")
    assert complete(model, CompletionRequest("Who?"))[0].text == "fine"
    told = ["chat_template_kwargs" in request for request in server.requests]
    assert told == [True, False, True]


@pytest.mark.parametrize(
    ("about", "context"),
    [
        ({}, 4096),
        ({"/v1/models": models(owned_by="vllm", max_model_len=32_768)}, 32_768),
        (SGLANG, 8192),
        ({"/v1/models": models(owned_by="vllm", max_model_len=None)}, 4096),
        (
            {
                "/v1/models": models(owned_by="llamacpp"),
                "/props": Response({"default_generation_settings": {"n_ctx": 2048}}),
            },
            2048,
        ),
        ({"/v1/models": models(owned_by="llamacpp"), "/props": Response([])}, 4096),
        ({"/v1/models": Response(b"<html>", content_type="text/html")}, 4096),
        ({"/v1/models": Response({"data": "none"})}, 4096),
        ({"/v1/models": Response({"data": [None, {"id": "a"}, {"id": "b"}]})}, 4096),
    ],
)
def test_the_server_tells_how_much_the_model_reads(
    server: Server, about: dict[str, Response], context: int
) -> None:
    server.about = about
    model = OpenAIModel("tiny", server.url)
    assert (model.context, model.context) == (context, context)
    assert server.asked.count("/v1/models") == 1
    assert OpenAIModel("tiny", server.url, context=77).context == 77


def test_tokens_are_estimated_without_the_server() -> None:
    model = OpenAIModel("tiny", "http://127.0.0.1:1/v1")
    assert model.count([]) == []
    assert model.count(["", "abc", "m.0k2x8v", "电影", "a" * 300]) == [1, 2, 9, 7, 101]


def test_a_server_of_ones_own_needs_no_key_and_gets_one_that_is_set(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete(OpenAIModel("tiny", server.url), CompletionRequest("?"))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    complete(OpenAIModel("tiny", server.url), CompletionRequest("?"))
    assert server.keys[1] == "Bearer secret"
    assert server.keys[0] != server.keys[1]


@pytest.mark.usefixtures("no_key")
def test_the_hosted_service_needs_a_key() -> None:
    with pytest.raises(ModelError, match="openai:tiny cannot be called") as refusal:
        OpenAIModel("tiny", None)
    assert "OPENAI_API_KEY" in (refusal.value.hint or "")
