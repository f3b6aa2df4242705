"""What claims say: statements, each with its form, by the letters of their words alone."""

from __future__ import annotations

import pytest
from film_sentences import ADA, BEN, DUNE, FILMS, HEAT, LUMEN, PEOPLE, directed, directors, read

from kgdb.graph.forms.operators import (
    And,
    Count,
    Except,
    Filter,
    FilterByCount,
    Form,
    Property,
    Relate,
    Select,
    SelectByCount,
    Verify,
)
from kgdb.methods.understanding.grammar.meanings import Whole

pytestmark = pytest.mark.unit

ADAS = directed(ADA)
AT_LUMEN = Relate(LUMEN, "MADE_BY", "in")


def says(form: Form, *also: Whole, denied: bool = False) -> Whole:
    return Whole(Verify(form), denied, also)


def none(form: Form, *, implied: bool = False) -> Whole:
    return Whole(Verify(form), denied=True, implied=implied)


@pytest.mark.parametrize(
    ("claim", "whole"),
    [
        ("Ada directed Dune and Heat.", says(And(And(ADA, directors(DUNE)), directors(HEAT)))),
        (
            "Ada and Ben directed Dune.",
            says(And(ADA, directors(DUNE)), says(And(BEN, directors(DUNE)))),
        ),
        ("Ada directed two films.", says(FilterByCount(ADA, "DIRECTED", "=", 2, to=FILMS))),
        ("Two people directed Dune.", Whole(Verify(Count(directors(DUNE)), "=", 2))),
        ("Ada is the oldest person.", says(And(ADA, Select(PEOPLE, "born", "min")))),
        ("Ada is not the oldest person.", none(And(ADA, Select(PEOPLE, "born", "min")))),
        (
            "Ada directed the most films.",
            says(And(ADA, SelectByCount(PEOPLE, "DIRECTED", "max", to=FILMS))),
        ),
        ("Dune has the largest budget.", says(And(DUNE, Select(FILMS, "budget", "max")))),
        (
            "Dune was released before Heat.",
            says(Filter(DUNE, "released", "<", Property(HEAT, "released"))),
        ),
        (
            "All films by Lumen were directed by Ada.",
            says(And(AT_LUMEN, ADAS), none(Except(AT_LUMEN, And(AT_LUMEN, ADAS)))),
        ),
        (
            "Films by Lumen were directed by Ada.",
            says(And(AT_LUMEN, ADAS), none(Except(AT_LUMEN, And(AT_LUMEN, ADAS)), implied=True)),
        ),
        (
            "No films by Lumen were directed by Ada.",
            says(AT_LUMEN, none(And(AT_LUMEN, ADAS))),
        ),
        (
            "Only Ada directed Dune.",
            says(And(ADA, directors(DUNE)), none(Except(directors(DUNE), ADA))),
        ),
        ("Ada directed every film.", says(ADAS, none(Except(FILMS, ADAS)))),
        ("Ada is the director of every film.", says(ADAS, none(Except(FILMS, ADAS)))),
        ("Ada did not direct all films.", says(Except(FILMS, ADAS))),
        (
            "Dune was directed by every person.",
            says(directors(DUNE), none(Except(PEOPLE, directors(DUNE)))),
        ),
        ("Ada is the director of Dune.", says(And(ADA, directors(DUNE)))),
        ("There are two films by Lumen.", Whole(Verify(Count(AT_LUMEN), "=", 2))),
    ],
)
def test_a_claim_says_one_thing_or_several(claim: str, whole: Whole) -> None:
    assert read(claim, claim=True)[0].whole == whole


@pytest.mark.parametrize(
    "claim",
    ["Ada was directed.", "All films were not directed by Ada.", "Who directed Dune.", "Ada."],
)
def test_what_says_nothing_that_could_be_false_is_no_claim(claim: str) -> None:
    assert all(each.whole != says(ADA) for each in read(claim, claim=True))


def test_a_unit_that_no_name_says_is_told() -> None:
    best, *_ = read("Dune has a budget of 20 kg.", claim=True)
    assert ("unit.unnamed", 1.0) in best.features
