"""Answers by an encoder behind a server are those of the same encoder in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kgdb
from kgdb.language import load_encoder
from kgdb.settings import Settings
from tests.unit.served import Response, serving

pytestmark = pytest.mark.integration

QUESTIONS = (
    "Who wrote The Tuesday Engine?",
    "Which films did the director of The Tuesday Engine direct?",
    "Who directed the films that Ada Weir acted in?",
)


def test_the_same_weights_give_the_same_answers(demo: kgdb.KnowledgeGraph) -> None:
    local = load_encoder(Settings(home=Path("nowhere"), encoder="minilm:base"))

    def embedded(request: dict[str, Any]) -> Response:
        data = [
            {"object": "embedding", "index": number, "embedding": vector.tolist()}
            for number, vector in enumerate(local.encode(request["input"]))
        ]
        return Response({"object": "list", "data": data, "model": "minilm"})

    with serving() as server:
        server.paths, server.reply = ("/v1/embeddings",), embedded
        name = f"openai:minilm@{server.url}"
        for question in QUESTIONS:
            served = demo.answer(question, llm="none", encoder=name)
            alone = demo.answer(question, llm="none", encoder="minilm:base")
            assert [each.entity.id for each in served.entities] == [
                each.entity.id for each in alone.entities
            ]
            assert served.entities
        assert server.requests
