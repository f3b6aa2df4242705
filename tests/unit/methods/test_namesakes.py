"""Questions and claims over names that brackets tell apart, and over classes."""

from __future__ import annotations

import pytest
from fakes import Fact, MemoryDriver, memory_graph, reasoner

from kgdb.graph import Graph

pytestmark = pytest.mark.unit

FACTS: list[Fact] = [
    ("Mercury (planet)", "discovered_by", "Timo Charis"),
    ("Mercury (element)", "discovered_by", "Ada Weir"),
    ("Rain Song", "written_by", "Queen (band)"),
    ("Harbour Lights", "written_by", "Jim Kenn"),
    ("Harbour Lights", "instance_of", "Song"),
    ("Rain Song", "instance_of", "Song"),
    ("kaldnes", "located_in", "Norrland"),
    ("kaldnes", "instance_of", "City"),
    ("ostervik", "located_in", "Sorland"),
    ("ostervik", "instance_of", "City"),
]


def world() -> Graph:
    """Two Mercuries, one Queen, and classes."""
    return memory_graph(MemoryDriver(FACTS))


@pytest.mark.parametrize("method", ["auto", "refkg", "rok", "kggpt", "mindmap"])
def test_a_question_about_namesakes_asks_back(method: str) -> None:
    answer = reasoner(method, world()).answer("Who discovered Mercury?")
    assert not answer.entities
    assert answer.reason == (
        "several entities are called 'Mercury': did you mean 'Mercury (element)' or "
        "'Mercury (planet)'?"
    )


@pytest.mark.parametrize("method", ["auto", "refkg", "rok"])
@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who discovered Mercury (planet)?", ["Timo Charis"]),
        ("Who is Rain Song written by?", ["Queen (band)"]),
        ("Which song is written by Queen?", ["Rain Song"]),
        ("Who is the song Harbour Lights written by?", ["Jim Kenn"]),
        ("where is the city kaldnes located in?", ["Norrland"]),
    ],
)
def test_one_name_is_taken(method: str, question: str, answers: list[str]) -> None:
    answer = reasoner(method, world()).answer(question)
    assert [each.entity.name for each in answer.entities] == answers


def test_a_claim_about_namesakes_is_not_judged() -> None:
    verdict = reasoner("refkg", world()).verify("Mercury was discovered by Ada Weir.")
    assert verdict.label == "NOT ENOUGH EVIDENCE"
    assert "did you mean 'Mercury (element)' or" in (verdict.reason or "")


def test_of_many_namesakes_some_are_shown() -> None:
    facts: list[Fact] = [(f"Depot ({i})", "located_in", "Norrland") for i in range(9)]
    answer = reasoner("auto", memory_graph(MemoryDriver(facts))).answer("Where is Depot located?")
    assert (answer.reason or "").endswith("'Depot (3)' or 'Depot (4)' (and 4 more)?")
