"""Amounts in the unit of a property: *two hours* of ``runtimeMin``, a million of ``budgetMio``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kgdb.methods.understanding.grammar.meanings import Bound
from kgdb.methods.understanding.words import words_of

NUMBER = "number"
"""The dimension of what names say of numbers alone: *Mio*, *Thousand*."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a dimension; ``factor`` is how many of the smallest unit it is."""

    dimension: str
    factor: float


def in_unit_of(bound: Bound, name: str, units: Mapping[str, Unit]) -> Bound | None:
    """A bound as values of the property are held; ``None`` where its unit is of another kind.

    A number in full, at least as large as what the name counts in, is counted so.
    """
    of_name = [units[word] for word in words_of(name) if word in units]
    said = units.get(bound.unit or "")
    value = bound.value
    if isinstance(value, str) or not of_name:
        return bound
    if said is not None:
        own = next((each for each in of_name if each.dimension == said.dimension), None)
        if own is None:
            return None
        value = value * said.factor / own.factor
    else:
        own = next((each for each in of_name if each.dimension == NUMBER), None)
        if own is not None and abs(value) >= own.factor:
            value = value / own.factor
    whole = int(value)
    return replace(bound, value=whole if whole == value else value)
