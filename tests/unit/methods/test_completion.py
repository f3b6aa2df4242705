"""Whoever has many answers is given all of them, whatever evidence the answer was found in."""

from __future__ import annotations

from typing import Any

import pytest
import scripted_gotr
from fakes import MemoryDriver, memory_graph, reasoner
from films import FILMS, TEXTS
from outcomes import names
from scripted import Reply, ScriptedModel
from scripted_rok import replies

from kgdb.values import Answer

pytestmark = [pytest.mark.unit, pytest.mark.slow]

ACTED = "which films did Ada Weir act in?"
DIRECTED = "who directed the films starring Ada Weir?"
RELEASED = "when were films by Ada Weir released?"
BETWEEN = "which films did Ken Amagiri direct with Rex Hallorand?"

MANY = [f"Film {number:03}" for number in range(300)]
IN_FILMS = {*MANY, "The Salt Ledger", "Quiet Shore"}
DIRECTORS = {f"Director {number}" for number in range(30)} | {"Ken Amagiri", "Harriet Coldmoor"}


def busy() -> MemoryDriver:
    """Ada Weir acted in more films, of more directors, than a method keeps as evidence."""
    acted = [(film, "starred_actors", "Ada Weir") for film in MANY]
    directed = [(film, "directed_by", f"Director {n % 30}") for n, film in enumerate(MANY)]
    return MemoryDriver([*FILMS, *acted, *directed], TEXTS)


def ask(method: str, question: str, driver: MemoryDriver | None = None, **options: Any) -> Answer:
    answer = reasoner(method, memory_graph(driver or busy()), **options).answer(question)
    assert answer.error is None
    assert answer.usage.round_trips <= 5
    return answer


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("rok", {}),
        ("rok", {"ends_per_chain": 1}),
        ("rok", {"ends_per_chain": 7, "chains": 1}),
        ("rok", {"widen": "never"}),
        ("gotr", {}),
        ("gotr", {"k1": 5, "k2": 5, "k3": 5}),
        ("gotr", {"width": 3}),
        ("gotr", {"max_neighbors": 10}),
    ],
)
def test_all_that_a_chain_leads_to(method: str, options: dict[str, Any]) -> None:
    answer = ask(method, ACTED, **options)
    assert names(answer) == IN_FILMS
    assert not answer.truncated
    for answered in answer.entities:
        assert answered.paths
        assert answered.path_count >= len(answered.paths)
        assert all(path in answer.retrieved for path in answered.paths)


@pytest.mark.parametrize(("method", "option"), [("rok", "ends_per_chain"), ("gotr", "k1")])
def test_of_two_hops_too(method: str, option: str) -> None:
    answer = ask(method, DIRECTED, **{option: 4})
    assert names(answer) == DIRECTORS
    assert not answer.truncated


@pytest.mark.parametrize(("method", "option"), [("rok", "ends_per_chain"), ("gotr", "width")])
def test_what_is_complete_is_not_asked_for_again(method: str, option: str) -> None:
    driver = busy()
    ask(method, ACTED, driver, **{option: 1_000})
    before = len(driver.sent)
    ask(method, ACTED, driver, **{option: 5})
    # One more than the same question took when nothing was cut.
    assert len(driver.sent) - before <= before + 1
    again = MemoryDriver(FILMS, TEXTS)
    assert ask(method, ACTED, again).usage.round_trips < 5


@pytest.mark.parametrize(
    ("method", "given", "options"),
    [
        ("rok", replies("Perhaps in 1989.", ["1967"], [], ["Film 001"]), {"ends_per_chain": 4}),
        ("gotr", scripted_gotr.replies(answers=["Film 001"]), {"k1": 4}),
        ("gotr", scripted_gotr.replies(answers=["Film 001"]), {"width": 4}),
        ("gotr", scripted_gotr.replies(answers=["Film 001"]), {"also_chains": False, "width": 4}),
    ],
)
def test_with_a_model_that_names_one_of_them(
    method: str, given: dict[str, Reply], options: dict[str, Any]
) -> None:
    model = ScriptedModel(given)
    answer = reasoner(method, memory_graph(busy()), model, **options).answer(ACTED)
    assert answer.usage.round_trips <= 5
    assert names(answer) == IN_FILMS
    assert answer.entities[0].entity.name == "Film 001"
    assert not answer.truncated


def test_without_a_round_trip_left_it_is_told() -> None:
    # Five chains read more like this question than the one that leads to what is read.
    model = ScriptedModel(replies("Perhaps in 1989.", ["1967"], [], ["Film 001"]))
    answer = reasoner("rok", memory_graph(busy()), model, ends_per_chain=4).answer(RELEASED)
    assert answer.usage.round_trips == 5
    assert {"Film 001"} <= names(answer) < IN_FILMS
    assert answer.truncated


def test_more_than_a_thousand_are_told() -> None:
    acted = [(f"Film {n}", "starred_actors", "Ada Weir") for n in range(1_100)]
    answer = ask("rok", ACTED, MemoryDriver([*FILMS, *acted], TEXTS))
    assert len(answer.entities) >= 1_000
    assert answer.truncated


def test_paths_between_two_that_are_no_main_paths_answer_too() -> None:
    joint = [(film, "directed_by", "Ken Amagiri") for film in MANY[:40]]
    joint += [(film, "starred_actors", "Rex Hallorand") for film in MANY[:40]]
    answer = ask("rok", BETWEEN, MemoryDriver([*FILMS, *joint], TEXTS), main_paths=5)
    assert names(answer) == {*MANY[:40], "Snow Whale"}
    assert not answer.truncated
    some = ask("rok", BETWEEN, MemoryDriver([*FILMS, *joint], TEXTS), per_pair=10)
    assert len(some.entities) <= 10
    assert some.truncated


def test_what_the_question_names_is_no_answer() -> None:
    answer = ask("rok", "which films were made by the director of Snow Whale?", ends_per_chain=1)
    assert "Snow Whale" not in names(answer)
