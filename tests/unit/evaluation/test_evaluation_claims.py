"""Evaluating claims: by their labels, and apart from questions."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from evaluated import ANSWERS, CLAIMS, QUESTIONS, Canned, Judging, asking

from kgdb.errors import UsageError
from kgdb.evaluation import AnswerSummary, Claim, evaluate, evaluate_claims
from kgdb.evaluation.runner import measure

pytestmark = pytest.mark.unit


def test_claims_are_measured_by_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    summary = evaluate_claims(asking(Judging("SUPPORTED"), path), CLAIMS)
    assert summary.accuracy == summary.accuracy_of_decided == pytest.approx(2 / 3, abs=1e-4)
    assert {type_: s.accuracy for type_, s in summary.by_type.items()} == {
        "negation": 1.0,
        "one hop": 0.5,
    }
    assert (summary.calls, summary.unanswered) == (2, 0)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["label"], row["verdict"], row["correct"]) for row in rows] == [
        ("SUPPORTED", "SUPPORTED", True),
        ("REFUTED", "SUPPORTED", False),
        ("SUPPORTED", "SUPPORTED", True),
    ]
    assert evaluate_claims(asking(Judging("REFUTED"), path), CLAIMS) == summary
    # Rows of claims are none of questions.
    with pytest.raises(UsageError, match="is not a row of such an evaluation"):
        evaluate(asking(Canned(), path), QUESTIONS)


def test_a_claim_without_a_verdict_is_not_correct_and_not_decided() -> None:
    undecided = evaluate_claims(asking(Judging("NOT ENOUGH EVIDENCE")), CLAIMS)
    assert (undecided.accuracy, undecided.accuracy_of_decided, undecided.unanswered) == (0, 0, 1)
    unsure = [Claim("1", "Is it?", "NOT ENOUGH EVIDENCE")]
    assert evaluate_claims(asking(Judging("NOT ENOUGH EVIDENCE")), unsure).accuracy == 1
    # An error is no verdict, though its label may look like one.
    failing = evaluate_claims(asking(Judging("SUPPORTED", fails_at=["Is it?"]), errors=1), unsure)
    assert (failing.accuracy, failing.errors) == (0, 1)


def test_what_is_asked_decides_what_is_measured() -> None:
    assert measure(asking(Canned(ANSWERS)), QUESTIONS).questions == 3
    assert measure(asking(Judging("REFUTED")), CLAIMS).questions == 3
    assert isinstance(measure(asking(Canned()), []), AnswerSummary)
    json.dumps(asdict(measure(asking(Canned(ANSWERS)), QUESTIONS)))
