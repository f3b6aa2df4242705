"""Models behind an OpenAI-compatible server: how they are kept to the form asked for."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from kgdb.errors import ModelError
from kgdb.language import Ask, Completion
from kgdb.language.openai_model import OpenAIModel
from kgdb.progress import Event, Message
from tests.unit.served import Request, Response, Server, chat, completion, failure, models, serving

pytestmark = pytest.mark.unit

CHOICES = ("the films starring this", "the director of this")
CHOOSING = Ask("Question: who?", choices=CHOICES)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": {"type": "string"}}},
    "required": ["answers"],
    "additionalProperties": False,
}
LISTING = Ask("Who made Heat?", schema=SCHEMA)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    # To read all certificates takes a tenth of a second, for each client.
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *given, **named: None)
    with serving() as state:
        yield state


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(variable, raising=False)


def complete(model: OpenAIModel, *asks: Ask) -> list[Completion]:
    """What the model answers; the first of its errors is raised."""
    completions = []
    for each in model.complete(asks):
        if isinstance(each, ModelError):
            raise each
        completions.append(each)
    return completions


def user(request: Request) -> str:
    (message,) = request["messages"]
    assert message["role"] == "user"
    return str(message["content"])


def test_a_prompt_is_the_message_of_a_user(server: Server) -> None:
    server.says(chat(" Michael Mann\n", tokens=(7, 3)))
    (reply,) = complete(OpenAIModel("tiny", server.url), Ask("Who?", max_tokens=9))
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
    (reply,) = complete(OpenAIModel("tiny", server.url), Ask("Who?", stop=("\n\n", "?")))
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
    assert complete(OpenAIModel("tiny", server.url), Ask("Who?"))[0].text == text


def test_the_reply_that_is_cut_off_says_so(server: Server) -> None:
    server.says(chat("Michael", finish="length"))
    assert complete(OpenAIModel("tiny", server.url), Ask("Who?"))[0].finish == "length"


def test_a_plain_server_is_held_to_choices_by_a_schema(server: Server) -> None:
    server.says('{"choice": "the director of this"}')
    (reply,) = complete(OpenAIModel("tiny", server.url), CHOOSING)
    assert reply == Completion("the director of this", 11, 5)
    (request,) = server.requests
    format_ = request["response_format"]
    assert format_["type"] == "json_schema"
    assert format_["json_schema"]["strict"] is True
    assert format_["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"choice": {"type": "string", "enum": list(CHOICES)}},
        "required": ["choice"],
        "additionalProperties": False,
    }
    assert user(request).startswith("Question: who?")
    assert all(f"- {choice}\n" in user(request) for choice in CHOICES)


def test_a_plain_server_is_held_to_a_schema(server: Server) -> None:
    server.says('{"answers": ["Mann"]}')
    (reply,) = complete(OpenAIModel("tiny", server.url), LISTING)
    assert json.loads(reply.text) == {"answers": ["Mann"]}
    (request,) = server.requests
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    assert user(request) == "Who made Heat?"


def test_many_are_answered_each_for_itself_and_in_order(server: Server) -> None:
    def last(request: Request) -> Response:
        schema = request["response_format"]["json_schema"]["schema"]
        return chat(json.dumps({"choice": schema["properties"]["choice"]["enum"][-1]}))

    server.reply = last
    asks = [Ask(f"question {i}", choices=("no", f"yes {i}")) for i in range(40)]
    replies = complete(OpenAIModel("tiny", server.url), *asks)
    assert [reply.text for reply in replies] == [f"yes {i}" for i in range(40)]
    assert len(server.requests) == 40
    assert server.looked_at() == ["/v1/models"]


def test_nothing_to_ask_asks_nothing(server: Server) -> None:
    assert OpenAIModel("tiny", server.url).complete([]) == []
    assert server.asked == []


@pytest.mark.parametrize(
    ("version", "field"),
    [
        ("0.10.1", {"guided_choice": list(CHOICES)}),
        ("0.11.2", {"structured_outputs": {"choice": list(CHOICES)}}),
        ("0.9.2", {"guided_choice": list(CHOICES)}),
        ("1.0.0rc1", {"structured_outputs": {"choice": list(CHOICES)}}),
        ("0.1.dev900+gabc", {"structured_outputs": {"choice": list(CHOICES)}}),
        ("nightly", {"structured_outputs": {"choice": list(CHOICES)}}),
    ],
)
def test_vllm_is_held_to_choices_as_its_version_wants(
    server: Server, version: str, field: dict[str, Any]
) -> None:
    server.is_vllm(version)
    server.says("the director of this")
    model = OpenAIModel("tiny", server.url)
    (reply,) = complete(model, CHOOSING)
    assert reply.text == "the director of this"
    (request,) = server.requests
    assert field.items() <= request.items()
    assert "response_format" not in request
    complete(model, CHOOSING)
    assert server.looked_at() == ["/v1/models", "/version"]


def test_vllm_is_held_to_a_grammar_and_no_other_server_is_asked(server: Server) -> None:
    ask = Ask("Write Cypher", grammar='start: "CREATE"')
    with pytest.raises(ModelError, match="cannot keep a reply to a grammar") as refusal:
        complete(OpenAIModel("tiny", server.url), ask)
    assert "vLLM" in (refusal.value.hint or "")
    assert server.requests == []
    server.is_vllm()
    server.says("CREATE")
    assert complete(OpenAIModel("tiny", server.url), ask)[0].text == "CREATE"
    assert server.requests[0]["structured_outputs"] == {"grammar": 'start: "CREATE"'}


def scored(*texts: list[tuple[str, float | None]]) -> Response:
    return completion(
        *(
            {
                "text": "".join(token for token, _ in text),
                "logprobs": {
                    "tokens": [token for token, _ in text],
                    "token_logprobs": [number for _, number in text],
                },
            }
            for text in texts
        ),
        tokens=(40, 3),
    )


def test_vllm_tells_how_likely_each_choice_is_after_a_text(server: Server) -> None:
    server.is_vllm()
    server.says(
        scored(
            [("<s>", None), ("It", -1.0), (" is", -2.0), (" wet", -9.0)],
            [("<s>", None), ("It", -1.0), (" is", -2.0), (" red", -3.0), (".", -4.0)],
            [("<s>", None), ("It", -1.0), (" is", -2.0), (" bl", -0.5), ("ue", -0.25), ("!", -7.0)],
        )
    )
    model = OpenAIModel("tiny", server.url)
    (reply,) = complete(model, Ask("It is", choices=("red", "blue"), continues=True))
    assert reply == Completion("blue", 40, 3, (-3.0, -0.75))
    (request,) = server.requests
    assert request["prompt"] == ["It is", "It is red", "It is blue"]
    assert request["echo"] is True
    assert server.asked[-1] == "/v1/completions"


def test_where_tokens_meet_the_choices_are_measured_from_before(server: Server) -> None:
    """``is`` becomes one token with what follows; both choices are measured from ``It``."""
    server.is_vllm()
    server.says(
        scored(
            [("It", None), (" is", -2.0), ("!", -9.0)],
            [("It", None), (" isred", -3.0), (".", -4.0)],
            [("It", None), (" is", -2.0), ("blue", -0.5), ("!", -7.0)],
        )
    )
    model = OpenAIModel("tiny", server.url)
    (reply,) = complete(model, Ask("It is", choices=("red", "blue"), continues=True))
    assert reply.scores == (-3.0, -2.5)


def test_vllm_that_tells_no_probabilities_still_chooses(server: Server) -> None:
    server.is_vllm()
    said: list[Event] = []

    def reply(request: Request) -> Response:
        return completion({"text": "x"}) if "prompt" in request else chat("blue")

    server.reply = reply
    model = OpenAIModel("tiny", server.url, report=said.append)
    for _ in range(2):
        (found,) = complete(model, Ask("It is", choices=("red", "blue"), continues=True))
        assert (found.text, found.scores) == ("blue", None)
    assert ["prompt" in request for request in server.requests] == [True, False, False]
    (message,) = said
    assert isinstance(message, Message)
    assert "does not tell how likely a text is" in message.text


@pytest.mark.parametrize("status", [400, 404, 415, 422, 501])
@pytest.mark.parametrize("ask", [CHOOSING, LISTING], ids=["choices", "schema"])
def test_a_server_that_refuses_schemas_is_asked_in_words_from_then_on(
    server: Server, status: int, ask: Ask
) -> None:
    text = CHOICES[1] if ask.choices else '{"answers": []}'
    said: list[Event] = []

    def reply(request: Request) -> Response:
        if "response_format" in request:
            return failure(status, "response_format is not supported")
        return chat(text)

    server.reply = reply
    model = OpenAIModel("tiny", server.url, report=said.append)
    for _ in range(3):
        assert complete(model, ask)[0].text == text
    refused = [request for request in server.requests if "response_format" in request]
    assert (len(refused), len(server.requests)) == (1, 4)
    (message,) = said
    assert isinstance(message, Message)
    assert f"{server.url}/ does not keep replies to a JSON schema" in message.text


@pytest.mark.parametrize(
    ("ask", "reply", "text"),
    [
        (CHOOSING, "The director of this.", CHOICES[1]),
        (CHOOSING, ' "the director of this"\n', CHOICES[1]),
        (CHOOSING, '```json\n{"choice": "the director of this"}\n```', CHOICES[1]),
        (CHOOSING, '{"choice": "THE DIRECTOR OF THIS"}', CHOICES[1]),
        (LISTING, 'Sure! {"answers": ["Mann"]} is what I think.', '{"answers": ["Mann"]}'),
        (LISTING, '```json\n{\n"answers": []\n}\n```', '{"answers": []}'),
        (LISTING, '{not} {"question": 1} {"answers": ["}"]}', '{"answers": ["}"]}'),
        (LISTING, '[{"answers": ["曼"]}]', '{"answers": ["曼"]}'),
    ],
)
def test_a_reply_with_words_around_it_is_still_read(
    server: Server, ask: Ask, reply: str, text: str
) -> None:
    server.says(reply)
    assert complete(OpenAIModel("tiny", server.url), ask)[0].text == text
    assert len(server.requests) == 1


def test_a_server_that_ignores_schemas_is_asked_again_in_words(server: Server) -> None:
    said: list[Event] = []
    server.says("Who knows?", "Michael Mann!", '{"answers": ["Mann"]}')
    model = OpenAIModel("tiny", server.url, report=said.append)
    (reply,) = complete(model, LISTING)
    assert reply == Completion('{"answers": ["Mann"]}', 33, 15)  # what was of no use costs too
    first, words, again = server.requests
    assert "response_format" in first
    assert "response_format" not in words
    assert json.dumps(SCHEMA) in user(words)
    assert [message["role"] for message in again["messages"]] == ["user", "assistant", "user"]
    assert again["messages"][1]["content"] == "Michael Mann!"
    assert len(said) == 1
    complete(model, LISTING, LISTING)
    assert len(server.requests) == 5
    assert len(said) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "the dog of this",
        "both the films starring this and the director of this",
        '{"choice": "the dog of this"}',
        '{"choice": null}',
        '{"choice": ["the director of this"]}',
        '["the director of this"]',
        "{",
        "[" * 10_000,
        "7",
        "",
    ],
)
def test_a_reply_that_is_no_choice_is_an_error_that_quotes_it(server: Server, reply: str) -> None:
    server.says(reply)
    with pytest.raises(ModelError, match="asked for one of 2 choices") as refusal:
        complete(OpenAIModel("tiny", server.url), CHOOSING)
    assert repr(reply[:200]) in refusal.value.message
    assert "JSON schemas" in (refusal.value.hint or "")
    assert len(server.requests) == 3


def test_an_ask_that_gets_no_fit_reply_leaves_the_others_alone(server: Server) -> None:
    def reply(request: Request) -> Response:
        bad = "bad" in request["messages"][0]["content"]
        return chat("no idea" if bad else '{"answers": ["Mann"]}')

    server.reply = reply
    asks = [Ask(name, schema=SCHEMA) for name in ("good", "bad", "better")]
    first, second, third = OpenAIModel("tiny", server.url).complete(asks)
    assert isinstance(second, ModelError)
    assert isinstance(first, Completion)
    assert isinstance(third, Completion)


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"required": "answers"}])
def test_what_is_no_schema_is_an_error_of_its_own_and_not_asked(
    server: Server, schema: dict[str, Any]
) -> None:
    broken, fine = OpenAIModel("tiny", server.url).complete([Ask("a", schema=schema), Ask("b")])
    assert isinstance(broken, ModelError)
    assert "no JSON schema" in broken.message
    assert isinstance(fine, Completion)
    assert len(server.requests) == 1


def test_json_that_is_cut_off_comes_back_as_it_is_and_blames_nobody(server: Server) -> None:
    server.says(chat('{"answers": ["Man', finish="length"))
    model = OpenAIModel("tiny", server.url)
    for _ in range(2):
        assert complete(model, LISTING)[0] == Completion(
            '{"answers": ["Man', 11, 5, finish="length"
        )
    assert all("response_format" in request for request in server.requests)


def test_what_is_cut_off_and_no_json_is_not_taken_for_it(server: Server) -> None:
    server.says(chat("Here are some: one, two,", finish="length"), '{"answers": []}')
    (reply,) = complete(OpenAIModel("tiny", server.url), LISTING)
    assert reply.text == '{"answers": []}'


def test_a_text_is_continued_where_the_server_can(server: Server) -> None:
    server.paths = ("/v1/completions", "/v1/chat/completions")
    server.says(completion({"text": " Michael Mann\nQuestion:"}, tokens=(5, 4)))
    (reply,) = complete(
        OpenAIModel("tiny", server.url), Ask("Heat is by", continues=True, stop=("\n",))
    )
    assert reply == Completion("Michael Mann", 5, 4)
    assert server.requests[0]["prompt"] == "Heat is by"
    assert server.asked[-1] == "/v1/completions"


def test_else_the_model_is_told_to_continue_it(server: Server) -> None:
    said: list[Event] = []
    server.says("Michael Mann")
    model = OpenAIModel("tiny", server.url, report=said.append)
    for _ in range(2):
        assert complete(model, Ask("Heat is by", continues=True))[0].text == "Michael Mann"
    assert user(server.requests[0]).endswith("\n\nHeat is by")
    assert server.asked.count("/v1/completions") == 1
    assert len(said) == 1


def test_a_chinese_prompt_is_asked_in_chinese(server: Server) -> None:
    server.says('{"choice": "导演"}')
    complete(OpenAIModel("tiny", server.url), Ask("谁？", choices=("导演", "演员")))
    assert "请只回复" in user(server.requests[0])


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
        assert complete(model, Ask("Who?", max_tokens=7))[0].text == "fine"
    assert [left in request for request in server.requests] == [True, False, False]
    if comes:
        assert server.requests[1][comes] == 7


@pytest.mark.parametrize(
    ("about", "context"),
    [
        ({}, 4096),
        ({"/v1/models": models(owned_by="vllm", max_model_len=32_768)}, 32_768),
        ({"/v1/models": models(owned_by="sglang", max_model_len=8192)}, 8192),
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


def test_counts_are_never_too_low() -> None:
    model = OpenAIModel("tiny", "http://127.0.0.1:1/v1")
    assert model.count(["", "abc", "电影", "a" * 300]) == [1, 2, 3, 101]


def test_a_server_of_ones_own_needs_no_key_and_gets_one_that_is_set(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    complete(OpenAIModel("tiny", server.url), Ask("?"))
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    complete(OpenAIModel("tiny", server.url), Ask("?"))
    assert server.keys[1] == "Bearer secret"
    assert server.keys[0] != server.keys[1]


def test_the_hosted_service_needs_a_key() -> None:
    with pytest.raises(ModelError, match="openai:tiny cannot be called") as refusal:
        OpenAIModel("tiny", None)
    assert "OPENAI_API_KEY" in (refusal.value.hint or "")
