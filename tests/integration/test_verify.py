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
