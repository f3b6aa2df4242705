"""Amounts in the units of properties."""

from __future__ import annotations

import pytest

from kgdb.methods.understanding.grammar.lexicon import lexicon
from kgdb.methods.understanding.grammar.meanings import Bound
from kgdb.methods.understanding.grammar.units import in_unit_of, unproved

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
        (2_000_000, "euros", "budgetMio", 2),
        (2_000_000, "euros", "fee_meur", 2),
        (10, "pounds", "weight_kg", 4.5359237),
    ],
)
def test_an_amount_is_put_in_the_unit_of_the_property(
    value: float, unit: str | None, name: str, held: float
) -> None:
    bound = in_unit_of(Bound(">", value, dated=False, unit=unit), name, lexicon("en").units)
    assert bound is not None
    assert bound.value == pytest.approx(held)


@pytest.mark.parametrize(
    ("unit", "name"), [("hours", "budgetMio"), ("kg", "height_cm"), ("dollars", "salaryEuro")]
)
def test_units_of_another_kind_are_no_values_of_the_property(unit: str, name: str) -> None:
    assert in_unit_of(Bound(">", 2, dated=False, unit=unit), name, lexicon("en").units) is None


@pytest.mark.parametrize(
    ("value", "unit", "name", "said"),
    [
        (18, "kg", "price", ["unit.unnamed"]),
        (18, "kg", "weight_kg", []),
        (63, "euros", "budgetMio", ["unit.unnamed", "scale.unsaid"]),
        (18.4, None, "populationMio", ["scale.unsaid"]),
        (18_400_000, None, "populationMio", []),
    ],
)
def test_what_is_said_and_no_name_proves_is_told(
    value: float, unit: str | None, name: str, said: list[str]
) -> None:
    bound = Bound("=", value, dated=False, unit=unit)
    assert [feature for feature, _ in unproved(bound, name, lexicon("en").units)] == said
