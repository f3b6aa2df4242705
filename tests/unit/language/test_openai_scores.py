"""vLLM behind the OpenAI protocol: how likely each choice is after a text."""

from __future__ import annotations

import pytest
from outcomes import complete
from served import Request, Response, Server, chat, completion

from kgdb.language import Completion, CompletionRequest
from kgdb.language.served.openai_model import OpenAIModel
from kgdb.progress import Event, Message

pytestmark = pytest.mark.unit


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
    (reply,) = complete(model, CompletionRequest("It is", choices=("red", "blue"), continues=True))
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
    (reply,) = complete(model, CompletionRequest("It is", choices=("red", "blue"), continues=True))
    assert reply.scores == (-3.0, -2.5)


def test_vllm_that_tells_no_probabilities_still_chooses(server: Server) -> None:
    server.is_vllm()
    said: list[Event] = []

    def reply(request: Request) -> Response:
        return completion({"text": "x"}) if "prompt" in request else chat("blue")

    server.reply = reply
    model = OpenAIModel("tiny", server.url, report=said.append)
    for _ in range(2):
        (found,) = complete(
            model, CompletionRequest("It is", choices=("red", "blue"), continues=True)
        )
        assert (found.text, found.scores) == ("blue", None)
    assert ["prompt" in request for request in server.requests] == [True, False, False]
    (message,) = said
    assert isinstance(message, Message)
    assert "does not tell how likely a text is" in message.text
