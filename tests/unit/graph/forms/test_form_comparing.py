"""The bounds of a form's values, and how numbers and dates compare with them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgdb.errors import UsageError
from kgdb.graph.forms.comparing import Bounds, bounds, fulfils, key_kind, ordered_kind

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("kind", "value", "low", "high"),
    [
        ("date", "1999", 19990101, 19991231),
        ("date", 1999, 19990101, 19991231),
        ("date", "1999-02", 19990201, 19990228),
        ("date", "2000-02", 20000201, 20000229),
        ("date", "1900-02", 19000201, 19000228),
        ("date", "0004-02", 40201, 40229),
        ("date", "1999-12", 19991201, 19991231),
        ("date", "1999-03-31", 19990331, 19990331),
        ("date", "1999-03-31T23:59:00Z", 19990331, 19990331),
        ("date", "1999-00-00", 19990101, 19991231),
        ("date", "-0044", -439899, -438769),
        ("date", "-0044-03-15", -439685, -439685),
        ("number", 7, 7, 7),
        ("number", "7", 7, 7),
        ("number", "9007199254740993", 2**53 + 1, 2**53 + 1),
        ("number", "-2.5e3", -2500.0, -2500.0),
        ("duration", "PT8H", 28_800, 28_800),
        ("duration", "P1DT1M", 86_460, 86_460),
        ("duration", "-PT1.5S", -1.5, -1.5),
        ("duration", "P1Y", 31_556_952, 31_556_952),
        ("boolean", True, True, True),
        ("text", "Größe", "Größe", "Größe"),
        ("text", True, "true", "true"),
        ("text", 1.5, "1.5", "1.5"),
    ],
)
def test_a_value_covers_what_it_means(kind: str, value: Any, low: Any, high: Any) -> None:
    assert bounds(kind, value, "x") == Bounds(kind, low, high)


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("date", "1999-13", "a date"),
        ("date", "1999-02-30", "a date"),
        ("date", "1999-04-31", "a date"),
        ("date", "99", "a date"),
        ("date", 1999.0, "a date"),
        ("date", "soon", "a date"),
        ("date", True, "a date"),
        ("number", "many", "a number"),
        ("number", "nan", "a number"),
        ("number", "inf", "a number"),
        ("number", True, "a number"),
        ("duration", "8 h", "a duration"),
        ("duration", 8, "a duration"),
        ("duration", "P", "a duration"),
        ("boolean", "true", "a boolean"),
        ("boolean", 1, "a boolean"),
    ],
)
def test_a_value_of_another_kind_is_refused(kind: str, value: Any, expected: str) -> None:
    with pytest.raises(UsageError) as failure:
        bounds(kind, value, "released")
    assert "'released' is compared with" in failure.value.message
    assert f"Expected {expected}" in (failure.value.hint or "")


@given(st.dates(), st.dates(), st.sampled_from(("=", "!=", "<", "<=", ">", ">=")))
def test_days_compare_as_in_a_calendar(one: date, other: date, op: Any) -> None:
    wanted = {
        "=": one == other, "!=": one != other, "<": one < other,
        "<=": one <= other, ">": one > other, ">=": one >= other,
    }[op]  # fmt: skip
    limits = bounds("date", other.isoformat(), "x")
    assert fulfils(bounds("date", one.isoformat(), "x").low, op, limits) is wanted


@given(st.dates())
def test_a_day_is_in_its_month_and_its_year(day: date) -> None:
    key = bounds("date", day.isoformat(), "x").low
    for length in (4, 7, 10):
        assert fulfils(key, "=", bounds("date", day.isoformat()[:length], "x"))


def test_types_have_kinds_of_keys() -> None:
    assert key_kind("integer", "x") == key_kind("float", "x") == "number"
    assert key_kind("mixed", "x", 7) == "number"
    assert key_kind("mixed", "x", True) == key_kind("mixed", "x", "7") == "text"
    assert ordered_kind("mixed", "x") == "number"
    assert key_kind("duration", "x") == ordered_kind("duration", "x") == "duration"
    assert key_kind("time", "x") == "text"
    with pytest.raises(UsageError, match="'place' are of the type point"):
        key_kind("point", "place")
    for kind in ("text", "boolean"):
        with pytest.raises(UsageError, match=f"'x' are of the type {kind}"):
            ordered_kind(kind, "x")  # type: ignore[arg-type]
