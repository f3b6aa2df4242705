"""RoK and MindMap on a real server, with the real models."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from sources import Fact

import kgdb
from kgdb.methods import create
from kgdb.values import Answer, Triple
from tests.unit.outcomes import names

pytestmark = pytest.mark.integration

FLAGSHIP = "Who directed the films that Ada Weir acted in?"
JOINED = "Which films did Ruben Okonjo-Hale direct with Ada Weir?"
CHINESE = "Who starred in 第七个渡口?"
QUESTIONS = (FLAGSHIP, JOINED, CHINESE, "Who wrote The Tuesday Engin?", "How tall is the tower?")


def fact(triple: Triple) -> Fact:
    return triple.head.id, triple.relation, triple.tail.id


@pytest.mark.parametrize("method", ["rok", "mindmap"])
def test_without_a_language_model(demo: kgdb.KnowledgeGraph, facts: set[Fact], method: str) -> None:
    answers = demo.reasoner(create(method), llm="none").answers(QUESTIONS)
    for answer in answers[:-1]:
        assert answer.error is None
        assert answer.usage.calls == 0
        assert answer.usage.round_trips <= 6
        assert {fact(triple) for path in answer.retrieved for triple in path.triples} <= facts
        assert all(answered.paths for answered in answer.entities)
    assert (answers[-1].entities, bool(answers[-1].reason)) == ((), True)
    if method == "rok":
        acted = {h for h, r, t in facts if (r, t) == ("starred_actors", "Ada Weir")}
        directed = {h for h, r, t in facts if (r, t) == ("directed_by", "Ruben Okonjo-Hale")}
        assert names(answers[0]) == {t for h, r, t in facts if h in acted and r == "directed_by"}
        assert names(answers[1]) == acted & directed != set()
        assert names(answers[2]) == {
            t for h, r, t in facts if (h, r) == ("第七个渡口", "starred_actors")
        }
        assert names(answers[3]) == {
            t for h, r, t in facts if (h, r) == ("The Tuesday Engine", "written_by")
        }


def test_answers_are_the_same_one_by_one_and_without_the_plugin(demo: kgdb.KnowledgeGraph) -> None:
    def timeless(answer: Answer) -> Answer:
        return replace(answer, trace=())

    together = demo.reasoner(create("rok"), llm="none").answers(QUESTIONS)
    alone = demo.reasoner(create("rok"), llm="none")
    assert [timeless(alone.answer(question)) for question in QUESTIONS] == [
        timeless(answer) for answer in together
    ]
    with kgdb.connect(plugin="never") as db:
        plain = db.graph("demo").reasoner(create("rok"), llm="none").answers(QUESTIONS)
    assert [timeless(answer) for answer in plain] == [timeless(answer) for answer in together]


@pytest.mark.endurance
@pytest.mark.parametrize(("inference", "fewest"), [("read", 2), ("choose", 1)])
def test_with_the_smallest_language_model(
    demo: kgdb.KnowledgeGraph, facts: set[Fact], inference: str, fewest: int
) -> None:
    # The other two calls are made alike, and a small model thinks slowly. Weighing takes two calls,
    # or none where all that is left is of one kind.
    options: dict[str, Any] = {"think": False, "neighbors": False, "max_evidence": 10}
    options["inference"] = inference
    answer = demo.reasoner(create("rok", options), llm="smollm2").answer(JOINED)
    assert answer.entities
    assert fewest <= answer.usage.calls <= 3
    assert answer.usage.round_trips <= 6
    assert answer.usage.tokens_in > 0 < answer.usage.tokens_out
    assert {fact(triple) for path in answer.evidence for triple in path.triples} <= facts
    assert json.loads(json.dumps(answer.to_dict(), allow_nan=False))
