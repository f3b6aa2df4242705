"""Questions that differ in their direction alone."""

from __future__ import annotations

import re

import pytest

from kgdb.lab.training.corpus.directions import direction_rows
from kgdb.values import Step

pytestmark = pytest.mark.unit

ROWS = direction_rows(1_000)


def test_a_verb_behind_who_asks_for_its_subject() -> None:
    asked = [
        (question[1], row.chain[0])
        for row in direction_rows(3_000)
        if (question := re.fullmatch(r"(?:who|what) (\w+s) this", row.question))
    ]
    same = [step for verb, step in asked if step.removeprefix("^") == verb]
    assert len(same) > 5
    assert all(step.startswith("^") for step in same)


def test_no_question_means_both_directions_of_a_relation() -> None:
    meant: dict[str, set[str]] = {}
    for row in direction_rows(3_000):
        if len(row.chain) == 1:
            meant.setdefault(row.question, set()).add(row.chain[0])
    for question, steps in meant.items():
        assert not any(str(Step.parse(step).back) in steps for step in steps), question


def test_the_turned_chain_is_among_the_wrong_ones_of_each_row() -> None:
    assert all(row.negatives and row.wordings not in row.negatives for row in ROWS)


def test_the_same_arguments_give_the_same_rows() -> None:
    assert direction_rows(50, 3) == direction_rows(50, 3) != direction_rows(50, 4)
