"""What RefKG's prompts are spent on in the paper's own form, where five are all there are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fakes import memory_graph, reasoner
from films import films
from scripted import ScriptedModel

from kgdb.values import Answer

pytestmark = pytest.mark.unit

THREE_HOPS = "when were the films directed by the director of The Salt Ledger released?"
PARTS = [
    {"query": "the director of The Salt Ledger", "entities": ["The Salt Ledger"]},
    {"query": "the films directed by the director", "entities": []},
    {"query": "when were the films released?", "entities": []},
]
DECOUPLES, NAVIGATES, REWRITES, READS = (
    "Split the text",
    "Question: when",
    "Your task is",
    "Answer the question",
)
TEXT = "Ken Amagiri directed Snow Whale."


def asked(parts: list[Any], **options: Any) -> tuple[Answer, ScriptedModel]:
    """Every menu has more relations than the beam keeps, so that each hop is one to navigate."""
    model = ScriptedModel({DECOUPLES: json.dumps({"subqueries": parts}), REWRITES: TEXT})
    graph = memory_graph(films(("Snow Whale", "starred_actors", "Ken Amagiri")))
    papers: dict[str, Any] = {"decouple": "llm", "navigate": "llm", "inference": "read", "width": 1}
    answer = reasoner("refkg", graph, model, **(papers | options)).answer(THREE_HOPS)
    return answer, model


def kinds(model: ScriptedModel) -> list[str]:
    return [
        next(kind for kind in (DECOUPLES, NAVIGATES, REWRITES, READS) if prompt.startswith(kind))
        for prompt in (ask.prompt for ask in model.asked)
    ]


def test_three_hops_leave_calls_to_reconstruct_the_evidence_and_read_it() -> None:
    answer, model = asked(PARTS)
    assert kinds(model) == [DECOUPLES, NAVIGATES, NAVIGATES, REWRITES, READS]
    assert TEXT in model.asked[-1].prompt
    assert not any("reconstruct" in note for note in answer.notes)
    assert [stage.name for stage in answer.trace if stage.usage.calls] == [
        *("decouple", "explore hop 1", "explore hop 2", "infer"),
    ]
    assert max(len(path.steps) for path in answer.retrieved) <= 3
    assert len([stage for stage in answer.trace if stage.name.startswith("explore")]) == 3


def test_with_a_call_more_every_hop_is_navigated() -> None:
    _, model = asked(PARTS, calls=6)
    assert kinds(model) == [DECOUPLES, *[NAVIGATES] * 3, REWRITES, READS]


@pytest.mark.parametrize("form", ["template", "triples"])
def test_the_forms_of_evidence_differ_in_how_the_same_evidence_is_told(form: str) -> None:
    written, reader = asked(PARTS)
    plain, other = asked(PARTS, evidence_form=form)
    assert plain.retrieved == written.retrieved
    before = [ask.prompt for ask in reader.asked[:-2]]
    assert [ask.prompt for ask in other.asked[:-1]] == before
    assert TEXT in reader.asked[-1].prompt
    assert TEXT not in other.asked[-1].prompt


def test_one_sub_query_is_navigated_over_one_hop() -> None:
    answer, model = asked([{"query": THREE_HOPS, "entities": ["The Salt Ledger"]}])
    assert answer.trace[0].output["subqueries"]
    assert kinds(model) == [DECOUPLES, NAVIGATES, REWRITES, READS]


def test_sub_queries_that_are_not_believed_predict_nothing() -> None:
    answer, model = asked([{"query": "delete everything at once", "entities": []}])
    assert any("do not match the question" in note for note in answer.notes)
    assert kinds(model).count(NAVIGATES) == 2


def test_a_hop_without_a_choice_takes_no_call_from_a_later_one() -> None:
    # Two relations lead on from a director, and both are kept.
    answer, model = asked(PARTS, width=2)
    assert kinds(model) == [DECOUPLES, NAVIGATES, NAVIGATES, REWRITES, READS]
    explored = [stage for stage in answer.trace if stage.name.startswith("explore")]
    assert [stage.usage.calls for stage in explored] == [1, 0, 1]


@pytest.mark.parametrize(("calls", "told"), [(1, False), (2, True), (5, True)])
def test_evidence_that_no_call_is_left_to_reconstruct_is_noted(calls: int, told: bool) -> None:
    answer, model = asked(PARTS, calls=calls)
    assert (TEXT in model.asked[-1].prompt) is told
    assert any("reconstruct" in note for note in answer.notes) is not told
    plain, _ = asked(PARTS, calls=calls, evidence_form="template")
    assert not any("reconstruct" in note for note in plain.notes)


def told(parts: list[Any], **options: Any) -> list[str]:
    """The facts that are read."""
    _, model = asked(parts, evidence_form="template", width=5, **options)
    facts = model.asked[-1].prompt.partition("Facts:\n")[2].partition("\n\nQuestion:")[0]
    return [line.partition(". ")[2] for line in facts.split("\n")]


def test_each_fact_is_judged_by_itself_where_each_sub_query_asks_for_one() -> None:
    whole, all_judged, best = (
        told(PARTS, refine=False),
        told(PARTS, alpha=0),
        told(PARTS, alpha=0.5),
    )
    assert set(best) < set(all_judged) <= set(whole)
    assert all_judged != [fact for fact in whole if fact in all_judged]
    assert best == all_judged[: len(best)]
    assert "the director of The Salt Ledger: Ken Amagiri" in best


def test_no_fact_is_held_against_a_question_of_several_hops() -> None:
    # What the model splits is not believed; the chains alone are judged then.
    parts = [{"query": "delete everything at once", "entities": []}]
    few = told(parts, alpha=0.3)
    assert set(few) <= set(told(parts, refine=False))
    assert any("release year" in fact for fact in few)
    assert any("director" in fact for fact in few)
