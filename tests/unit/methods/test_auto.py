"""The default method: what it asks back, what it does not know, and which method it takes."""

from __future__ import annotations

import pytest
from fakes import MemoryDriver, memory_graph, reasoner
from films import FILMS, TEXTS

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
    ("question", "links"),
    [
        ("who directed [Snow Whale]?", 2),
        ("what award did the director of [Snow Whale] win?", 1),
        ("who directed [Snow Whale] and [The Salt Ledger]?", 1),
    ],
)
def test_among_many_relations_only_one_hop_is_read_beside_the_name(
    question: str, links: int
) -> None:
    found = answer(question, [*FILMS, *MANY])
    assert found.method == "auto"
    # What reads beside the name links it once more.
    assert [stage.name for stage in found.trace].count("link") == links
