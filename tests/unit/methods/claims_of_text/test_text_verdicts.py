"""Verdicts on a text: places, what was judged, and what is no text to judge."""

from __future__ import annotations

import pytest
from fakes import BagOfWords, MemoryDriver, memory_graph
from scripted_method import Scripted

from kgdb.errors import ModelError, UsageError
from kgdb.methods import Reasoner, Resources
from kgdb.methods.claims_of_text import judge_text, sentences_with_claims
from kgdb.values import TextClaim, TextVerdict, Verdict

pytestmark = pytest.mark.unit


def judged(text: str, says: dict[str, Verdict | BaseException]) -> TextVerdict:
    resources = Resources(memory_graph(MemoryDriver([])), BagOfWords(), None)
    reasoner = Reasoner(Scripted(says, stages=()), resources)
    return judge_text(reasoner, text, sentences_with_claims(text))


def said(claim: str, label: str) -> dict[str, Verdict]:
    return {claim: Verdict(claim, "test", "scripted", label)}  # type: ignore[arg-type]


def test_claims_come_with_their_places_and_verdicts() -> None:
    text = "# Films\n\n**Dune** was\nlong. Is it? Heat was short."
    says = said("Dune was long.", "SUPPORTED") | said("Heat was short.", "REFUTED")
    result = judged(text, {**says})
    assert [(claim.text, claim.verdict.label) for claim in result.claims] == [
        ("**Dune** was\nlong.", "SUPPORTED"),
        ("Heat was short.", "REFUTED"),
    ]
    assert all(text[claim.start : claim.end] == claim.text for claim in result.claims)
    assert result.counts == {"SUPPORTED": 1, "REFUTED": 1, "NOT ENOUGH EVIDENCE": 0}
    shown = result.to_dict()
    assert shown["counts"] == result.counts
    assert (shown["claims"][0]["start"], shown["claims"][0]["end"]) == (9, 27)
    assert shown["claims"][0]["verdict"]["claim"] == "Dune was long."


def test_a_sentence_that_cannot_be_asked_is_not_decided() -> None:
    text = f"Dune {'very ' * 2100}was long. Heat was short. Dune cost {'9' * 400} crowns."
    result = judged(text, {**said("Heat was short.", "SUPPORTED")})
    assert [claim.verdict.label for claim in result.claims] == [
        "NOT ENOUGH EVIDENCE",
        "SUPPORTED",
        "NOT ENOUGH EVIDENCE",
    ]
    assert "at most 10,000 are read" in (result.claims[0].verdict.reason or "")
    assert "more than 300 digits" in (result.claims[2].verdict.reason or "")


def test_a_claim_that_fails_leaves_the_others() -> None:
    down = ModelError("The server is down.")
    result = judged(
        "Dune was long. Heat was short.",
        {"Dune was long.": down, **said("Heat was short.", "SUPPORTED")},
    )
    assert [claim.verdict.error for claim in result.claims] == [down, None]
    assert sum(result.counts.values()) == 1


def test_no_text_is_an_empty_verdict() -> None:
    assert TextVerdict("g", "m", (TextClaim("A.", 0, 2, Verdict("A.", "g", "m")),)).counts == {
        "SUPPORTED": 0,
        "REFUTED": 0,
        "NOT ENOUGH EVIDENCE": 1,
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The text is empty."),
        (" \n\t", "The text is empty."),
        ("# Films\n\nWho directed Dune?", "The text has no claims."),
        ("Dune is long. " * 80_000, "more than 1,000,000 bytes"),
        ("沙丘。" * 120_000, "more than 1,000,000 bytes"),
        ("Dune \ud800 is long.", "lone surrogate"),
        (b"Dune is long.", "text is b'Dune is long.'"),
    ],
)
def test_what_is_no_text_with_claims_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        sentences_with_claims(text)
    assert message in str(refused.value)
    assert refused.value.hint
