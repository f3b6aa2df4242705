"""Conditions on properties of relationships in plain Cypher, as the plugin understands them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from kgdb.graph.connection.statements import Statement, joined, statement

_COMPARE = {
    "=": "equal",
    "<>": "other",
    "<": "less",
    "<=": "at_most",
    ">": "more",
    ">=": "at_least",
    "CONTAINS": "contains",
    "STARTS WITH": "starts_with",
}
_FOR_TEXTS = frozenset({"CONTAINS", "STARTS WITH"})
_FOR_TRUTH = frozenset({"=", "<>"})
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DATE = re.compile(r"-?[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")


def fulfilled(where: Sequence[Mapping[str, Any]]) -> Statement:
    """The predicate on ``r`` that the conditions make; empty where there are none."""
    return joined("\n AND ", [_condition(place, each) for place, each in enumerate(where)])


def compared(where: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each condition compares with, for each kind of property; the parameter ``where``."""
    return [
        {
            "number": _number(value),
            "text": _text(value),
            "truth": _truth(value),
            "date": _day(value),
        }
        for each in where
        for value in [each["value"]]
    ]


def _condition(place: int, condition: Mapping[str, Any]) -> Statement:
    operator = condition["operator"]
    kinds = ["text"]
    if operator not in _FOR_TEXTS:
        kinds += ["number", "date"]
    if operator in _FOR_TRUTH:
        kinds.append("truth")
    tests = [
        statement(
            f"plain/condition/{kind}",
            place=place,
            compare=statement(f"plain/compare/{_COMPARE[operator]}", place=place, kind=kind),
        )
        for kind in kinds
    ]
    fulfils = statement(
        "plain/condition", property=condition["property"], tests=joined("\n OR ", tests)
    )
    relation = condition.get("relation")
    if relation is None:
        return fulfils
    return statement("plain/condition/of_relation", relation=relation, fulfils=fulfils)


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return None if math.isnan(value) else value
    if not isinstance(value, str) or not _NUMBER.fullmatch(value):
        return None
    number = float(value)
    if _WHOLE.fullmatch(value):
        return int(value)
    return number if math.isfinite(number) else None


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return value.isoformat() if isinstance(value, date) else str(value).lower()


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _day(value: Any) -> str | None:
    """A day, a month or a year as the beginning of the dates in it."""
    if isinstance(value, datetime):
        value = value.date()
    written = value.isoformat() if isinstance(value, date) else value
    return written if isinstance(written, str) and _DATE.fullmatch(written) else None
