"""Corpora of the demo graph: what the database finds is what its facts say."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from sources import Fact

import kgdb
from kgdb.evaluation import Question
from kgdb.lab.training.corpus import corpus_from_graph, corpus_from_questions, is_held_back

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
    asked = {
        (row.question.lower(), row.entities): ends(facts, row.entities[0], row.chain)
        for row in [row for row in rows if len(row.chain) < 3][:40]
    }
    assert all(asked.values())
    questions = [
        Question(str(n), re.sub(r"\bthis\b", f"[{name}]", text), frozenset(answers))
        for n, ((text, (name,)), answers) in enumerate(asked.items())
    ]
    found, told = corpus_from_questions(demo, questions, demo.database.encoder())
    assert told.rows == len(found) > 30
    for row in found:
        answers = asked[row.question.lower(), row.entities]
        assert ends(facts, row.entities[0], row.chain) == answers
