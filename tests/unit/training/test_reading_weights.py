"""The weights of the chart grammar: what fitting makes of hand-made questions."""

from __future__ import annotations

import pytest

from kgdb.graph.forms.operators import FindAll
from kgdb.lab.training.reading.judged_questions import JudgedCandidate, JudgedQuestion
from kgdb.lab.training.reading.weight_fitting import fitted, outcome

pytestmark = pytest.mark.unit


def candidate(value: str, *features: str, is_right: bool = False) -> JudgedCandidate:
    named = dict.fromkeys(features, 1.0)
    return JudgedCandidate(FindAll("Movie"), named, frozenset({value}), is_right)


def question(*candidates: JudgedCandidate) -> JudgedQuestion:
    right = any(each.is_right for each in candidates)
    return JudgedQuestion("films", "Which?", (), right, candidates)


ANSWERABLE = question(
    candidate("a", "said", "rule.a", is_right=True), candidate("b", "unsaid", "rule.b")
)
UNANSWERABLE = question(candidate("c", "unsaid", "rule.b"))
QUESTIONS = [ANSWERABLE] * 10 + [UNANSWERABLE] * 10


def test_weights_tell_right_from_wrong_and_those_of_rules_less() -> None:
    weights = fitted(QUESTIONS)
    assert weights["said"] > weights["rule.a"] > 0
    assert weights["unsaid"] < weights["rule.b"] < 0
    assert weights == pytest.approx(fitted(QUESTIONS, {"said": -3.0}), abs=1e-3)


def test_the_right_candidate_answers_and_nothing_where_none_is_right() -> None:
    weights = fitted(QUESTIONS)
    assert outcome(ANSWERABLE, weights, 0.5) == "right"
    assert outcome(UNANSWERABLE, weights, 0.5) == "right"
    assert outcome(ANSWERABLE, weights, 0.999) == "refused"
    assert outcome(question(candidate("x", "said")), weights, 0.5) == "wrong"


def test_candidates_with_the_same_values_answer_together() -> None:
    weights = {"likely": 0.1, "null": 0.0}
    same = [candidate("a", "likely", is_right=True), candidate("a", "likely", is_right=True)]
    assert outcome(question(*same), weights, 0.6) == "right"
    assert outcome(question(same[0]), weights, 0.6) == "refused"
