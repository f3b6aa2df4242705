"""What a claim says, as far as its words tell."""

from __future__ import annotations

from datetime import date

import pytest

from kgdb.graph import Link
from kgdb.methods.verification.claims import Claim
from kgdb.values import Entity

pytestmark = pytest.mark.unit


def claim(text: str, *mentions: str) -> Claim:
    links = [
        Link(
            mention, start := text.index(mention), start + len(mention), (Entity(mention, mention),)
        )
        for mention in mentions
    ]
    return Claim.of(text, links)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Ada died on June 14th, 1994.", {date(1994, 6, 14)}),
        ("Ada died on 14 June 1994.", {date(1994, 6, 14)}),
        ("Ada died on the 14th of June, 1994.", {date(1994, 6, 14)}),
        ("Ada died on 1994-06-14.", {date(1994, 6, 14)}),
        ("It aired on 10/03/1983.", {date(1983, 10, 3), date(1983, 3, 10)}),
        ("It aired on 25/03/1983.", {date(1983, 3, 25)}),
    ],
)
def test_dates_are_read_in_all_that_they_may_mean(text: str, days: set[date]) -> None:
    (value,) = claim(text).values
    assert value.dates == days


@pytest.mark.parametrize(
    ("text", "written", "same"),
    [
        ("an area of 1,249.5 km", "1249.5", True),
        ("an area of 1249.50 km", "1249.5 (square kilometres)", True),
        ("an income of $108,600,000 a year", "1.086E8", True),
        ("born in 1908", "1908", True),
        ("born in 1908", "1908-05-02", False),
        ("died on June 14th, 1994", "1994-06-14", True),
        ("died on June 14th, 1994", "1994-06-15", False),
        ("died on June 14th, 1994", "1994", False),
        ("has 20 floors", "twenty", False),
        ("has a beam of 21.2m", "21.2", True),
        ("has a beam of 21.2m", "21", False),
        ("was in the 2014-15 season", "2014", True),
        ("was in the 2014–15 season", "15", False),
    ],
)
def test_values_are_compared_as_what_they_are(text: str, written: str, same: bool) -> None:
    (value,) = claim(text).values
    assert value.matches(written) is same


@pytest.mark.parametrize("text", ["the 14th of them", "a band of the 90s", "a model T34a1"])
def test_what_only_begins_with_digits_is_no_value(text: str) -> None:
    assert claim(text).values == ()


@pytest.mark.parametrize("text", ["on 31/02/1983 it rained", "on February 31st, 1983"])
def test_a_day_that_there_is_not_is_no_date(text: str) -> None:
    assert not any(value.dates for value in claim(text).values)


def test_a_value_in_a_name_is_the_name_and_a_name_in_a_value_is_the_value() -> None:
    found = claim("A.S. Gubbio 1910 was founded in 1910.", "A.S. Gubbio 1910")
    assert [link.mention for link in found.links] == ["A.S. Gubbio 1910"]
    assert [value.start for value in found.values] == [32]
    found = claim("Ada earned $108,600,000.", "Ada", "108", "600")
    assert [link.mention for link in found.links] == ["Ada"]
    assert [value.text for value in found.values] == ["108,600,000"]


def test_interjections_are_not_named() -> None:
    found = claim("Yes, Baku is the capital of Azerbaijan.", "Yes", "Baku", "Azerbaijan")
    assert [link.mention for link in found.links] == ["Baku", "Azerbaijan"]
    assert [link.mention for link in claim("Yes was a band.", "Yes").links] == ["Yes"]


def test_a_part_reaches_from_the_thing_before_to_the_thing_after() -> None:
    found = claim("The film Heat was made by Ada and shot in Rome in 1995.", "Heat", "Ada", "Rome")
    heat, ada, rome = found.links
    assert found.text_around(heat, ada) == "The film this was made by that and shot in"
    assert found.text_around(rome, ada) == "was made by this and shot in that in"
    assert found.text_around(heat, rome) == "The film this was made by Ada and shot in that in"
    assert found.text_around(ada) == "was made by this and shot in"
    assert found.text_around(found.values[0]) == "in this."


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Heat was made by Ada", False),
        ("Heat was not made by Ada", True),
        ("Heat wasn't made by Ada", True),
        ("Heat was never made by Ada", True),
        ("It is not that Heat was not made by Ada", False),
        ("Heat was noted by Ada", False),
        ("Heat不是Ada拍的", True),
    ],
)
def test_denials(text: str, denied: bool) -> None:
    found = claim(text, "Heat", "Ada")
    assert found.is_denied(*found.links) is denied


@pytest.mark.parametrize(
    ("text", "names", "pairs"),
    [
        ("Ada was not born in Rome, she did not die in Oslo", "Ada Rome Oslo", {"Rome", "Oslo"}),
        ("Ada was not born in Rome, which is in Italy", "Ada Rome Italy", {"Rome"}),
        ("Ada was born in Rome, which has no Metro", "Ada Rome Metro", {"Metro"}),
        ("It was not Ada who was born in Rome", "Ada Rome", {"Rome"}),
    ],
)
def test_a_denial_belongs_to_the_thing_that_is_named_next(
    text: str, names: str, pairs: set[str]
) -> None:
    found = claim(text, *names.split())
    first, *others = found.links
    assert {other.mention for other in others if found.is_denied(first, other)} == pairs
    if len(others) == 2:
        # What is said of the second thing and the third is denied with the third.
        assert found.is_denied(*others) is (others[1].mention in pairs)


def test_what_is_denied_is_compared_without_the_denial() -> None:
    found = claim("Heat wasn't made by Ada, nor is Not Now in Rome", "Heat", "Ada", "Not Now")
    heat, ada, _ = found.links
    assert found.text_around(heat, ada) == "this was made by that, is"
    plain = claim("Heat was made by Ada, is Not Now in Rome", "Heat", "Ada", "Not Now")
    assert found.text_around(*found.links[1:]) == plain.text_around(*plain.links[1:])


def test_a_denial_in_a_name_denies_nothing_and_only_its_own_part_is_denied() -> None:
    found = claim("Never Again was made by Ada", "Never Again", "Ada")
    assert not found.is_denied(*found.links)
    found = claim("Heat was made by Ada in Rome, not in Oslo", "Heat", "Ada", "Rome", "Oslo")
    heat, ada, rome, oslo = found.links
    assert (found.is_denied(heat, ada), found.is_denied(rome, oslo)) == (False, True)


def test_what_stands_beside_the_mentions_is_said() -> None:
    found = claim("Ada was an Israeli photographer.", "Ada")
    assert found.contains_name(Entity("x", "Israeli"))
    assert not found.contains_name(Entity("x", "Ada"))
    assert not found.contains_name(Entity("x", "an"))
    assert not found.contains_name(Entity("x", "photo"))
    assert found.mention_named(Entity("y", "ADA")) == found.links[0]
    assert found.mention_named(Entity("y", "Israeli")) is None


def test_a_negation_in_a_name_denies_nothing() -> None:
    assert claim("Ada was not born in Oslo.", "Ada", "Oslo").denials == (8,)
    assert not claim("Ada wrote Never Let Go.", "Ada", "Never Let Go").denials


def test_a_claim_names_its_mentions_its_values_and_other_words() -> None:
    found = claim("Ada was 170 tall and lived in red granite houses.", "Ada")
    for name, named in [("Ada", True), ("170.0", True), ("Red granite", True), ("Oslo", False)]:
        assert found.names(Entity(f"other {name}", name)) is named
