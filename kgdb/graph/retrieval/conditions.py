"""Conditions on the properties of the relationships that a search follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import date
from typing import Any, Literal, TypeAlias

from kgdb.errors import UsageError
from kgdb.graph.option_values import items, text
from kgdb.wording import short

PropertyOperator = Literal["=", "<>", "<", "<=", ">", ">=", "CONTAINS", "STARTS WITH"]
"""As Cypher writes them."""

PropertyValue: TypeAlias = bool | int | float | str | date

_OPERATORS = ("=", "<>", "<", "<=", ">", ">=", "CONTAINS", "STARTS WITH")
_EXPECTED = "a PropertyCondition, or a map of property, operator, value and relation"


@dataclass(frozen=True, slots=True)
class PropertyCondition:
    """Only relationships are followed whose ``property`` compares so with ``value``.

    One without the property is not followed. A text such as ``1999`` or ``1999-03`` covers all
    dates in it; of a list, one element has to fulfil the condition. With ``relation`` the condition
    is for relationships of that type only.
    """

    property: str
    value: PropertyValue
    operator: PropertyOperator = "="
    relation: str | None = None


_KEYS = tuple(field.name for field in fields(PropertyCondition))


def conditions(name: str, value: Any) -> list[dict[str, Any]]:
    """Conditions as the procedures take them: maps."""
    return [_condition(name, given) for given in items(name, value)]


def _condition(name: str, given: Any) -> dict[str, Any]:
    values = asdict(given) if isinstance(given, PropertyCondition) else given
    if not isinstance(values, Mapping) or not {"property", "value"} <= set(values) <= set(_KEYS):
        raise UsageError(f"{name} holds {short(given)}; expected {_EXPECTED}.")
    operator = values.get("operator") or "="
    if operator not in _OPERATORS:
        raise UsageError(
            f"The operator of {name} is {short(operator)}; expected one of {', '.join(_OPERATORS)}."
        )
    if not isinstance(values["value"], bool | int | float | str | date):
        raise UsageError(
            f"The value of {name} is {short(values['value'])}; expected a number, a text, a truth "
            "value or a date."
        )
    condition = {
        "property": text(f"the property of {name}", values["property"]),
        "operator": operator,
        "value": values["value"],
    }
    if values.get("relation") is not None:
        condition["relation"] = text(f"the relation of {name}", values["relation"])
    return condition
