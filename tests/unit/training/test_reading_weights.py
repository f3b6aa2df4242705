"""The weights of the chart grammar: fitting, outcomes, and questions made unanswerable."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from kgdb.graph.forms.operators import FindAll, Relate
from kgdb.graph.schema import RelationEnds, Schema
from kgdb.lab.training.reading.judged_questions import JudgedCandidate, JudgedQuestion
from kgdb.lab.training.reading.reading_training import less_refusing
from kgdb.lab.training.reading.unanswerable import used_name, with_foreign_word
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
    assert outcome(ANSWERABLE, weights) == "right"
    assert outcome(UNANSWERABLE, weights) == "right"
    assert outcome(ANSWERABLE, weights, -9.0) == "refused"
    assert outcome(UNANSWERABLE, weights, 9.0) == "wrong"
    assert outcome(question(candidate("x", "said")), weights) == "wrong"


def test_candidates_with_the_same_values_answer_together() -> None:
    weights = {"likely": 0.1, "null": 0.0}
    same = [candidate("a", "likely", is_right=True), candidate("a", "likely", is_right=True)]
    assert outcome(question(*same), weights, -0.5) == "right"
    assert outcome(question(same[0]), weights, -0.5) == "refused"


def test_refusing_weighs_as_little_as_few_wrong_answers_allow() -> None:
    likely = [question(candidate("a", "likely", is_right=True))] * 9
    unlikely = [question(candidate("x", "unlikely", is_right=False))]
    weights = {"films": {"likely": 2.0, "unlikely": -2.0, "null": 2.5}}
    assert 0.5 < less_refusing([*likely, *unlikely], weights, 0.05) <= 3.0
    assert less_refusing([*likely, *unlikely], {"films": {"unlikely": 3.0, "null": 0.0}}, 0.05) == 0


class Orthogonal:
    """An encoder to which no two texts are similar."""

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.eye(len(texts), dtype=np.float32)


def test_a_word_gives_way_to_one_of_another_graph_and_a_used_relation_is_hidden() -> None:
    film = replace(ANSWERABLE, text="Which film?", words=[("film", 6, 10)])
    zoo = replace(ANSWERABLE, graph="zoo", text="Which animal?", words=[("animal", 6, 12)])
    made = list(with_foreign_word([film, zoo, UNANSWERABLE], Orthogonal(), random.Random(0)))  # type: ignore[arg-type]
    assert made == [("films", "Which animal?"), ("zoo", "Which film?")]
    assert not list(with_foreign_word([film], Orthogonal(), random.Random(0)))  # type: ignore[arg-type]
    form = Relate(FindAll("Movie"), "DIRECTED", "in")
    directed = replace(film, candidates=[replace(film.candidates[0], form=form)])
    ends = {name: RelationEnds(name, 1, {}, {}) for name in ("DIRECTED", "WROTE")}
    schema = Schema({}, {}, ends)
    assert used_name(directed, schema, random.Random(0)) == "DIRECTED"
    assert used_name(UNANSWERABLE, schema, random.Random(0)) is None
