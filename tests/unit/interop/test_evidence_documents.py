"""The evidence of answers as documents, and what agents may call; no server, no framework."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from scripted_graph import DIRECTORS, FILMS, REFUTED, RUBEN, UNKNOWN, ScriptedGraph

from kgdb.errors import ModelError, UsageError
from kgdb.interop.agent_functions import agent_functions
from kgdb.interop.evidence_documents import evidence, retrieve
from kgdb.values import Answer, AnsweredEntity, EntityValue, Path, Step

pytestmark = pytest.mark.unit


def test_each_path_is_a_document_that_says_what_it_proves() -> None:
    found = evidence(DIRECTORS)
    assert [each.text for each in found.documents] == [
        "Film 0 – starred – Ada; Film 0 – directed_by – Ruben",
        "Film 1 – starred – Ada; Film 1 – directed_by – Ruben",
        "Film 2 – starred – Ada; Film 2 – directed_by – Tobias",
    ]
    assert [each.score for each in found.documents] == [1, 1, 0.5]
    assert found.documents[2].metadata == {
        "graph": "films",
        "answer": "Tobias",
        "answer_id": "t",
        "rank": 2,
        "entities": [
            {"id": "a", "name": "Ada"},
            {"id": "f2", "name": "Film 2"},
            {"id": "t", "name": "Tobias"},
        ],
        "relations": ["^starred", "directed_by"],
    }
    assert found.metadata["interpretation"] == "who directed the films starring Ada?"
    assert found.metadata["notes"] == ["a note"]
    assert not found.metadata["cut"]
    json.dumps([found.metadata, [each.metadata for each in found.documents]])


def test_a_limit_leaves_out_second_paths_before_it_leaves_out_answers() -> None:
    found = evidence(DIRECTORS, 2)
    assert [each.metadata["answer"] for each in found.documents] == ["Ruben", "Tobias"]
    assert found.metadata["cut"]
    assert [each.metadata["answer"] for each in evidence(DIRECTORS, 1).documents] == ["Ruben"]


def test_without_an_answer_there_are_no_documents_but_a_reason() -> None:
    found = evidence(UNKNOWN)
    assert (found.documents, found.reason) == ((), "nothing is named Kermit.")
    assert evidence(DIRECTORS).reason == ""


def test_what_was_merely_retrieved_or_has_no_evidence_is_no_document() -> None:
    paths = DIRECTORS.evidence
    assert evidence(replace(UNKNOWN, retrieved=paths, unsupported=("Kermit",))).documents == ()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "How many?\n0"),
        (False, "How many?\nno"),
        ((EntityValue(RUBEN, 2),), "How many?\n- Ruben: 2"),
    ],
)
def test_a_value_is_a_document_before_its_facts(value: Any, text: str) -> None:
    fact = Path((FILMS[0], RUBEN), (Step("directed_by"),))
    answer = Answer("How many?", "films", "auto", value=value, facts=(fact,))
    first, second = evidence(answer).documents
    assert first.text == text
    assert second.text == "Film 0 – directed_by – Ruben"
    assert second.metadata["answer"] == text.partition("\n")[2]
    (alone,) = evidence(answer, 1).documents
    assert alone == first


def test_an_empty_list_of_values_is_no_answer() -> None:
    assert evidence(Answer("Which?", "films", "auto", value=(), reason="none")).documents == ()


def test_an_answer_that_needs_no_path_is_named() -> None:
    answer = Answer("Which?", "films", "auto", (AnsweredEntity(RUBEN, (), 0),))
    (document,) = evidence(answer).documents
    assert (document.text, document.metadata["relations"]) == ("Ruben", [])


def test_a_verdict_has_a_side_for_each_fact() -> None:
    both = replace(REFUTED, supporting=REFUTED.opposing)
    assert [each.metadata["side"] for each in evidence(both).documents] == ["for", "against"]


def test_an_error_is_raised() -> None:
    with pytest.raises(ModelError, match="gone"):
        evidence(replace(DIRECTORS, error=ModelError("gone")))


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "3", None])
def test_a_number_of_documents_that_is_none_is_refused(limit: Any) -> None:
    with pytest.raises(UsageError, match="number of documents is"):
        retrieve(ScriptedGraph(), "Who?", limit, None)


def test_agents_get_texts() -> None:
    graph = ScriptedGraph()
    answer, verify, read_cypher = agent_functions(graph, "films_", {"llm": "none"})
    assert [each.name for each in (answer, verify, read_cypher)] == [
        "films_answer",
        "films_verify",
        "films_read_cypher",
    ]
    assert answer.function(DIRECTORS.question).startswith("Ruben, Tobias\n\n[1] Film 0 – starred")
    assert answer.function("Who?") == "I don't know, because nothing is named Kermit."
    assert verify.function("A claim.").startswith("REFUTED\nFilm 0 – starred – Ada; ")
    assert graph.options == [{"llm": "none"}] * 3
    assert json.loads(read_cypher.function("MATCH …")) == {
        "columns": ["name"],
        "rows": [["Ada"], ["Zoë"]],
        "truncated": False,
        "error": None,
    }
    assert "Zoë" in read_cypher.function("MATCH …")
    assert all(
        "knowledge graph films" in each.description for each in (answer, verify, read_cypher)
    )
