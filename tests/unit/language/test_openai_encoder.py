"""Encoders behind an OpenAI-compatible server: what is sent to them, and vectors that are none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from served import Request, Response, Server, failure

from kgdb.errors import ModelError, UsageError
from kgdb.language import load_encoder
from kgdb.language.served.openai_encoder import served_encoder
from kgdb.settings import Settings

pytestmark = pytest.mark.unit


def embedded(request: Request) -> Response:
    """The last text first: the protocol numbers them."""
    data = [
        {"object": "embedding", "index": number, "embedding": [float(len(text)), 1.0]}
        for number, text in enumerate(request["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Response({"object": "list", "data": data[::-1], "model": "tiny", "usage": usage})


@pytest.fixture
def embeddings(server: Server) -> Server:
    server.paths = ("/v1/embeddings",)
    server.reply = embedded
    return server


def test_vectors_have_length_one_and_the_order_of_the_texts(embeddings: Server) -> None:
    encoder = served_encoder("tiny", embeddings.url, 5)
    texts = ["a", "bb", "a", "\ud800"]
    vectors = encoder.encode(texts)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], [1, 2, 1, 1], rtol=1e-6)
    assert embeddings.requests == [
        {"model": "tiny", "input": ["a", "bb", "\ufffd"], "encoding_format": "float"}
    ]
    encoder.encode(["bb"])
    assert len(embeddings.requests) == 1


def test_many_texts_are_sent_in_batches(embeddings: Server) -> None:
    texts = ["x" * number for number in range(1, 101)]
    vectors = served_encoder("tiny", embeddings.url, 5).encode(texts)
    assert [len(request["input"]) for request in embeddings.requests] == [32, 32, 32, 4]
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], range(1, 101), rtol=1e-5)


@pytest.mark.parametrize(
    "vectors", [[[0.0, 0.0]], [[float("nan"), 1.0]], [[]]], ids=["no length", "nan", "empty"]
)
def test_what_cannot_be_compared_is_an_error(embeddings: Server, vectors: Any) -> None:
    data = [
        {"object": "embedding", "index": i, "embedding": each} for i, each in enumerate(vectors)
    ]
    embeddings.says(Response({"object": "list", "data": data, "model": "tiny"}))
    with pytest.raises(ModelError, match="cannot be compared"):
        served_encoder("tiny", embeddings.url, 5).encode(["a"])


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (Response({"object": "list", "data": [], "model": "tiny"}), "no OpenAI-compatible server"),
        (failure(404, "no such model"), "refused the request|was not found"),
    ],
)
def test_a_server_without_the_model_is_an_error(
    embeddings: Server, response: Response, said: str
) -> None:
    embeddings.says(response)
    with pytest.raises(ModelError, match=said):
        served_encoder("tiny", embeddings.url, 5).encode(["a"])


def test_a_short_failure_is_tried_again(embeddings: Server) -> None:
    replies = [failure(503), None]
    embeddings.reply = lambda request: replies.pop(0) or embedded(request)
    assert served_encoder("tiny", embeddings.url, 5).encode(["a"]).shape == (1, 2)


def test_the_name_tells_the_model_and_not_where_it_is(embeddings: Server) -> None:
    settings = Settings(home=Path("nowhere"), encoder=f"openai:tiny@{embeddings.url}")
    assert load_encoder(settings).name == "openai:tiny"
    assert embeddings.asked == []


@pytest.mark.parametrize("name", ["openai", "openai:", "openai:tiny@localhost:8000"])
def test_what_names_no_encoder_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="names no encoder"):
        load_encoder(Settings(home=Path("nowhere"), encoder=name))
