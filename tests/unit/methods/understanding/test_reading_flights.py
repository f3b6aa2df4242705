"""Which of several readings is meant: by prepositions, ages, flags, dates and roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flight_schema import SCHEMA
from questions_over import understood_over

from kgdb.graph.forms import form_to_dict

pytestmark = pytest.mark.unit

NAMES = {
    "Arvik": "Airport",
    "Casto": "Airport",
    "Nordwind": "Airline",
    "Mila Torv": "Pilot",
    "Jon Holt": "Pilot",
}
ROLES = {"captain": ("WORKS_FOR", "rank")}


def form(question: str) -> Mapping[str, Any] | None:
    found = understood_over(SCHEMA, question, NAMES, roles=ROLES).form
    return None if found is None else form_to_dict(found)


def find(name: str) -> Mapping[str, Any]:
    return {"op": "Find", "name": name}


def every(label: str) -> Mapping[str, Any]:
    return {"op": "FindAll", "label": label}


def hop(form: Mapping[str, Any], relation: str, direction: str = "in") -> Mapping[str, Any]:
    back = {"direction": direction} if direction != "out" else {}
    return {"op": "Relate", "form": form, "relation": relation, **back}


def where(form: Mapping[str, Any], name: str, comparator: str, value: object) -> Mapping[str, Any]:
    condition = {"property": name, "comparator": comparator, "value": value}
    return {"op": "Filter", "form": form, **condition}


def property_of(name: str, of: str) -> Mapping[str, Any]:
    return {"op": "Property", "form": find(of), "property": name}


def best(of: Mapping[str, Any], name: str, extreme: str) -> Mapping[str, Any]:
    return {"op": "Select", "form": of, "property": name, "extreme": extreme}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "What is the cheapest flight from Casto?",
            best(hop(find("Casto"), "DEPARTS_FROM"), "price", "min"),
        ),
        (
            "What is the cheapest flight to Casto?",
            best(hop(find("Casto"), "ARRIVES_AT"), "price", "min"),
        ),
        (
            "Which flights from Arvik to Casto are there?",
            {
                "op": "And",
                "left": hop(find("Arvik"), "DEPARTS_FROM"),
                "right": hop(find("Casto"), "ARRIVES_AT"),
            },
        ),
        (
            "Which captains work for Nordwind?",
            {
                **hop(find("Nordwind"), "WORKS_FOR"),
                "where": [{"property": "rank", "comparator": "=", "value": "captain"}],
            },
        ),
        (
            "Who has been working for Nordwind since 2016?",
            {
                **hop(find("Nordwind"), "WORKS_FOR"),
                "where": [{"property": "since", "comparator": ">=", "value": "2016"}],
            },
        ),
        (
            "How many flights are operated by low cost airlines?",
            {
                "op": "Count",
                "form": hop(where(every("Airline"), "lowCost", "=", True), "OPERATES", "out"),
            },
        ),
        (
            "Is Nordwind a low cost airline?",
            {
                "op": "Verify",
                "form": property_of("lowCost", "Nordwind"),
                "comparator": "=",
                "value": True,
            },
        ),
        ("Where does Mila Torv live?", property_of("town", "Mila Torv")),
        ("How high is Casto?", property_of("elevation", "Casto")),
        ("How old is Mila Torv?", property_of("age", "Mila Torv")),
        ("Who is the oldest pilot?", best(every("Pilot"), "age", "max")),
        ("Who is the youngest pilot?", best(every("Pilot"), "age", "min")),
        (
            "Who is older, Mila Torv or Jon Holt?",
            {
                "op": "Compare",
                "left": find("Mila Torv"),
                "right": find("Jon Holt"),
                "property": "age",
                "extreme": "max",
            },
        ),
        ("Which pilots are over 40?", where(every("Pilot"), "age", ">", 40)),
        ("Which pilots are over 40 years old?", where(every("Pilot"), "age", ">", 40)),
        ("Which pilot has the most flight hours?", best(every("Pilot"), "flightHours", "max")),
        (
            "Which airports were opened after 5 March 1999?",
            where(every("Airport"), "opened", ">", "1999-03-05"),
        ),
        (
            "Which flights has nobody piloted?",
            {
                "op": "Except",
                "left": every("Flight"),
                "right": hop(every("Pilot"), "PILOTED", "out"),
            },
        ),
    ],
)
def test_the_reading_that_is_meant(question: str, expected: Mapping[str, Any]) -> None:
    assert form(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which flights came out before 1980?",  # no airport or airline is spoken of
        "Where does Nordwind live?",  # only pilots have a town
        "How old is Casto?",
    ],
)
def test_what_no_name_says_is_not_guessed(question: str) -> None:
    assert form(question) is None
