"""From a question to its form, over a small schema and by the letters of words alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from film_schema import SCHEMA
from questions_over import understood_over

from kgdb.graph.forms import form_to_dict
from kgdb.methods.understanding import reading
from kgdb.methods.understanding.cues import cues
from kgdb.methods.understanding.reading import Understood
from kgdb.methods.understanding.view import QuestionView
from kgdb.methods.understanding.words import SAME, likeness

pytestmark = pytest.mark.unit


NAMES = {
    "Ada Weir": "Person",
    "Jon Holt": "Person",
    "Heat": "Film",
    "Ran": "Film",
    "Acme": "Studio",
}
VALUES = {"Oslo": ("Studio", "city")}


def understood(question: str) -> Understood:
    return understood_over(SCHEMA, question, NAMES, VALUES)


def find(name: str) -> Mapping[str, Any]:
    return {"op": "Find", "name": name}


def every(label: str) -> Mapping[str, Any]:
    return {"op": "FindAll", "label": label}


def filtered(label: str, name: str, comparator: str, value: str) -> Mapping[str, Any]:
    condition = {"property": name, "comparator": comparator, "value": value}
    return {"op": "Filter", "form": every(label), **condition}


def ranked(form: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"op": "SelectByCount", "form": form, "extreme": "max"}


def rated(form: Mapping[str, Any], extreme: str = "max", **more: Any) -> Mapping[str, Any]:
    of_ratings = {"relation": "REVIEWED", "property": "rating", "extreme": extreme}
    return {"op": "SelectByQualifier", "form": form, **of_ratings, **more}


def of(form: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return {"op": "Property", "form": form, "property": name}


def hop(form: Mapping[str, Any], relation: str, *, back: bool = False) -> Mapping[str, Any]:
    direction = {"direction": "in"} if back else {}
    return {"op": "Relate", "form": form, "relation": relation, **direction}


ADA = hop(find("Ada Weir"), "ACTED_IN")
DIRECTED = hop(find("Ada Weir"), "DIRECTED")


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("Which films did Ada Weir act in?", ADA),
        ("Who directed Heat?", hop(find("Heat"), "DIRECTED", back=True)),
        ("How many films has Ada Weir directed?", {"op": "Count", "form": DIRECTED}),
        ("How many films are there?", {"op": "Count", "form": every("Film")}),
        (
            "When was Ada Weir born?",
            {"op": "Property", "form": find("Ada Weir"), "property": "born"},
        ),
        (
            "What is the budget of Heat?",
            of(find("Heat"), "budget"),
        ),
        (
            "Which films were released after 1995?",
            {
                "op": "Filter",
                "form": every("Film"),
                "property": "released",
                "comparator": ">",
                "value": "1995",
            },
        ),
        (
            "Which film has the highest budget?",
            {"op": "Select", "form": every("Film"), "property": "budget", "extreme": "max"},
        ),
        (
            "What is the oldest film that Ada Weir directed?",
            {"op": "Select", "form": DIRECTED, "property": "released", "extreme": "min"},
        ),
        (
            "Who directed the most films?",
            {
                "op": "SelectByCount",
                "form": every("Person"),
                "relation": "DIRECTED",
                "extreme": "max",
            },
        ),
        (
            "Which films star Ada Weir but not Jon Holt?",
            {"op": "Except", "left": ADA, "right": hop(find("Jon Holt"), "ACTED_IN")},
        ),
        (
            "Which films did both Ada Weir and Jon Holt act in?",
            {"op": "And", "left": ADA, "right": hop(find("Jon Holt"), "ACTED_IN")},
        ),
        (
            "What is the average budget of films directed by Ada Weir?",
            {
                "op": "Aggregate",
                "values": {"op": "Property", "form": DIRECTED, "property": "budget"},
                "function": "mean",
            },
        ),
        (
            "Is Ada Weir older than Jon Holt?",
            {
                "op": "Verify",
                "form": {
                    "op": "And",
                    "left": {
                        "op": "Compare",
                        "left": find("Ada Weir"),
                        "right": find("Jon Holt"),
                        "property": "born",
                        "extreme": "min",
                    },
                    "right": find("Ada Weir"),
                },
            },
        ),
        (
            "What role did Ada Weir play in Heat?",
            {
                "op": "Qualifier",
                "form": find("Ada Weir"),
                "relation": "ACTED_IN",
                "property": "role",
                "to": find("Heat"),
            },
        ),
        (
            "Which studios are in Oslo?",
            {
                "op": "Filter",
                "form": every("Studio"),
                "property": "city",
                "comparator": "=",
                "value": "Oslo",
            },
        ),
        ("Who follows Ada Weir?", hop(find("Ada Weir"), "FOLLOWS", back=True)),
        ("Who does Ada Weir follow?", hop(find("Ada Weir"), "FOLLOWS")),
        ("Who is Ada Weir followed by?", hop(find("Ada Weir"), "FOLLOWS", back=True)),
        (
            "Who is Ada Weir married to?",
            {
                "op": "Relate",
                "form": find("Ada Weir"),
                "relation": "MARRIED_TO",
                "direction": "any",
            },
        ),
        (
            "How many films did each studio make?",
            {"op": "GroupBy", "form": every("Film"), "relation": "MADE_BY"},
        ),
        ("Which film has the highest rating?", rated(every("Film"), direction="in")),
        (
            "Which 2 films have the lowest average rating?",
            rated(every("Film"), "min", direction="in", function="mean", k=2),
        ),
        (
            "Who gave the highest rating to Heat?",
            rated(hop(find("Heat"), "REVIEWED", back=True), to=find("Heat")),
        ),
        (
            "Which film did Ada Weir rate the lowest?",
            rated(hop(find("Ada Weir"), "REVIEWED"), "min", direction="in", to=find("Ada Weir")),
        ),
        (
            "What is the average rating of each film?",
            {
                "op": "GroupBy",
                "form": every("Person"),
                "relation": "REVIEWED",
                "function": "mean",
                "qualifier": "rating",
            },
        ),
    ],
)
def test_the_form_of_a_question(question: str, form: Mapping[str, Any]) -> None:
    found = understood(question).form
    assert found is not None, understood(question).reason
    assert form_to_dict(found) == form


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What is the runtime of Heat?", "runtime"),
        ("Which films won an Oscar?", "won"),
        ("Who composed Heat?", "composed"),
        ("How tall is Ada Weir?", "tall"),
    ],
)
def test_a_word_that_nothing_explains_is_named(question: str, word: str) -> None:
    result = understood(question)
    assert result.form is None
    assert word in (result.reason or "")


def test_of_a_text_with_an_unknown_word_no_reading_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    question = "Which is the highest rated film with Ada Weir of all {} films?"
    tried: list[QuestionView] = []
    monkeypatch.setattr(reading, "readings", lambda view: tried.append(view) or [])
    assert "zyzzyva" in (understood(question.format("zyzzyva")).reason or "")
    assert not tried
    understood(question.format(""))
    assert tried


def test_a_superlative_without_a_property_is_not_answered() -> None:
    assert understood("What is the longest film?").form is None


def test_where_asks_for_no_date() -> None:
    assert understood("Where was Ada Weir born?").form is None


def test_those_who_do_what_a_relation_says_make_groups() -> None:
    form = understood("For each reviewer, how many films did they review?").form
    assert form is not None
    assert form_to_dict(form) == {
        "op": "GroupBy",
        "form": every("Film"),
        "relation": "REVIEWED",
        "direction": "in",
    }


def test_words_that_begin_alike_by_chance_are_not_alike() -> None:
    assert likeness("contain", "contact", cues()) == 0
    assert likeness("act", "actor", cues()) == SAME
