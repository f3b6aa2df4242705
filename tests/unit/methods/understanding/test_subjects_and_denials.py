"""Who acts in a question, what a denial is about, names said in full, and second questions."""

from __future__ import annotations

import pytest

from kgdb.methods.understanding.second_question import second_question
from kgdb.methods.understanding.subjects import is_excluded, is_subject
from kgdb.methods.understanding.words import says_in_full

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("which films did X direct", True),
        ("how many films has X not written", True),
        ("which films were directed by X", False),
        ("which of the films that star X", False),
    ],
)
def test_a_name_behind_an_auxiliary_acts(text: str, acts: bool) -> None:
    assert is_subject(text.index("X"), text) is acts


@pytest.mark.parametrize(
    ("text", "inverted", "excluded"),
    [
        ("which films did X not direct", True, True),
        ("which products did X never order", True, True),
        ("did X not direct the film", False, False),
        ("which films were not directed by X", True, True),
        ("which films not by others, but by X", True, False),
        ("which films did X write but not direct", True, False),
    ],
)
def test_a_denial_is_about_the_name_behind_it_or_the_subject_at_once_before(
    text: str, inverted: bool, excluded: bool
) -> None:
    start = text.index("X")
    at = [text.index(word) + len(word) for word in ("not", "never") if word in text]
    assert is_excluded(start, start + 1, at, text, inverted=inverted) is excluded


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("What is the quantity per unit of Chai?", "quantityPerUnit", True),
        ("How many units of Chai are on order?", "unitsOnOrder", True),
        ("How many units of Chai were ordered?", "unitsOnOrder", False),
        ("What is the unit price of Chai?", "unit_price", True),
        ("What price has a unit of Chai?", "unit_price", False),
        ("Which unit has the best price?", "unit_price", False),
        ("What are the unit prices?", "unitPrice", True),
        ("What is its price?", "price", False),
    ],
)
def test_a_name_of_several_words_is_said_in_full(text: str, name: str, said: bool) -> None:
    assert says_in_full(text, name) is said


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Who directed Heat, and when was it released?", "when was it released"),
        ("Who supplies Chai and where is it based?", "where is it based"),
        ("And when was it released?", None),
        ("Which people who acted in Heat and who wrote a book are alive?", None),
        ("Who acted in Heat and Ronin?", None),
        ("Is there a film about what happened and when?", None),
        ("Which film is the oldest?", None),
        ("谁导演了这部电影，什么时候上映的？", "什么时候上映的"),
        ("谁导演了这部电影，谁写了这部电影？", None),
        ("这部电影是谁导演的？", None),
    ],
)
def test_a_second_question_is_found(text: str, other: str | None) -> None:
    assert second_question(text) == other
