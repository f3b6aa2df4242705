"""Many questions at once: the same answers as one by one, in far fewer statements."""

from __future__ import annotations

import os
from typing import Any

import pytest
from sources import demo_facts

import kgdb
from kgdb.graph.connection.round_trips import count_round_trips
from kgdb.values import Answer

pytestmark = pytest.mark.integration

MANY = int(os.environ.get("KGDB_TEST_QUESTIONS", "40"))
"""At most 100: so many the demo graph has facts for."""

ASKED = {
    "directed_by": "Who directed [{}]?",
    "starred_actors": "Who starred in [{}]?",
    "written_by": "Who wrote [{}]?",
    "release_year": "When was [{}] released?",
    "in_language": "In which language is [{}]?",
}
TOLD = (
    "Which films did [{}] direct?",
    "Who directed the films that [{}] acted in?",
    "What did [{}] write?",
)


@pytest.fixture(scope="module")
def questions() -> list[str]:
    facts = sorted(demo_facts())
    about = [ASKED[relation].format(head) for head, relation, _ in facts if relation in ASKED]
    people = sorted({tail for _, relation, tail in facts if relation == "starred_actors"})
    asked = [text.format(person) for person in people for text in TOLD]
    chosen = list(dict.fromkeys([*asked, *about]))[: MANY - 2]
    # Those that fail or find nothing are no reason for others to.
    return [*chosen, "Who is it?", " "]


def same(answer: Answer) -> dict[str, Any]:
    """All but what the others have a share in: the time, and the statements."""
    told = answer.to_dict()
    return {key: value for key, value in told.items() if key not in ("usage", "trace")}


@pytest.mark.parametrize("method", ["refkg", "rok", "gotr", "bm25", "neighbors"])
def test_many_questions_get_what_each_gets_alone(
    demo: kgdb.KnowledgeGraph, questions: list[str], method: str
) -> None:
    assert len(questions) == MANY
    reasoner = demo.reasoner(method, llm="none")
    reasoner.answers(questions[:1])  # what is read once is read now
    with count_round_trips() as for_all:
        together = reasoner.answers(questions)
    with count_round_trips() as for_each:
        alone = [reasoner.answers([question])[0] for question in questions]
    assert [same(answer) for answer in together] == [same(answer) for answer in alone]
    assert sum(bool(answer.entities) for answer in together) >= 0.7 * MANY
    assert together[-1].error is not None
    print(f"\n{method}: {for_all.count} statements for all, {for_each.count} one by one")
    assert for_all.count * MANY <= 5 * for_each.count
    # No question takes part in more than there are.
    assert max(answer.usage.round_trips for answer in together) <= for_all.count
