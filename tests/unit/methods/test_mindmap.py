"""MindMap over a small film world in memory."""

from __future__ import annotations

import json

import pytest
from fakes import memory_graph, opened, reasoner
from films import JOINED, TWO_HOPS, films
from outcomes import ranked
from scripted import ScriptedModel

from kgdb.errors import UsageError
from kgdb.methods import create

pytestmark = pytest.mark.unit


def test_paths_and_neighbours_are_put_into_words_before_the_answer() -> None:
    model = ScriptedModel(
        {
            "List the names": json.dumps({"names": ["Rex Hallorand"]}),
            "connected sentences": "Ken made a film with Rex.",
            "tree of steps": json.dumps({"reasoning": "1 → Snow Whale", "answers": ["Snow Whale"]}),
        }
    )
    answer = reasoner("mindmap", opened(films()), model).answer(JOINED)
    assert ranked(answer) == ["Snow Whale"]
    assert answer.text == "1 → Snow Whale"
    assert [(stage.name, stage.usage.calls) for stage in answer.trace] == [
        ("entities", 1), ("paths", 0), ("neighbors", 0), ("aggregate", 2), ("answer", 1),
    ]  # fmt: skip
    assert "Ken made a film with Rex.\nKen made a film with Rex." in model.asked[-1].prompt
    assert (answer.usage.calls, answer.usage.round_trips) == (4, 4)


def test_each_entity_is_joined_to_the_next_that_it_reaches() -> None:
    answer = reasoner("mindmap", memory_graph(films())).answer(
        "Snow Whale, Ada Weir, Quiet Shore?",
    )  # fmt: skip
    ends = {
        (path.entities[0].id, path.entities[-1].id)
        for path in answer.retrieved
        if len(path.steps) > 1
    }
    assert ends == {("Snow Whale", "Ada Weir")}
    assert ("Ada Weir", "Quiet Shore") in {
        (path.entities[0].id, path.entities[-1].id) for path in answer.retrieved
    }


def test_neighbours_of_what_is_like_the_question_are_looked_at_too() -> None:
    wide = reasoner("mindmap", memory_graph(films())).answer(TWO_HOPS)
    assert "Ken Amagiri" in {entity.id for path in wide.retrieved for entity in path.entities}
    assert wide.entities
    near = reasoner("mindmap", memory_graph(films()), neighbors_expanded=0).answer(TWO_HOPS)
    assert {path.entities[0].id for path in near.retrieved} == {"Ada Weir"}
    few = reasoner("mindmap", memory_graph(films()), neighbors_kept=2).answer(TWO_HOPS)
    assert len(few.retrieved) == 2


def test_without_entities_there_is_a_reason() -> None:
    answer = reasoner("mindmap", memory_graph(films())).answer("who is Qwertzuiop?")
    assert (answer.entities, "mentions no name" in (answer.reason or "")) == ((), True)


def test_claims_are_for_another_method_and_options_have_ranges() -> None:
    with pytest.raises(UsageError, match="does not verify claims"):
        reasoner("mindmap", memory_graph(films())).verify("Ken Amagiri directed Snow Whale.")
    with pytest.raises(UsageError, match="neighbors_expanded is -1; expected 0 to 100"):
        create("mindmap", {"neighbors_expanded": -1})
