"""Whether facts say what is claimed, and what of a claim they leave unproved."""

from __future__ import annotations

import pytest
from test_checks import texts, verify

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "claim",
    [
        "Ken Amagiri directed Snow Whale.",
        "Snow Whale was directed by Ken Amagiri.",
        "Ken Amagiri is the director of Snow Whale.",
        "Snow Whale's director is Ken Amagiri.",
        "The film Snow Whale was directed by Ken Amagiri.",
        "Snow Whale was released in 1989.",
        "Snow Whale was directed by Ken Amagiri and released in 1989.",
        "Ken Amagiri got an award.",
        "The birth place of Ken Amagiri is Kyoto.",
    ],
)
def test_a_claim_that_facts_say_is_supported(claim: str) -> None:
    verdict = verify(claim)
    assert verdict.label == "SUPPORTED", verdict.reason
    assert verdict.supporting


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        # another relation, in words that the graph knows and in words that it does not
        ("Ken Amagiri wrote Snow Whale.", "wrote"),
        ("Ken Amagiri married Snow Whale.", "married"),
        ("Ken Amagiri secretly directed Snow Whale.", "secretly"),
        ("Snow Whale was banned in 1989.", "banned"),
        # names that the graph does not have
        ("Kermit directed Snow Whale.", "Kermit"),
        ("Snow Whale was directed by Kermit.", "Kermit"),
        ("Snow Whale was directed by Orsolo Plinth.", "Orsolo Plinth"),
        ("snow whale was directed by kermit.", "kermit"),
        ("Snow Whale was directed by Ken Amagiri and Kermit.", "Kermit"),
        ("Snow Whale was directed by Ken Amagyri.", "Ken Amagyri"),
        # more than one fact says
        ("Everybody directed Snow Whale.", "Everybody"),
        ("Only Ken Amagiri directed Snow Whale.", "Only"),
        ("Ken Amagiri directed most of Snow Whale.", "most"),
        ("Ken Amagiri may have directed Snow Whale.", "may"),
        # the other way round
        ("Snow Whale directed Ken Amagiri.", "decides"),
        ("Ken Amagiri was directed by Snow Whale.", "decides"),
        ("Snow Whale is the director of Ken Amagiri.", "decides"),
    ],
)
def test_what_is_not_proved_is_told(claim: str, reason: str) -> None:
    verdict = verify(claim)
    assert verdict.label == "NOT ENOUGH EVIDENCE"
    assert reason in str(verdict.reason)
    assert verdict.supporting == verdict.opposing == ()


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Ken Amagiri did not direct Snow Whale.", "REFUTED"),
        ("Ken Amagiri didn't direct Snow Whale.", "REFUTED"),
        ("Kermit did not direct Snow Whale.", "NOT ENOUGH EVIDENCE"),
        ("Ken Amagiri did not marry Snow Whale.", "NOT ENOUGH EVIDENCE"),
        ("Ken Amagiri never said that he did not direct Snow Whale.", "NOT ENOUGH EVIDENCE"),
    ],
)
def test_a_denial_is_refuted_only_by_what_it_denies(claim: str, label: str) -> None:
    assert verify(claim).label == label


@pytest.mark.parametrize(
    ("claim", "label"),
    [
        ("Ken Amagiri directed Snow Whale.", "SUPPORTED"),
        ("Ken Amagiri wrote Snow Whale.", "REFUTED"),
        ("Ken Amagiri married Snow Whale.", "REFUTED"),
        ("Snow Whale was written by Ken Amagiri.", "REFUTED"),
    ],
)
def test_another_relation_proves_nothing_in_a_closed_world(claim: str, label: str) -> None:
    assert verify(claim, closed_world=True).label == label


def test_words_of_two_facts_are_not_exchanged() -> None:
    right = "Snow Whale was directed by Ken Amagiri and released in 1989."
    assert texts(verify(right).supporting) >= {("Snow Whale", "1989")}
    swapped = "Snow Whale was released by Ken Amagiri and directed in 1989."
    assert verify(swapped).label == "NOT ENOUGH EVIDENCE"


@pytest.mark.parametrize("claim", ["Kermit directed Snow Whale.", "Everybody directed Snow Whale."])
def test_in_a_closed_world_what_is_not_proved_is_false(claim: str) -> None:
    assert verify(claim, closed_world=True).label == "REFUTED"
