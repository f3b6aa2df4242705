"""Whether *how many*, *most* and *more than* count events or the entities at their ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from film_schema import ends, info
from questions_over import understood_over

from kgdb.graph.forms import form_to_dict
from kgdb.graph.schema import Schema

pytestmark = pytest.mark.unit

SCHEMA = Schema(
    {"Club": 9, "Striker": 40, "Tie": 90},
    {"season": info("season", "integer", "Tie")},
    {
        each.relation: each
        for each in (
            ends("SCORED_GOAL", "Striker", "Tie", info("minute", "integer", "")),
            ends("VISITED", "Striker", "Club"),
            ends("HOSTS", "Club", "Tie"),
        )
    },
)
NAMES = {"Lea": "Striker", "Tie A": "Tie", "Harbour City": "Club"}


def form(question: str) -> Mapping[str, Any] | None:
    found = understood_over(SCHEMA, question, NAMES).form
    return None if found is None else form_to_dict(found)


def hop(name: str, relation: str, direction: str = "out") -> dict[str, Any]:
    back = {"direction": direction} if direction != "out" else {}
    start = {"op": "Find", "name": name}
    return {"op": "Relate", "form": start, "relation": relation, **back}


def number(of: Mapping[str, Any], *, events: bool) -> dict[str, Any]:
    return {"op": "Count", "form": of} | ({"relationships": True} if events else {})


SCORED = hop("Lea", "SCORED_GOAL")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many goals did Lea score?", number(SCORED, events=True)),
        ("How many times did Lea score?", number(SCORED, events=True)),
        ("How often did Lea score?", number(SCORED, events=True)),
        ("How many goals were scored in Tie A?",
         number(hop("Tie A", "SCORED_GOAL", "in"), events=True)),
        ("How many ties did Lea score in?", number(SCORED, events=False)),
        ("How many clubs did Lea visit?", number(hop("Lea", "VISITED"), events=False)),
        ("How many strikers visited Harbour City?",
         number(hop("Harbour City", "VISITED", "in"), events=False)),
        ("How many visitors did Harbour City have?",
         number(hop("Harbour City", "VISITED", "in"), events=False)),
        ("How often did Lea visit Harbour City?",
         number({"op": "And", "left": hop("Lea", "VISITED"),
                 "right": {"op": "Find", "name": "Harbour City"}}, events=True)),
        ("Which striker scored the most goals?",
         {"op": "SelectByCount", "form": {"op": "FindAll", "label": "Striker"},
          "relation": "SCORED_GOAL", "extreme": "max", "relationships": True}),
        ("Which club has the most visitors?",
         {"op": "SelectByCount", "form": {"op": "FindAll", "label": "Club"},
          "relation": "VISITED", "extreme": "max", "direction": "in"}),
        ("Which striker scored in the most ties?",
         {"op": "SelectByCount", "form": {"op": "FindAll", "label": "Striker"},
          "relation": "SCORED_GOAL", "extreme": "max"}),
        ("Which strikers scored more than 3 goals?",
         {"op": "FilterByCount", "form": {"op": "FindAll", "label": "Striker"},
          "relation": "SCORED_GOAL", "comparator": ">", "value": 3, "relationships": True}),
        ("Which strikers scored in more than 3 ties?",
         {"op": "FilterByCount", "form": {"op": "FindAll", "label": "Striker"},
          "relation": "SCORED_GOAL", "comparator": ">", "value": 3}),
        ("How many goals did each striker score?",
         {"op": "GroupBy", "form": {"op": "FindAll", "label": "Tie"}, "direction": "in",
          "relation": "SCORED_GOAL", "relationships": True}),
    ],
)  # fmt: skip
def test_a_noun_for_the_end_counts_entities_and_none_counts_events(
    question: str, expected: object
) -> None:
    assert form(question) == expected
