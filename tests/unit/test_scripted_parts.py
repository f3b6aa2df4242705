"""The stand-ins that methods are tested with give what the parts they stand for would."""

from __future__ import annotations

import json

import pytest
from fakes import MemoryDriver, memory_graph
from scripted import ScriptedModel

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest
from kgdb.values import Step

pytestmark = pytest.mark.unit

FACTS = [
    ("Heat", "directed_by", "Mann"),
    ("Heat", "starred", "Pacino"),
    ("Insider", "directed_by", "Mann"),
    ("Insider", "starred", "Pacino"),
]


def test_paths_between_entities_in_memory() -> None:
    graph = memory_graph(MemoryDriver(FACTS))
    found = graph.all_paths(["Mann", "Pacino"], max_hops=2)
    assert [[entity.id for entity in row.path.entities] for row in found] == [
        ["Mann", "Heat", "Pacino"],
        ["Mann", "Insider", "Pacino"],
    ]
    assert graph.all_paths(["Mann", "Pacino"], max_hops=2, limit=1).cut == ("limit",)
    assert graph.shortest_paths(["Mann", "Pacino"]) == found
    assert graph.all_paths(["Mann", "Pacino"], max_hops=1) == ()


def test_beams_and_ranks_in_memory() -> None:
    graph = memory_graph(MemoryDriver(FACTS))
    (best, *_) = graph.beam(["Mann"], [{"^directed_by": 0.9}, {"starred": 0.5}])
    assert (best.entity.id, best.score) == ("Pacino", pytest.approx(1.4))
    assert best.path.steps == (Step("directed_by", reverse=True), Step("starred"))
    ranked = graph.pagerank(["Heat"], [("Heat", "Mann"), ("Insider", "Mann")], direction="both")
    assert [row.entity.id for row in ranked] == ["Mann", "Heat", "Insider"]


def test_links_in_memory_tell_why() -> None:
    graph = memory_graph(MemoryDriver(FACTS, names={"Mann": "Michael Mann"}))
    exact, typo, nothing = graph.link(["Heat", "Micheal Mann", "Zzz"])
    assert [(row.entity.id, row.reason) for row in exact] == [("Heat", "exact")]
    assert [(row.entity.id, row.reason) for row in typo] == [("Mann", "typo")]
    assert nothing == ()


def test_a_scripted_model_replies_by_what_a_prompt_contains() -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "array", "items": {"type": "string"}}},
        "required": ["n"],
    }
    model = ScriptedModel(
        {"down": ModelError("down"), "who": "yes", "echo": lambda ask: ask.prompt.upper()}
    )
    requests = [
        CompletionRequest("who?"),
        CompletionRequest("echo"),
        CompletionRequest("other", schema=schema),
        CompletionRequest("other", choices=("a", "b")),
    ]
    replies = model.complete(requests)
    assert [reply.text for reply in replies if isinstance(reply, Completion)] == [
        "yes", "ECHO", json.dumps({"n": []}), "a",
    ]  # fmt: skip
    assert model.asked == requests
    failed, refused = model.complete(
        [CompletionRequest("down"), CompletionRequest("who?", choices=("a", "b"))]
    )
    assert isinstance(failed, ModelError)
    assert isinstance(refused, ModelError)
