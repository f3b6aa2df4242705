"""Claims over the demo graph, by its facts and the real encoder."""

from __future__ import annotations

import pytest

import kgdb

pytestmark = pytest.mark.integration

CLAIMS = {
    "Salt in the Clock was directed by Tobias Fenwarren.": "SUPPORTED",
    "Salt in the Clock was not directed by Tobias Fenwarren.": "REFUTED",
    "The director of Salt in the Clock is Ruben Okonjo-Hale.": "REFUTED",
    "The director of Salt in the Clock is Ada Weir.": "REFUTED",
    # She acted in it, which is not what joins the two here: somebody else directed it.
    "Salt in the Clock was directed by Ada Weir.": "REFUTED",
    "Salt in the Clock was not directed by Ada Weir.": "SUPPORTED",
    # However it is said, and by whomever nothing joins to the film.
    "Ada Weir directed The Tuesday Engine.": "REFUTED",
    "The Tuesday Engine was directed by Ada Weir.": "REFUTED",
    "Tobias Fenwarren directed The Tuesday Engine.": "REFUTED",
    "The Tuesday Engine was not directed by Tobias Fenwarren.": "SUPPORTED",
    "Salt in the Clock was written by Ada Weir.": "NOT ENOUGH EVIDENCE",
    "Ada Weir is tall.": "NOT ENOUGH EVIDENCE",
    "Ada Weir acted in Salt in the Clock.": "SUPPORTED",
    "Ada Weir did not act in Salt in the Clock.": "REFUTED",
    "Salt in the Clock was not directed by Nell Castlebrook. Ada Weir acted.": (
        "NOT ENOUGH EVIDENCE"
    ),
    "Ada Weir acted in The Tuesday Engine.": "NOT ENOUGH EVIDENCE",
    # What no shown fact proves: unknown names, other words, more than one fact says, reversed.
    "Kermit directed The Tuesday Engine.": "NOT ENOUGH EVIDENCE",
    "The director of The Tuesday Engine is Orsolo Plinth.": "NOT ENOUGH EVIDENCE",
    "Salt in the Clock was directed by Tobias Fenwarren and Kermit.": "NOT ENOUGH EVIDENCE",
    "Tobias Fenwarren married Salt in the Clock.": "NOT ENOUGH EVIDENCE",
    "Everybody directed Salt in the Clock.": "NOT ENOUGH EVIDENCE",
    "Tobias Fenwarren directed the most films.": "NOT ENOUGH EVIDENCE",
    "Only Ada Weir acted in Salt in the Clock.": "NOT ENOUGH EVIDENCE",
    "Salt in the Clock directed Tobias Fenwarren.": "NOT ENOUGH EVIDENCE",
}


def test_claims_are_judged_by_the_facts(demo: kgdb.KnowledgeGraph) -> None:
    verdicts = demo.reasoner("refkg", llm="none").verdicts(list(CLAIMS))
    assert {verdict.claim: verdict.label for verdict in verdicts} == CLAIMS
    for verdict in verdicts:
        assert verdict.usage.round_trips <= 5
        assert bool(verdict.supporting) == (verdict.label == "SUPPORTED")
        assert bool(verdict.opposing) == (verdict.label == "REFUTED")


TEXT = """# Salt in the Clock

Salt in the Clock was directed by Tobias Fenwarren. He also directed The Keeper of Skerry Light.
Who wrote it? However, Ada Weir directed The Tuesday Engine.

- The film *Salt in the Clock* was not directed by Nell Castlebrook.
- It was directed by Ruben Okonjo-Hale.
- Ada Weir acted in it; Kermit directed it.

Ada Weir met Nell Castlebrook. She acted in Salt in the Clock. Ada Weir has a brother. He acted in
Salt in the Clock.
"""

CLAIMS_OF_TEXT = {
    "Salt in the Clock was directed by Tobias Fenwarren.": "SUPPORTED",
    "He also directed The Keeper of Skerry Light.": "SUPPORTED",
    "However, Ada Weir directed The Tuesday Engine.": "REFUTED",
    "The film *Salt in the Clock* was not directed by Nell Castlebrook.": "SUPPORTED",
    "It was directed by Ruben Okonjo-Hale.": "REFUTED",
    "Ada Weir acted in it": "SUPPORTED",
    "Kermit directed it.": "NOT ENOUGH EVIDENCE",
    "Ada Weir met Nell Castlebrook.": "NOT ENOUGH EVIDENCE",
    "She acted in Salt in the Clock.": "NOT ENOUGH EVIDENCE",
    "Ada Weir has a brother.": "NOT ENOUGH EVIDENCE",
    "He acted in\nSalt in the Clock.": "NOT ENOUGH EVIDENCE",
}


def test_a_text_is_judged_claim_by_claim(demo: kgdb.KnowledgeGraph) -> None:
    result = demo.verify_text(TEXT, llm="none")
    assert {claim.text: claim.verdict.label for claim in result.claims} == CLAIMS_OF_TEXT
    assert all(TEXT[claim.start : claim.end] == claim.text for claim in result.claims)
    judged = {claim.text: claim.verdict.claim for claim in result.claims}
    assert judged["Ada Weir acted in it"] == "Ada Weir acted in Salt in the Clock"
    reasons = {claim.text: claim.verdict.reason for claim in result.claims}
    assert reasons["She acted in Salt in the Clock."] == (
        "'She' may mean 'Ada Weir' or 'Nell Castlebrook'"
    )


def test_a_text_that_means_to_mislead_is_never_supported_by_a_name(
    demo: kgdb.KnowledgeGraph,
) -> None:
    befores = [
        "Ada Weir's sister slept.",
        "The sister of Ada Weir slept.",
        "Ada Weir met her assistant.",
        "Ada Weir Junior was born.",
        "Ada Weir lookalikes exist.",
        "The queen admired Ada Weir.",
        "Someone like Ada Weir came.",
    ]
    text = "\n\n".join(f"{before} She acted in Salt in the Clock." for before in befores)
    result = demo.verify_text(text, llm="none")
    assert len(result.claims) == 2 * len(befores)
    assert result.counts["SUPPORTED"] == 0
