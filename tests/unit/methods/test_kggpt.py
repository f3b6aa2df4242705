"""KG-GPT over the film world in memory."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes import memory_graph, reasoner
from films import TWO_HOPS, films
from outcomes import names
from scripted import ScriptedModel

from kgdb.errors import UsageError
from kgdb.language import CompletionRequest, LanguageModel
from kgdb.methods import create
from kgdb.values import Answer

pytestmark = pytest.mark.unit

SEGMENTS = json.dumps(
    {
        "subqueries": [
            {"query": "the films starring Ada Weir", "entities": ["Ada Weir"]},
            {"query": "who directed the films?", "entities": []},
        ]
    }
)


def answer(question: str, llm: LanguageModel | None = None, **options: Any) -> Answer:
    return reasoner("kggpt", memory_graph(films()), llm, **options).answer(question)


def test_without_a_language_model_the_encoder_does_what_it_can() -> None:
    found = answer("who directed Snow Whale?")
    assert names(found) == {"Ken Amagiri"}
    assert all(answered.paths for answered in found.entities)
    assert found.usage.calls == 0


def test_segments_tell_the_hops_and_the_model_chooses_relations_and_answers() -> None:
    def chosen(ask: CompletionRequest) -> str:
        menu = ask.schema["properties"]["relations"]["items"]["enum"] if ask.schema else []
        wanted = [phrase for phrase in menu if "director" in phrase or "starring" in phrase]
        return json.dumps({"relations": wanted or menu[:1]})

    model = ScriptedModel(
        {
            "Split the text": SEGMENTS,
            "Ways to go on": chosen,
            "Answer the question": '{"answers": ["Ken Amagiri", "Harriet Coldmoor"]}',
        }
    )
    found = answer(TWO_HOPS, model, width=1)
    assert names(found) == {"Ken Amagiri", "Harriet Coldmoor"}
    assert found.trace[0].output["segments"] == [
        "the films starring Ada Weir",
        "who directed the films?",
    ]
    assert {len(path.steps) for path in found.retrieved} == {2}
    assert found.usage.calls <= 5
    assert found.usage.round_trips <= 6  # one of them for the texts of the relations, once


@pytest.mark.parametrize("reply", ["", "{", '{"relations": []}', '{"relations": ["rm -rf"]}'])
def test_garbage_leaves_the_choice_to_the_encoder(reply: str) -> None:
    model = ScriptedModel(
        {
            "Split the text": reply,
            "Ways to go on": reply,
            "Answer the question": '{"answers": ["Ken Amagiri"]}',
        }
    )
    found = answer(TWO_HOPS, model, width=1)
    assert found.error is None
    assert names(found) <= {"Ken Amagiri"}
    assert any("do not match the question" in note for note in found.notes)


def test_what_no_evidence_proves_is_no_answer() -> None:
    model = ScriptedModel({"Answer the question": '{"answers": ["Nobody"]}'})
    found = answer("who directed Snow Whale?", model)
    assert found.entities == ()
    assert "no evidence proves" in (found.reason or "")


def test_a_question_without_an_entity_has_no_answer_and_costs_no_call() -> None:
    model = ScriptedModel()
    found = answer("who is Xyzzyxyz?", model)
    assert found.entities == ()
    assert found.reason
    assert model.asked == []


@pytest.mark.parametrize(
    "name", ["mentions", "width", "max_hops", "chains", "ends_per_chain", "paths"]
)
def test_an_option_out_of_range_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is 0; expected 1 to"):
        create("kggpt", {name: 0})
