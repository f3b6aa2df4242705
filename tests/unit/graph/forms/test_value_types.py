"""The types of properties, whichever way their values are written."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, DateTime, Duration, Time

from kgdb.graph.schema import PropertyInfo, RelationEnds, Schema
from kgdb.graph.value_types import is_vector, plain_value, typed_value, value_type

pytestmark = pytest.mark.unit

NOW = DateTime.from_native(datetime(2020, 1, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("values", "name", "expected"),
    [
        ([1, 2, 30], "x", "integer"),
        ([1987, 2011], "built", "date"),
        ([1987, 2011], "capacity", "integer"),
        (["1", "-2", "+30"], "x", "integer"),
        ([1.5, 2, 3], "x", "float"),
        (["1.5", "2", "1e3", "2.5e-3"], "x", "mixed"),
        (["1.5", "2", "1.0e3", "2.5e-3"], "x", "float"),
        ([True, False], "x", "boolean"),
        (["true", "False", "TRUE"], "x", "boolean"),
        (["a", "b"], "x", "text"),
        ([], "x", "text"),
        (["", "NULL", "\\N", "N/A"], "x", "text"),
        (["NULL", "7", ""], "x", "integer"),
        ([Date(1999, 3, 31), NOW], "x", "date"),
        (["1999-03-31", "2000-01-01T10:00:00Z"], "x", "date"),
        (["1999-03-31", "2000", "2001-05"], "x", "date"),
        (["-0044-03-15", "1999-03-31"], "x", "date"),
        ([1999, 2003], "released", "date"),
        ([1999, 2003], "release_year", "date"),
        (["1999", "2003"], "born", "date"),
        ([1988, 2019], "published", "date"),
        ([1988, 2019], "publicationYear", "date"),
        ([1999, 2003], "pages", "integer"),
        ([1999, 12], "released", "integer"),
        ([CartesianPoint((1.0, 2.0))], "x", "point"),
        ([Duration(hours=8), Duration(months=1)], "x", "duration"),
        (["PT8H", "P1Y2M", "-P3DT4.5S"], "x", "duration"),
        (["P", "PT", "Peter", "P8"], "x", "text"),
        ([Time(8, 30), Time(17, 0)], "opens", "time"),
        (["a", 1, True, "b"], "x", "mixed"),
        (["a"] * 9 + [1], "x", "text"),
        ([1] * 9 + ["a"], "x", "integer"),
        ([1] * 8 + ["a"] * 2, "x", "mixed"),
    ],
)
def test_most_values_decide(values: list[Any], name: str, expected: str) -> None:
    assert value_type(values, name) == expected


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Date(1999, 3, 31), "1999-03-31"),
        (Time(8, 30), "08:30:00.000000000"),
        (Duration(hours=8), "PT8H"),
        (Duration(months=14, days=3), "P1Y2M3D"),
        (WGS84Point((11.0, 49.5)), "point({longitude: 11.0, latitude: 49.5})"),
        (WGS84Point((11.0, 49.5, 7)), "point({longitude: 11.0, latitude: 49.5, height: 7.0})"),
        (CartesianPoint((1.0, 2.0)), "point({x: 1.0, y: 2.0})"),
        (CartesianPoint((1.0, 2.0, 3.0)), "point({x: 1.0, y: 2.0, z: 3.0})"),
        ([0.5] * 40, "a vector of 40 numbers"),
        ([0.5, 1.5], [0.5, 1.5]),
        ([Duration(days=1), "a"], ["P1D", "a"]),
        ({"text_embedding": [0.5, 1.5], "due": Date(2024, 1, 2)},
         {"text_embedding": "a vector of 2 numbers", "due": "2024-01-02"}),
        ("a", "a"), (7, 7), (None, None),
    ],
)  # fmt: skip
def test_values_of_the_driver_become_plain(value: Any, plain: Any) -> None:
    assert plain_value(value) == plain


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        ([0.1] * 768, "x", True),
        ([0.1] * 12, "rainfall", False),
        ([0.1, 0.2], "name_embedding", True),
        ([0.1, 0.2], "featureVector", True),
        ([1, 2], "embedding", False),
        (["a"] * 99, "embedding", False),
        ("embedding", "embedding", False),
        ([], "embedding", False),
    ],
)
def test_embeddings_are_told_from_lists(value: Any, name: str, expected: bool) -> None:
    assert is_vector(value, name) == expected


def test_properties_of_a_label() -> None:
    born = PropertyInfo("born", "date", {"Person": 2}, ())
    title = PropertyInfo("title", "text", {"Movie": 3, "Person": 1}, ())
    schema = Schema({"Person": 2, "Movie": 3}, {"born": born, "title": title}, {})
    assert schema.of_label("Movie") == [title]
    assert schema.of_label(None) == [born, title]


def test_ends_of_one_kind() -> None:
    def one_kind(heads: dict[str, int], tails: dict[str, int]) -> bool:
        return RelationEnds("r", 1, heads, tails).is_one_kind()

    assert one_kind({"Person": 3}, {"Person": 1, "Movie": 2})
    assert one_kind({}, {"Person": 1})
    assert not one_kind({"Person": 3}, {"Movie": 2})


@pytest.mark.parametrize(
    ("value", "kind", "typed"),
    [
        ("120500", "integer", 120500),
        ("1999", "integer", 1999),
        ("18.5", "float", 18.5),
        ("18", "float", 18.0),
        ("true", "boolean", True),
        ("1241-06-04", "date", "1241-06-04"),
        ("unknown", "integer", "unknown"),
        (7, "text", 7),
        ("a, b", "text", "a, b"),
    ],
)
def test_a_value_that_is_held_as_a_text_gets_its_type(value: Any, kind: Any, typed: Any) -> None:
    given = typed_value(value, kind)
    assert (given, type(given)) == (typed, type(typed))
