"""Corpora of the demo graph: what the database finds is what its facts say."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from sources import Fact

import kgdb
from kgdb.evaluation import Question
from kgdb.training.corpus import corpus_from_graph, corpus_from_questions, is_held_back

pytestmark = pytest.mark.integration


def ends(facts: Iterable[Fact], start: str, chain: tuple[str, ...]) -> set[str]:
    """The ends of a chain by brute force; a path uses no fact twice."""
    paths: list[tuple[str, frozenset[Fact]]] = [(start, frozenset())]
    for step in chain:
        relation, back = step.removeprefix("^"), step.startswith("^")
        paths = [
            (head if back else tail, used | {(head, name, tail)})
            for at, used in paths
            for head, name, tail in facts
            if name == relation
            and (tail if back else head) == at
            and (head, name, tail) not in used
        ]
    return {end for end, _ in paths}


def test_a_corpus_of_the_graph_gives_the_same_chains_back_as_answers_do(
    demo: kgdb.KnowledgeGraph, facts: set[Fact]
) -> None:
    rows, _ = corpus_from_graph(demo, rows=120)
    assert len(rows) == 120
    assert any(map(is_held_back, rows))
    short = [row for row in rows if len(row.chain) < 3][:40]
    answers = {row.question: ends(facts, row.entities[0], row.chain) for row in short}
    assert all(answers.values())
    asked = [
        Question(str(n), f"{row.question} [{row.entities[0]}]", frozenset(answers[row.question]))
        for n, row in enumerate(short)
    ]
    found, told = corpus_from_questions(demo, asked, demo.database.encoder())
    assert told.rows >= len(asked) - told.dropped["too many chains give the answers"] - 2
    for row in found:
        (question,) = (each for each in asked if each.text.startswith(row.question.strip()))
        assert ends(facts, row.entities[0], row.chain) == question.gold
