"""Amounts in the unit of a property: *two hours* of ``runtimeMin``, a million of ``budgetMio``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from kgdb.methods.understanding.grammar.chart import Features
from kgdb.methods.understanding.grammar.meanings import Bound
from kgdb.methods.understanding.words import words_of

NUMBER = "number"
"""The dimension of what names say of numbers alone: *Mio*, *Thousand*."""

_MONEY = "money"
"""How the dimensions of currencies begin; of money names tell how it is counted, and no unit."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of a dimension; ``factor`` is how many of the smallest unit it is."""

    dimension: str
    factor: float


Units = Mapping[str, Sequence[Unit]]
"""The units that a word stands for: ``meur`` counts in millions, and in euros."""


def in_unit_of(bound: Bound, name: str, units: Units) -> Bound | None:
    """A bound as values of the property are held; ``None`` where its unit is of another kind.

    A number in full, at least as large as what the name counts in, is counted so.
    """
    of_name, scale = _named(name, units)
    value = bound.value
    if isinstance(value, str):
        return bound
    said = _said(bound, units)
    if said is not None and of_name:
        own = next((each for each in of_name if each.dimension == said.dimension), None)
        if own is None:
            return None
        value = value * said.factor / own.factor
    elif said is not None and scale != 1 and not said.dimension.startswith(_MONEY):
        return None
    if abs(value) >= scale:
        value = value / scale
    whole = int(value)
    return replace(bound, value=whole if whole == value else value)


def unproved(bound: Bound, name: str, units: Units) -> Features:
    """What is said of an amount, and not by the property's name: the unit, or what it counts in."""
    of_name, scale = _named(name, units)
    if isinstance(bound.value, str):
        return ()
    unit: Features = (("unit.unnamed", 1.0),) if _said(bound, units) and not of_name else ()
    small = scale != 1 and abs(bound.value) < scale
    return (*unit, ("scale.unsaid", 1.0)) if small else unit


def _named(name: str, units: Units) -> tuple[list[Unit], float]:
    """The units that a name says, and what its numbers are counted in."""
    every = [unit for word in words_of(name) for unit in units.get(word, ())]
    scale = prod(unit.factor for unit in every if unit.dimension == NUMBER)
    return [unit for unit in every if unit.dimension != NUMBER], scale


def _said(bound: Bound, units: Units) -> Unit | None:
    of_word = units.get(bound.unit or "", ())
    return next((unit for unit in of_word if unit.dimension != NUMBER), None)
