"""A question taken apart: which cues are found, and which words are left to be explained."""

from __future__ import annotations

import pytest

from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.question import Anchor, QuestionParts, take_apart

pytestmark = pytest.mark.unit


def parts(question: str, *names: str) -> QuestionParts:
    anchors = [
        Anchor(name, start, start + len(name), None, frozenset())
        for name in names
        if (start := question.index(name)) >= 0
    ]
    return take_apart(question, anchors, cues())


def words(question: str, *names: str) -> list[str]:
    return [word.text for word in parts(question, *names).words]


@pytest.mark.parametrize(
    "question",
    [
        "Which films did Ada Weir act in?",
        "Who directed the films that Ada Weir acted in?",
        "Who are the writers of films starring Ada Weir?",
        "What genre is the film in?",
    ],
)
def test_a_question_that_a_chain_answers_has_no_operator(question: str) -> None:
    assert not parts(question).has_operators


@pytest.mark.parametrize(
    "question",
    [
        "How many films did she direct?",
        "Was she born in Oslo?",
        "Which films did she not direct?",
        "What is the oldest film?",
        "Which film has the most actors?",
        "What is the average price?",
        "Which films came out after 1995?",
        "What are the top 3 products?",
        "How many products are there per category?",
    ],
)
def test_operator_words_are_seen(question: str) -> None:
    assert parts(question).has_operators


def test_operator_words_inside_a_name_are_none() -> None:
    assert not parts("Who wrote Not Without You?", "Not Without You").has_operators
    assert parts("Who wrote Not Without You?").has_operators


@pytest.mark.parametrize(
    ("question", "op", "value", "dated"),
    [
        ("Which films came out after 1995?", ">", 1995, True),
        ("Which films came out before 1995-03-31?", "<", "1995-03-31", True),
        ("Which products cost at least $1,200.50?", ">=", 1200.5, False),
        ("Which products cost less than 5?", "<", 5, False),
        ("Who acted in more than three films?", ">", 3, False),
        ("Which towns have 5 or more parks?", ">=", 5, False),
        ("Which films were released in 1999?", "=", 1999, True),
    ],
)
def test_comparisons(question: str, op: str, value: object, dated: bool) -> None:
    (found,) = parts(question).comparisons
    assert (found.op, found.value, found.dated) == (op, value, dated)


def test_a_range_is_two_comparisons_of_one_place() -> None:
    low, high = parts("Which films came out between 1995 and 1999?").comparisons
    assert (low.op, low.value, high.op, high.value) == (">=", 1995, "<=", 1999)
    assert low.start == high.start


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which films are from 1999?", [("=", 1999)]),
        ("Which films are from the year 1999?", [("=", 1999)]),
        ("Which films since 1999 are there?", [(">=", 1999)]),
        ("Which films from 1999 onwards are there?", [(">=", 1999)]),
        ("Which films from 1990 to 1999 are there?", [(">=", 1990), ("<=", 1999)]),
        ("Which films from 1990 until 1999 are there?", [(">=", 1990), ("<=", 1999)]),
        ("Which products are there from 20?", [(">=", 20)]),
    ],
)
def test_from_a_year_is_that_year_unless_it_goes_on(
    question: str, expected: list[tuple[str, int]]
) -> None:
    assert [(each.op, each.value) for each in parts(question).comparisons] == expected


def test_a_number_that_is_compared_is_no_name() -> None:
    assert parts("Which films came out before 1953?", "1953").anchors == ()
    assert len(parts("Who directed 1953?", "1953").anchors) == 1


def test_rankings() -> None:
    assert parts("Who is the youngest actor?").superlative is not None
    asked = parts("What are the 3 most expensive products?")
    assert asked.superlative is not None
    assert (asked.k, asked.superlative.extreme) == (3, "max")
    assert parts("Who directed the fewest films?").extreme == "min"
    assert parts("Which is older, Oslo or Bergen?", "Oslo", "Bergen").comparative is not None
    first = parts("Which came out first, Heat or Ran?", "Heat", "Ran")
    assert first.comparative is not None
    assert first.superlative is None


def test_two_things_are_compared_by_more_than() -> None:
    for question, extreme in (
        ("Does Heat cost more than Ran?", "max"),
        ("Does Heat cost less than the Ran?", "min"),
    ):
        compared = parts(question, "Heat", "Ran").comparative
        assert compared is not None
        assert compared.extreme == extreme
    assert parts("Does Heat cost more than 5?", "Heat").comparative is None


def test_what_is_excluded() -> None:
    asked = parts("Which films star Ada Weir but not Jon Holt?", "Ada Weir", "Jon Holt")
    assert [anchor.excluded for anchor in asked.anchors] == [False, True]


def test_the_words_that_are_left() -> None:
    assert words("How many films did Ada Weir direct after 1995?", "Ada Weir") == [
        "films",
        "direct",
    ]
    assert words("What is Ada Weir's birth year?", "Ada Weir") == ["birth", "year"]
