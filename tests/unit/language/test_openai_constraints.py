"""Models behind an OpenAI-compatible server: how they are kept to the form asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from outcomes import complete
from served import Request, Response, Server, chat, failure, user

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.language.served.openai_model import OpenAIModel
from kgdb.progress import Event, Message
from kgdb.wording import short

pytestmark = pytest.mark.unit

CHOICES = ("the films starring this", "the director of this")
CHOOSING = CompletionRequest("Question: who?", choices=CHOICES)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": {"type": "string"}}},
    "required": ["answers"],
    "additionalProperties": False,
}
LISTING = CompletionRequest("Who made Heat?", schema=SCHEMA)


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
    requests = [CompletionRequest(f"question {i}", choices=("no", f"yes {i}")) for i in range(40)]
    replies = complete(OpenAIModel("tiny", server.url), *requests)
    assert [reply.text for reply in replies] == [f"yes {i}" for i in range(40)]
    assert len(server.requests) == 40
    assert server.looked_at() == ["/v1/models"]


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
    ask = CompletionRequest("Write Cypher", grammar='start: "CREATE"')
    plain = OpenAIModel("tiny", server.url)
    assert not plain.supports_grammar
    with pytest.raises(ModelError, match="cannot keep a reply to a grammar") as refusal:
        complete(plain, ask)
    assert "vLLM" in (refusal.value.hint or "")
    assert server.requests == []
    server.is_vllm()
    server.says("CREATE")
    held = OpenAIModel("tiny", server.url)
    assert held.supports_grammar
    assert complete(held, ask)[0].text == "CREATE"
    assert server.requests[0]["structured_outputs"] == {"grammar": 'start: "CREATE"'}


@pytest.mark.parametrize("status", [400, 404, 415, 422, 501])
@pytest.mark.parametrize("ask", [CHOOSING, LISTING], ids=["choices", "schema"])
def test_a_server_that_refuses_schemas_is_asked_in_words_from_then_on(
    server: Server, status: int, ask: CompletionRequest
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


BEST_EFFORT = CompletionRequest("Who made Heat?", schema=SCHEMA, best_effort=True)


def test_at_best_effort_a_server_is_asked_by_the_schema_and_may_reply_with_anything(
    server: Server,
) -> None:
    server.says("Mann, I think.", "Mann again.")
    model = OpenAIModel("tiny", server.url)
    assert [complete(model, BEST_EFFORT)[0].text for _ in range(2)] == [
        "Mann, I think.",
        "Mann again.",
    ]
    formats = [request["response_format"]["json_schema"] for request in server.requests]
    assert [(each["schema"], each["strict"]) for each in formats] == [(SCHEMA, False)] * 2


def test_a_server_that_refuses_such_a_schema_is_still_asked_by_others(server: Server) -> None:
    def reply(request: Request) -> Response:
        shape = request.get("response_format", {}).get("json_schema", {"strict": True})
        return chat('{"answers": []}') if shape["strict"] else failure(400, "recursive schema")

    server.reply = reply
    model = OpenAIModel("tiny", server.url)
    for ask in (BEST_EFFORT, BEST_EFFORT, LISTING):
        assert complete(model, ask)[0].text == '{"answers": []}'
    shaped = ["response_format" in request for request in server.requests]
    assert shaped == [True, False, False, True]
    assert user(server.requests[1]) == BEST_EFFORT.prompt


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
    server: Server, ask: CompletionRequest, reply: str, text: str
) -> None:
    server.says(reply)
    assert complete(OpenAIModel("tiny", server.url), ask)[0].text == text
    assert len(server.requests) == 1


def test_a_server_that_ignores_schemas_is_asked_again_in_words(server: Server) -> None:
    said: list[Event] = []
    server.says("Who knows?", "Michael Mann!", '{"answers": ["Mann"]}')
    model = OpenAIModel("tiny", server.url, report=said.append)
    (reply,) = complete(model, LISTING)
    # What was of no use costs too.
    assert reply == Completion('{"answers": ["Mann"]}', 33, 15, requests=3)
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
    assert short(reply, 200) in refusal.value.message
    assert "JSON schemas" in (refusal.value.hint or "")
    assert len(server.requests) == 3
    assert isinstance(refusal.value, ModelError)
    spent = (refusal.value.requests, refusal.value.tokens_in, refusal.value.tokens_out)
    assert spent == (3, 33, 15)


def test_an_ask_that_gets_no_fit_reply_leaves_the_others_alone(server: Server) -> None:
    def reply(request: Request) -> Response:
        bad = "bad" in request["messages"][0]["content"]
        return chat("no idea" if bad else '{"answers": ["Mann"]}')

    server.reply = reply
    requests = [CompletionRequest(name, schema=SCHEMA) for name in ("good", "bad", "better")]
    first, second, third = OpenAIModel("tiny", server.url).complete(requests)
    assert isinstance(second, ModelError)
    assert isinstance(first, Completion)
    assert isinstance(third, Completion)


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"required": "answers"}])
def test_what_is_no_schema_is_an_error_of_its_own_and_not_asked(
    server: Server, schema: dict[str, Any]
) -> None:
    broken, fine = OpenAIModel("tiny", server.url).complete(
        [CompletionRequest("a", schema=schema), CompletionRequest("b")]
    )
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


@pytest.mark.parametrize(
    "ask", [CompletionRequest("Who?"), CHOOSING, LISTING], ids=["text", "choice", "schema"]
)
@pytest.mark.parametrize(
    "thinking",
    [
        chat(None, finish="length", reasoning_content="Let me see"),
        chat("", finish="length", reasoning="Let me see"),
        chat("<think>Let me see", finish="length"),
    ],
    ids=["reasoning_content", "reasoning", "aloud"],
)
def test_what_is_cut_off_before_the_model_has_thought_is_an_error_that_says_so(
    server: Server, ask: CompletionRequest, thinking: Response
) -> None:
    said: list[Event] = []
    server.says(thinking)
    (outcome,) = OpenAIModel("tiny", server.url, report=said.append).complete([ask])
    assert isinstance(outcome, ModelError)
    assert "still thinking when its reply was cut off after 5 tokens" in outcome.message
    assert (outcome.requests, outcome.tokens_in, outcome.tokens_out) == (1, 11, 5)
    assert len(server.requests) == 1
    assert said == []  # the server may well keep to schemas


def test_it_may_be_only_the_second_time(server: Server) -> None:
    server.says("dunno", "dunno", chat(None, finish="length", reasoning_content="Let me see"))
    (outcome,) = OpenAIModel("tiny", server.url).complete([CHOOSING])
    assert isinstance(outcome, ModelError)
    assert "still thinking" in outcome.message
    assert (outcome.requests, outcome.tokens_in) == (3, 33)


@pytest.mark.parametrize(
    "reply",
    [
        chat(None, finish="length"),
        chat("", finish="stop", reasoning_content="Let me see"),
        chat("<think>Let me see</think>", finish="length"),
    ],
)
def test_where_that_is_not_known_an_empty_reply_is_one(server: Server, reply: Response) -> None:
    server.says(reply)
    assert complete(OpenAIModel("tiny", server.url), CompletionRequest("Who?"))[0].text == ""


@pytest.mark.parametrize(
    ("ask", "reply", "text"),
    [
        (CompletionRequest("Who?"), "Ma\ud83dnn \ud83d\ude00", "Ma\ufffdnn 😀"),
        (LISTING, '{"answers": ["\ud83d"]}', '{"answers": ["\ufffd"]}'),
        (LISTING, '{"answers": ["\\ud83d"]}', '{"answers": ["\ufffd"]}'),
    ],
    ids=["text", "raw", "escaped"],
)
def test_half_a_character_cannot_break_what_a_reply_is_written_to(
    server: Server, ask: CompletionRequest, reply: str, text: str
) -> None:
    server.says(reply)
    assert complete(OpenAIModel("tiny", server.url), ask)[0].text == text


def test_nor_can_one_that_the_model_is_shown_again(server: Server) -> None:
    server.says("dunno", "\ud83d", "the director of this")
    assert complete(OpenAIModel("tiny", server.url), CHOOSING)[0].text == CHOICES[1]
    assert server.requests[2]["messages"][1]["content"] == "\ufffd"


def test_a_chinese_prompt_is_asked_in_chinese(server: Server) -> None:
    server.says('{"choice": "导演"}')
    complete(OpenAIModel("tiny", server.url), CompletionRequest("谁？", choices=("导演", "演员")))
    assert "请只回复" in user(server.requests[0])
