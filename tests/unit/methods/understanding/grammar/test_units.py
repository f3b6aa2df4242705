"""Amounts in the units of properties."""

from __future__ import annotations

import pytest

from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.meanings import Bound
from kgdb.methods.understanding.grammar.units import in_unit_of

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("value", "unit", "name", "held"),
    [
        (2, "hours", "runtimeMin", 120),
        (90, "minutes", "runtimeMin", 90),
        (1.9, "metres", "height_cm", 190),
        (5_000_000, None, "budgetMio", 5),
        (5, None, "budgetMio", 5),
        (1_500_000, None, "fee_meur", 1.5),
        (2, "hours", "runtime", 2),
        (20, "euros", "ticketEuro", 20),
    ],
)
def test_an_amount_is_put_in_the_unit_of_the_property(
    value: float, unit: str | None, name: str, held: float
) -> None:
    bound = in_unit_of(Bound(">", value, dated=False, unit=unit), name, lexicon("en").units)
    assert bound is not None
    assert bound.value == held


@pytest.mark.parametrize(("unit", "name"), [("hours", "budgetMio"), ("kg", "height_cm")])
def test_units_of_another_kind_are_no_values_of_the_property(unit: str, name: str) -> None:
    assert in_unit_of(Bound(">", 2, dated=False, unit=unit), name, lexicon("en").units) is None
