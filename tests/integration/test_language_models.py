"""The default language model, in this process: its own weights, no database."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgdb.language import Completion, CompletionRequest, LanguageModel, load_llm
from kgdb.settings import load_settings

pytestmark = pytest.mark.integration

PROMPTS = [
    "Tell me about the moon.",
    "Who wrote Hamlet?",
    "List three colours.",
    "What is the capital of France and why is it important?",
    "请介绍一下北京。",
    "Write a story about a dog that finds a bone in the garden and brings it home to its owner.",
    "2+2?",
    "Explain photosynthesis to a child.",
    "Translate 'good morning' into Spanish.",
    "\n".join(f"{i}. Film {i} was directed by Person {i}." for i in range(20)) + "\nFilm 7?",
    "Name a river. 🎬",
    "Why is the sky blue? Answer in one sentence.",
]
SCHEMA = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": {"type": "string"}, "maxItems": 20}},
    "required": ["answers"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def model(home: Path) -> LanguageModel:
    loaded = load_llm(load_settings({"KGDB_HOME": str(home)}, llm="smollm2"))
    assert loaded is not None
    return loaded


def test_twelve_replies_are_the_same_together_and_alone(model: LanguageModel) -> None:
    requests = [CompletionRequest(prompt, max_tokens=12) for prompt in PROMPTS]
    together = model.complete(requests)
    assert together == [model.complete([ask])[0] for ask in requests]
    texts = [reply.text for reply in together if isinstance(reply, Completion)]
    assert len(set(texts)) == len(PROMPTS)
    assert "Paris" in texts[3]


def test_json_is_whole_however_short_the_reply_has_to_be(model: LanguageModel) -> None:
    for most in (6, 30):
        requests = [CompletionRequest(ask, max_tokens=most, schema=SCHEMA) for ask in PROMPTS[:6]]
        for reply in model.complete(requests):
            assert isinstance(reply, Completion)
            assert isinstance(json.loads(reply.text)["answers"], list)


def test_the_likelier_choice_is_taken(model: LanguageModel) -> None:
    choices = ("Rome", "Paris", "a river in Asia")
    for continues in (False, True):
        prompt = "The capital of France is" if continues else "What is the capital of France?"
        (reply,) = model.complete([CompletionRequest(prompt, choices=choices, continues=continues)])
        assert isinstance(reply, Completion)
        assert reply.text == "Paris"
