"""Noise in the evidence: gold facts before and after refinement, counted on small traces."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path as File
from typing import Any

import pytest

from kgdb.errors import ModelError
from kgdb.evaluation import AnswerRow, Claim, Question, read_rows
from kgdb.evaluation.result_rows import answer_row, claim_row
from kgdb.lab.reproduction.table_measures import measured
from kgdb.values import Answer, Entity, Label, Path, StagedEvidence, Step, Verdict

pytestmark = pytest.mark.unit

QUESTION = Question("1", "who wrote the films of Ada Weir?", frozenset({"Crake", "Lind"}))


def path(*walk: str) -> Path:
    """``path("a", "r", "b")`` is the walk from a along r to b."""
    entities = tuple(Entity(name, name) for name in walk[::2])
    return Path(entities, tuple(Step.parse(each) for each in walk[1::2]))


WROTE = path("Ada Weir", "^starred", "Snow Whale", "written_by", "Crake")
WROTE_TOO = path("Ada Weir", "^starred", "Grey Harbour", "written_by", "Lind")
MADE = path("Ada Weir", "^starred", "Snow Whale", "directed_by", "Amagiri")
YEAR = path("Ada Weir", "^starred", "Quiet Shore", "release_year", "1989")


def row_of(
    explored: tuple[Path, ...], kept: tuple[Path, ...] | None, question: Question = QUESTION
) -> AnswerRow:
    left = None if kept is None else tuple(fact for one in kept for fact in one.triples)
    staged = StagedEvidence(explored, left)
    return answer_row(question, Answer(question.text, "g", "m", staged=staged), "run")


def counts(row: Any) -> tuple[int | None, ...]:
    return row.facts_retrieved, row.gold_retrieved, row.facts_refined, row.gold_refined


def test_facts_on_a_chain_that_ends_in_a_gold_answer_are_gold() -> None:
    # Seven facts: that Ada Weir starred in Snow Whale is on two of the four paths.
    row = row_of((WROTE, WROTE_TOO, MADE, YEAR), (WROTE, MADE))
    assert counts(row) == (7, 4, 3, 2)
    assert measured([row], "noise_retrieved", None) == [pytest.approx(3 / 7)]
    assert measured([row], "noise_refined", None) == [pytest.approx(1 / 3)]
    assert measured([row], "retrieval_introduced", None) == [1.0]
    # A right chain was lost, and noise was taken away, and something right is left.
    assert measured([row], "refinement_introduced", None) == [1.0]
    assert measured([row], "refinement_reduced", None) == [1.0]
    assert measured([row], "refinement_correct", None) == [1.0]


@pytest.mark.parametrize(
    ("explored", "kept", "introduced", "lost", "reduced", "correct"),
    [
        ((WROTE, WROTE_TOO), (WROTE, WROTE_TOO), 0.0, 0.0, 0.0, (1.0, 1.0)),
        ((WROTE, YEAR), (WROTE,), 1.0, 0.0, 1.0, (1.0, 1.0)),
        ((WROTE, YEAR), (YEAR,), 1.0, 1.0, 0.0, (1.0, 0.0)),
        ((MADE, YEAR), (), 1.0, 0.0, 1.0, (0.0, 0.0)),
        # Nothing retrieved: what is right was lost.
        ((), (), 1.0, 0.0, 0.0, (0.0, 0.0)),
    ],
)
def test_each_stage_brings_takes_and_keeps(
    explored: tuple[Path, ...],
    kept: tuple[Path, ...],
    introduced: float,
    lost: float,
    reduced: float,
    correct: tuple[float, float],
) -> None:
    row = row_of(explored, kept)
    assert measured([row], "retrieval_introduced", None) == [introduced]
    assert measured([row], "refinement_introduced", None) == [lost]
    assert measured([row], "refinement_reduced", None) == [reduced]
    assert measured([row], "retrieval_correct", None) == [correct[0]]
    assert measured([row], "refinement_correct", None) == [correct[1]]


def test_what_was_not_refined_has_no_measure_of_refinement() -> None:
    row = row_of((WROTE, YEAR), None)
    assert counts(row) == (4, 2, None, None)
    for measure in ("noise_refined", "refinement_introduced", "refinement_reduced"):
        assert measured([row], measure, None) == []
    assert measured([row], "refinement_correct", None) == []
    assert measured([row_of((), ())], "noise_retrieved", None) == []


def test_a_method_without_stages_retrieved_all_of_its_evidence() -> None:
    answer = Answer(QUESTION.text, "g", "m", retrieved=(WROTE, YEAR))
    assert counts(answer_row(QUESTION, answer, "run")) == (4, 2, None, None)


def test_nothing_is_counted_where_no_gold_is_known() -> None:
    nobody = Question("2", "who?", frozenset(), unanswerable=True)
    assert counts(row_of((WROTE,), (WROTE,), nobody)) == (None,) * 4
    failed = Answer(QUESTION.text, "g", "m", error=ModelError("gone"))
    assert counts(answer_row(QUESTION, failed, "run")) == (None,) * 4


def test_an_answer_that_refinement_dropped_is_not_lost_by_retrieval() -> None:
    assert row_of((WROTE, YEAR), (YEAR,)).lost == "refinement"
    assert row_of((YEAR,), (YEAR,)).lost == "retrieval"
    assert row_of((), ()).lost == "mention"


def test_rows_keep_the_counts_as_numbers(tmp_path: File) -> None:
    row = row_of((WROTE, YEAR), (WROTE,))
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(asdict(row)) + "\n", encoding="utf-8")
    assert read_rows(file, AnswerRow, "run") == {"1": row}
    assert file.read_text(encoding="utf-8").startswith('{"id": "')


BORN = path("Alan Shepard", "birthPlace", "New Hampshire")
AWARD = path("Alan Shepard", "awards", "Distinguished Service Medal (United States Navy)")
SHIP = path("Alan Shepard", "rank", "Rear Admiral")
THROUGH = path("Alan Shepard", "birthPlace", "Derry", "isPartOf", "New Hampshire")
CLAIM = "Alan Shepard, who got the Distinguished Service Medal, was born in New Hampshire."


def claimed(text: str = CLAIM, label: Label = "SUPPORTED", kind: str | None = "Conjunction") -> Any:
    explored = (BORN, AWARD, SHIP, THROUGH)
    staged = StagedEvidence(explored, (*BORN.triples, *SHIP.triples))
    return claim_row(Claim("1", text, label, kind), Verdict(text, "g", "m", staged=staged), "run")


def test_of_claims_the_facts_between_two_named_things_stand_in_for_gold() -> None:
    # Of five facts the rank alone is noise; refinement kept it, and one of the others.
    assert counts(claimed()) == (5, 4, 2, 1)
    # A number is a name, however short; so are the entities that a set lists.
    floors = path("11 Diagonal Street", "floorCount", "20")
    staged = StagedEvidence((floors, SHIP))
    for claim, gold in (
        (Claim("1", "11 Diagonal Street has 20 floors.", "SUPPORTED"), 1),
        (Claim("1", "He was high up.", "SUPPORTED", None, ("Rear Admiral", "Alan Shepard")), 1),
        (Claim("1", "11 Diagonal Street has 200 floors.", "SUPPORTED"), 0),
    ):
        row = claim_row(claim, Verdict(claim.text, "g", "m", staged=staged), "run")
        assert counts(row) == (2, gold, None, None)
    # One end is not enough, and a part of a word is no name.
    assert counts(claimed("Alan Shepard liked New Hampshirean cheese.")) == (5, 0, 2, 0)


@pytest.mark.parametrize(
    ("label", "kind"),
    [("REFUTED", "One-hop"), ("SUPPORTED", "Negation"), ("SUPPORTED", "Existence")],
)
def test_claims_without_a_stand_in_are_not_counted(label: Label, kind: str) -> None:
    assert counts(claimed(label=label, kind=kind)) == (None,) * 4
