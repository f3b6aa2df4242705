"""The five kinds of reasoning, recognised from the words of a claim."""

from __future__ import annotations

import pytest

from kgdb.evaluation.datasets.claim_kinds import claim_kind

pytestmark = pytest.mark.unit

CLAIMS = {
    "Mara Lind was born in Kaldnes.": "One-hop",
    "Yes, Winter Wheat was directed by Noor Haddad.": "One-hop",
    "The Grey Harbour was filmed in Ostervik, Norrland.": "One-hop",
    "Mara Lind was born in Kaldnes and directed Winter Wheat.": "Conjunction",
    "Mara Lind, born in Kaldnes, plays for Ostervik United.": "Conjunction",
    "Winter Wheat stars Elif Sahin, Tom Reed and Mara Lind.": "Conjunction",
    "Mara Lind had a successor.": "Existence",
    "What is the name of Kaldnes University's mascot?": "Existence",
    "When did Mara Lind attend college?": "Existence",
    "Mara Lind was born in a city that Noor Haddad leads.": "Multi-hop",
    "Someone who directed Winter Wheat was born in Kaldnes.": "Multi-hop",
    "It was founded in Kaldnes.": "Multi-hop",
    "Mara Lind was not born in Kaldnes.": "Negation",
    "No, Winter Wheat was directed by Noor Haddad.": "Negation",
    "Mara Lind didn't have a successor.": "Negation",
    "Kaldnes University has no mascot.": "Negation",
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_has_a_kind(claim: str) -> None:
    assert claim_kind(claim) == CLAIMS[claim]
