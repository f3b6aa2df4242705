"""What a graph can be expected to know of, told without a look at any answer."""

from __future__ import annotations

import pytest
from fakes import MemoryDriver, memory_graph

from kgdb.evaluation import Claim, Question, covered
from kgdb.graph import Graph

pytestmark = pytest.mark.unit


@pytest.fixture
def graph() -> Graph:
    facts = [
        ("Ada Weir", "birthPlace", "Kermor"),
        ("Quiet Shore", "starring", "Ada Weir"),
        ("m.1", "directed", "Quiet Shore"),
    ]
    return memory_graph(MemoryDriver(facts, names={"m.1": "Ken Amagiri"}))


def question(id_: str, *gold: str, entities: tuple[str, ...] = (), **ids: str) -> Question:
    return Question(id_, "?", frozenset(gold), ids, entities=entities)


def test_a_question_is_covered_by_a_gold_answer_and_an_entity(graph: Graph) -> None:
    questions = [
        question("a name", "Kermor", "Nowhere"),
        question("no answer", "Nowhere"),
        question("an id", "m.1"),
        question("name and id", "Someone", **{"m.1": "Someone"}),
        question("an entity", "Kermor", entities=("Nobody", "Ada Weir")),
        question("no entity", "Kermor", entities=("Nobody",)),
        question("only similar", "Kermore"),
        question("another case", "kermor"),
        question("nothing at all"),
    ]
    assert [asked.id for asked in covered(graph, questions)] == [
        "a name",
        "an id",
        "name and id",
        "an entity",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Weir was born in Kermor.", True),
        ("Ada Weir was not born in Quiet Shore!", True),
        ("Yes, Ada Weir was born in Kermor.", True),
        ("Ada Weir was born in Paris.", False),
        ("Ada Weir was born in Kermor, France.", False),
        ("He was born in Kermor.", True),
        ("He was born in paris.", False),
        ("Who is it?", False),
    ],
)
def test_a_claim_is_covered_when_the_graph_has_all_its_names(
    graph: Graph, text: str, expected: bool
) -> None:
    claims = [Claim("1", text, "SUPPORTED"), Claim("2", text, "REFUTED")]
    assert list(covered(graph, claims)) == (claims if expected else [])


def test_a_claim_whose_entities_are_listed_is_covered_by_all_of_them(graph: Graph) -> None:
    both = Claim("both", "x", "REFUTED", entities=("Ada Weir", "m.1"))
    one = Claim("one", "x", "REFUTED", entities=("Ada Weir", "Paris"))
    assert list(covered(graph, [one, both])) == [both]
