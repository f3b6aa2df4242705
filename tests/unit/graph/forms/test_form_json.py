"""Logical forms in JSON: read as they were written, refused with the place of what is wrong."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from drawn_forms import MOVIES, ONE_OF_EACH, SCHEMA, every_form
from hypothesis import given

from kgdb.errors import UsageError
from kgdb.graph.forms import Form, form_schema, form_to_dict, read_form
from kgdb.graph.forms.operators import FORMS, Count, Filter, Find, Relate

pytestmark = pytest.mark.unit

VALIDATOR = jsonschema.Draft202012Validator(form_schema(SCHEMA))


@pytest.mark.slow
@given(every_form)
def test_a_form_is_read_as_it_was_written(form: Form) -> None:
    written = json.dumps(form_to_dict(form))
    assert read_form(written) == form
    VALIDATOR.validate(json.loads(written))


@pytest.mark.parametrize("form", ONE_OF_EACH, ids=lambda form: type(form).__name__)
def test_every_operator_is_written_and_read(form: Form) -> None:
    written = form_to_dict(form)
    assert written["op"] == type(form).__name__
    assert read_form(written) == form
    VALIDATOR.validate(written)


def test_there_is_an_example_of_every_operator() -> None:
    assert {type(form) for form in ONE_OF_EACH} == set(FORMS)


def test_what_has_its_default_is_left_out() -> None:
    assert form_to_dict(Relate(Find("Tom"), "ACTED_IN")) == {
        "op": "Relate",
        "form": {"op": "Find", "name": "Tom"},
        "relation": "ACTED_IN",
    }


def test_how_a_condition_compares_is_beside_the_operator() -> None:
    assert form_to_dict(Filter(MOVIES, "released", ">", 1999)) == {
        "op": "Filter",
        "form": {"op": "FindAll", "label": "Movie"},
        "property": "released",
        "comparator": ">",
        "value": 1999,
    }


MOVIE = {"op": "FindAll", "label": "Movie"}
RELATE = {"op": "Relate", "form": MOVIE, "relation": "ACTED_IN"}
FILTER = {"op": "Filter", "form": MOVIE, "property": "released", "comparator": ">", "value": 1}
WRONG: list[tuple[Any, str, str]] = [
    ("{", "The form is no JSON", "Expected an operator"),
    ("[" * 100_000, "The form is no JSON", "Expected an operator"),
    (b"\xff", "The form is no JSON", "Expected an operator"),
    ({**FILTER, "value": float("nan")}, "form.value is nan.", "number"),
    (json.dumps({**FILTER, "value": float("inf")}), "Infinity is not a number", "Expected"),
    (None, "form is None.", 'an object with "op"'),
    ([MOVIE], "form is [", 'an object with "op"'),
    ({"label": "Movie"}, "form is {", 'an object with "op"'),
    ({"op": "Frobnicate"}, "form.op is 'Frobnicate'.", "Find, FindAll"),
    ({"op": ["Find"]}, "form.op is ['Find'].", "Find, FindAll"),
    ({"op": "Count"}, "form lacks form.", "Count has form"),
    ({"op": "Count", "form": {"op": "Count"}}, "form.form.op is 'Count'.", "Find, FindAll"),
    ({"op": "Count", "form": RELATE, "by": 1}, "form has the field 'by'", "Its fields are form"),
    ({**RELATE, "direction": "up"}, "form.direction is 'up'.", "out, in, any"),
    ({**RELATE, "relation": 7}, "form.relation is 7.", "Expected string"),
    ({**RELATE, "where": {}}, "form.where is {}.", "a list"),
    ({**RELATE, "where": ["x"]}, "form.where[0] is 'x'.", "property, comparator and value"),
    (
        {**RELATE, "where": [{"property": "a", "comparator": "~", "value": 1}]},
        "form.where[0].comparator is '~'.",
        "=, !=, <",
    ),
    ({**RELATE, "where": [{"property": "a"}]}, "form.where[0] lacks comparator, value.", "has"),
    ({**FILTER, "value": None}, "form.value is None.", "boolean, integer, number, string"),
    ({**FILTER, "value": [1]}, "form.value is [1].", "boolean, integer, number, string"),
    ({**FILTER, "form": {**FILTER, "value": {}}}, "form.form.value is {}.", "boolean"),
    ({"op": "Select", "form": MOVIE, "property": "a", "extreme": "max", "k": True},
     "form.k is True.", "integer"),
    ({"op": "Aggregate", "values": MOVIE, "function": "sum"},
     "form.values.op is 'FindAll'.", "Property, Qualifier"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "message", "hint"), WRONG, ids=[m for _, m, _ in WRONG])
def test_what_is_wrong_is_told_with_its_place(value: Any, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as failure:
        read_form(value)
    assert message in failure.value.message
    assert hint in (failure.value.hint or "")


def test_what_is_refused_is_not_in_the_schema() -> None:
    for value, _, _ in WRONG:
        if isinstance(value, dict) and value.get("value") == value.get("value"):
            assert not VALIDATOR.is_valid(value), value


def test_a_form_that_is_too_deep_is_refused() -> None:
    form: dict[str, Any] = MOVIE
    for _ in range(2_000):
        form = {"op": "FilterLabel", "form": form, "label": "Movie"}
    with pytest.raises(UsageError, match="more than 40 deep"):
        read_form(form)


def test_the_schema_has_the_names_of_the_graph_alone() -> None:
    assert VALIDATOR.is_valid(MOVIE)
    assert not VALIDATOR.is_valid({"op": "FindAll", "label": "Film"})
    assert not VALIDATOR.is_valid({**RELATE, "relation": "DIRECTED"})
    assert not VALIDATOR.is_valid({**FILTER, "property": "budget"})
    assert VALIDATOR.is_valid({**RELATE, "where": [
        {"property": "role", "comparator": "=", "value": "Neo"}
    ]})  # fmt: skip


def test_an_optional_field_may_be_null() -> None:
    assert read_form({"op": "FindAll", "label": None}) == read_form({"op": "FindAll"})
    assert read_form({"op": "Count", "form": MOVIE}) == Count(MOVIES)
