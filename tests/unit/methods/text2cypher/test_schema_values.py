"""Values of a graph in a prompt: as a query would write them."""

from __future__ import annotations

from typing import Any

import pytest
from neo4j.spatial import CartesianPoint, WGS84Point
from neo4j.time import Date, Duration, Time

from kgdb.methods.text2cypher.schema_text import literal

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("O'Neill", "'O\\'Neill'"),
        (True, "true"),
        (1.5, "1.5"),
        (Date(1999, 3, 31), "date('1999-03-31')"),
        (Time(8, 30), "localtime('08:30:00.000000000')"),
        (Duration(hours=8), "duration('PT8H')"),
        (WGS84Point((11.0, 49.0)), "point({longitude: 11.0, latitude: 49.0})"),
        (CartesianPoint((1.0, 2.0)), "point({x: 1.0, y: 2.0})"),
        (["a", 2], "['a', 2]"),
    ],
)
def test_a_value_is_written_as_in_cypher(value: Any, written: str) -> None:
    assert literal(value) == written
