"""The default method: what it asks back, what it does not know, and which method it takes."""

from __future__ import annotations

import pytest
from fakes import BagOfWords, MemoryDriver, memory_graph, reasoner
from films import FILMS, JOINED, TEXTS

from kgdb.values import Answer

pytestmark = pytest.mark.unit

# A general graph has more relations than can be read; each joins things of its own.
MANY = [(f"thing {n}", f"relation_{n}", f"other {n}") for n in range(160)]


def answer(question: str, facts: list[tuple[str, str, str]]) -> Answer:
    return reasoner("auto", memory_graph(MemoryDriver(facts, TEXTS))).answer(question)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who directed Snow Whael?", "did you mean 'Snow Whale'?"),
        ("Who directed Snow Whale and Kermit?", "the graph knows no 'Kermit'"),
        ("Which films did Ken Amagiri and Orsolo Plinth direct?", "no 'Orsolo Plinth'"),
    ],
)
def test_a_name_that_the_graph_does_not_have_is_told(question: str, reason: str) -> None:
    found = answer(question, FILMS)
    assert found.is_empty
    assert reason in str(found.reason)


@pytest.mark.parametrize(
    "question", ["Who directed Snow Whale?", "WHO DIRECTED Snow Whale?", "who directed snow whale?"]
)
def test_words_of_a_relation_are_no_names(question: str) -> None:
    assert [each.entity.name for each in answer(question, FILMS).entities] == ["Ken Amagiri"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("the director of Quiet Shore?", ["Harriet Coldmoor"]),
        (
            "the directors of the films written by Barnaby Crake?",
            ["Harriet Coldmoor", "Ken Amagiri"],
        ),
        (JOINED, ["Snow Whale"]),
        ("who wrote films with Ken Amagiri and Ada Weir?", ["The Salt Ledger"]),
        # No path of three hops joins the names: the chain from one of them answers.
        ("who directed [Quiet Shore], [thing 3]?", ["Harriet Coldmoor"]),
    ],
)
def test_among_many_relations_names_are_joined_or_start_a_chain(
    question: str, answers: list[str]
) -> None:
    found = answer(question, [*FILMS, *MANY])
    assert found.method == "auto"
    assert [each.entity.name for each in found.entities] == answers


def test_what_joins_names_is_proved_by_a_path_between_them() -> None:
    (film,) = answer(JOINED, [*FILMS, *MANY]).entities
    assert {path.entities[at].name for path in film.paths for at in (0, -1)} == {
        "Ken Amagiri",
        "Rex Hallorand",
    }


def test_the_question_is_compared_with_its_names() -> None:
    """Chains are found around a placeholder, and chosen with the name that they start from."""
    encoder = BagOfWords()
    graph = memory_graph(MemoryDriver([*FILMS, *MANY], TEXTS))
    reasoner("auto", graph, encoder=encoder).answer("who directed Quiet Shore?")
    around = "the director of {}"
    assert {around.format("this"), around.format("Quiet Shore")} <= {*encoder.encoded}
