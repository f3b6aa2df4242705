"""Think-on-Graph over a small film world in memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from fakes import MemoryDriver, memory_graph, reasoner
from films import FILMS, HOSTILE, TEXTS, TWO_HOPS, films
from outcomes import names
from scripted import Reply, ScriptedModel

from kgdb.errors import ModelError, UsageError
from kgdb.language import CompletionRequest
from kgdb.methods import create
from kgdb.values import Answer

pytestmark = pytest.mark.unit

RELATIONS, ENTITIES, ENOUGH, READ = (
    "these relations",
    "Which of these facts",
    "suffice",
    "else. Give",
)
"""A text of each prompt."""


def slot_choice(*wanted: str) -> Any:
    """A model that chooses every line that holds one of these texts."""

    def reply(asked: CompletionRequest) -> str:
        chosen = []
        for line in asked.prompt.splitlines():
            number, _, text = line.partition(". ")
            if number.isdigit() and any(each in text for each in wanted):
                chosen.append({"number": int(number), "score": 1 - int(number) / 100})
        return json.dumps({"chosen": chosen})

    return reply


def replies(
    relations: Reply, entities: Reply, enough: str = "no", answers: Any = ()
) -> dict[str, Reply]:
    return {
        RELATIONS: relations,
        ENTITIES: entities,
        ENOUGH: enough,
        READ: json.dumps({"answers": list(answers)}),
    }


GOOD = replies(
    slot_choice("which films did", "who directed"),
    slot_choice("The Salt Ledger", "Quiet Shore", "director"),
    answers=["Ken Amagiri", "Harriet Coldmoor"],
)


def ask(
    question: str = TWO_HOPS,
    given: Mapping[str, Reply] | None = None,
    driver: MemoryDriver | None = None,
    **options: Any,
) -> Answer:
    model = None if given is None else ScriptedModel(given)
    return reasoner("tog", memory_graph(driver or films()), model, **options).answer(question)


def test_the_model_walks_the_graph_to_the_answer() -> None:
    answer = ask(TWO_HOPS, GOOD, depth=2)
    assert names(answer) == {"Ken Amagiri", "Harriet Coldmoor"}
    # Per hop: the relations of each end, the entities of each relation, and whether it suffices.
    assert answer.usage.calls <= 2 * 3 * 2 + 2 + 1
    assert answer.usage.round_trips <= 5
    assert all(
        (t.head.id, t.relation, t.tail.id) in FILMS for p in answer.retrieved for t in p.triples
    )


def test_it_stops_when_the_paths_suffice() -> None:
    stopped = ask(TWO_HOPS, GOOD | {ENOUGH: "yes"})
    assert [s.name for s in stopped.trace] == ["topic entities", "explore hop 1", "answer"]
    going_on = ask(TWO_HOPS, GOOD | {ENOUGH: "yes"}, early_stop=False)
    assert "explore hop 3" in [s.name for s in going_on.trace]


def test_without_a_language_model_similarity_prunes() -> None:
    answer = ask("who directed Snow Whale?")
    assert "Ken Amagiri" in {e.name for path in answer.retrieved for e in path.entities}
    assert answer.usage.calls == 0
    assert [stage.name for stage in answer.trace if "hop" in stage.name] == [
        f"explore hop {hop}" for hop in (1, 2, 3)
    ]


def test_the_same_question_has_the_same_paths_though_many_could_be_drawn() -> None:
    """The released code draws at random among many, without a seed."""
    many = [(f"Film {number}", "starred_actors", "Ada Weir") for number in range(60)]
    first, second = (ask(driver=films(*many), max_candidates=5) for _ in range(2))
    assert first.retrieved == second.retrieved != ()
    assert first.entities == second.entities


def test_entities_without_a_name_shift_nobody_elses() -> None:
    """The released code drops them from the names but not from the ids."""
    driver = MemoryDriver(
        [
            *(("m.1", "starred_actors", "ada"), ("m.2", "starred_actors", "ada")),
            *(("m.1", "directed_by", "ken"), ("m.2", "directed_by", "harriet")),
        ],
        TEXTS,
        names={"m.1": "", "m.2": "Quiet Shore", "ada": "Ada Weir", "ken": "", "harriet": "H. C."},
    )
    answer = ask(TWO_HOPS, driver=driver)
    named = {entity.id: entity.name for path in answer.retrieved for entity in path.entities}
    assert named == {key: driver.names[key] for key in named}
    assert named.keys() >= {"m.1", "m.2"}


def test_an_empty_answer_is_no_answer() -> None:
    """The released evaluation counts it as right."""
    answer = ask("who directed Qwertzuiop?", GOOD)
    assert (answer.entities, answer.text) == ((), None)
    assert "the question mentions no name" in (answer.reason or "")


@pytest.mark.parametrize(
    "garbage",
    [
        *("", "no idea", "[]", '{"chosen": 1}', '{"chosen": [[]]}', '{"chosen": [{"num'),
        '{"chosen": [{"number": 99, "score": 1}]}',
        '{"chosen": [{"number": true, "score": "x"}]}',
    ],
)
def test_a_reply_that_chooses_nothing_leaves_it_to_similarity(garbage: str) -> None:
    answer = ask(TWO_HOPS, replies(garbage, garbage, answers=["Ken Amagiri"]))
    assert any("similarity did" in note for note in answer.notes)
    assert answer.retrieved


def test_an_error_of_the_model_ends_its_own_question_alone() -> None:
    broken = ModelError("The server is gone.")
    model = ScriptedModel({"Snow Whale directed": broken, "who directed Snow": broken, **GOOD})
    first, second = reasoner("tog", memory_graph(films()), model, depth=2).answers(
        [TWO_HOPS, "who directed Snow Whale?"]
    )
    assert (first.error, second.error) == (None, broken)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_give_orders_change_nothing(name: str) -> None:
    driver = films(("Snow Whale", "written_by", name), (name, "starred_actors", "Ada Weir"))
    assert names(ask(TWO_HOPS, GOOD, driver, depth=2)) == names(ask(TWO_HOPS, GOOD, depth=2))


@pytest.mark.parametrize(("name", "value"), [("width", 0), ("depth", 7), ("max_candidates", 0)])
def test_an_option_out_of_range_is_refused(name: str, value: int) -> None:
    with pytest.raises(UsageError, match=f"{name} is {value}; expected"):
        create("tog", {name: str(value)})
