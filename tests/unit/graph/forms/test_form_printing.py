"""Every operator in words."""

from __future__ import annotations

import pytest
from drawn_forms import MOVIES, ONE_OF_EACH, TOM, every_form
from hypothesis import given

from kgdb.graph.forms import Form, form_text
from kgdb.graph.forms.operators import (
    Condition,
    Count,
    FilterByCount,
    Find,
    FindAll,
    GroupBy,
    Property,
    Qualifier,
    Relate,
    Select,
    SelectByCount,
    Verify,
)

pytestmark = pytest.mark.unit

WORDS = {("ACTED_IN", False): "films that {} acted in", ("ACTED_IN", True): "people in {}"}
TOLD = [
    "Tom Hanks",
    "all Movie nodes",
    "people in Tom Hanks (where role is Neo)",
    "those labelled Movie of Tom Hanks",
    "those of all Movie nodes whose released is more than 1999",
    "those of all Movie nodes whose number of ACTED_IN with all Per`son nodes is at least 2",
    "what is in both: all Movie nodes; Tom Hanks",
    "all Movie nodes or Tom Hanks",
    "all Movie nodes, without Tom Hanks",
    "the 2 of all Movie nodes with the largest released",
    "the 2 of all Movie nodes with the fewest ACTED_IN with all Per`son nodes",
    "the 2 of all Movie nodes with the largest least of since of ACTED_IN with Tom Hanks",
    "which of Tom Hanks and Meg Ryan has the largest rating",
    "the motto of Tom Hanks",
    "the role of ACTED_IN between Tom Hanks and all Movie nodes",
    "the mean rating of all Movie nodes for each ACTED_IN",
    "the least since of all Movie nodes for each ACTED_IN",
    "the number of ACTED_IN relationships of all Movie nodes for each ACTED_IN",
    "the number of all Movie nodes",
    "the number of ACTED_IN relationships that lead to films that Tom Hanks acted in",
    "the mean of the rating of all Movie nodes",
    "whether the rating of Tom Hanks is more than 7",
]


@pytest.mark.parametrize(("form", "words"), list(zip(ONE_OF_EACH, TOLD, strict=True)))
def test_every_operator_has_words(form: Form, words: str) -> None:
    assert form_text(form, WORDS) == words


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (FindAll(), "all entities"),
        (Relate(TOM, "ACTED_IN"), "films that Tom Hanks acted in"),
        (Relate(TOM, "KNOWS"), "KNOWS of Tom Hanks"),
        (Relate(TOM, "KNOWS", "in"), "what Tom Hanks is the KNOWS of"),
        (Relate(TOM, "ACTED_IN", "any"), "what ACTED_IN joins with Tom Hanks"),
        (Relate(Find("{}"), "ACTED_IN"), "films that {} acted in"),
        (Select(MOVIES, "rating", "min"), "the one of all Movie nodes with the smallest rating"),
        (Qualifier(TOM, "ACTED_IN", "role"), "the role of ACTED_IN between Tom Hanks and others"),
        (GroupBy(MOVIES, property="motto"), "the number of all Movie nodes for each motto"),
        (FilterByCount(MOVIES, "ACTED_IN", ">", 2, relationships=True),
         "those of all Movie nodes whose number of ACTED_IN relationships is more than 2"),
        (SelectByCount(MOVIES, "ACTED_IN", "max", relationships=True),
         "the one of all Movie nodes with the most ACTED_IN relationships"),
        (Verify(MOVIES), "whether there is any of all Movie nodes"),
        (Verify(Count(MOVIES), "!=", 2), "whether the number of all Movie nodes is not 2"),
        (Verify(Property(TOM, "motto"), "contains", "so"),
         "whether the motto of Tom Hanks contains so"),
        (Relate(TOM, "ACTED_IN", "out", (Condition("role", "starts with", "N"),) * 2),
         "films that Tom Hanks acted in (where role starts with N and role starts with N)"),
    ],
)  # fmt: skip
def test_the_words_say_which_way_and_under_which_condition(form: Form, words: str) -> None:
    assert form_text(form, WORDS) == words


@given(every_form)
def test_every_form_has_words(form: Form) -> None:
    assert isinstance(form_text(form, WORDS), str)
