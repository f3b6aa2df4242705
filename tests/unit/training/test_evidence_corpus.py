"""The expert's corpus: what is gold of what RefKG retrieves, and what is no row of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes import BagOfWords, memory_graph
from films import films

from kgdb.errors import UsageError
from kgdb.evaluation import Claim, Question
from kgdb.lab.training.corpus import HeldOut
from kgdb.lab.training.corpus.asking import IS_HELD_OUT
from kgdb.lab.training.corpus.evidence_corpus import (
    NO_PROOF,
    NOT_RETRIEVED,
    WRONG_VERDICT,
    evidence_from_claims,
    evidence_from_questions,
)
from kgdb.lab.training.corpus.evidence_rows import (
    Evidence,
    EvidenceRow,
    read_evidence,
    write_evidence,
)
from kgdb.lab.training.corpus.from_questions import NO_CHAIN

pytestmark = pytest.mark.unit

DIRECTED = Question("1", "who directed [Snow Whale]?", frozenset({"Ken Amagiri"}))
ROW = EvidenceRow(
    "who directed Snow Whale?",
    (
        Evidence(("the director of Snow Whale: Ken Amagiri",), True, 0.75, 0.5),
        Evidence(("the writer of Snow Whale: Barnaby Crake",), False, 0.5),
    ),
    "films",
    "made up",
    "CC0",
)


def test_the_paths_of_the_right_chain_are_gold_and_others_are_noise() -> None:
    rows, told = evidence_from_questions(
        memory_graph(films()), [DIRECTED], BagOfWords(), source="made up", licence="CC0"
    )
    (row,) = rows
    assert row.query == "who directed Snow Whale?"
    gold = [piece for piece in row.evidence if piece.gold]
    assert [piece.facts for piece in gold] == [("the director of Snow Whale: Ken Amagiri",)]
    noise = {piece.facts for piece in row.evidence if not piece.gold}
    assert ("the writer of Snow Whale: Barnaby Crake",) in noise
    words = BagOfWords().encode([row.query, gold[0].facts[0]])
    assert gold[0].similarity == pytest.approx(float(words[0] @ words[1]), abs=1e-4)
    assert gold[0].score > 0
    assert (row.graph, row.source, row.licence) == ("test", "made up", "CC0")
    assert (told.read, told.rows) == (1, 1)
    again, _ = evidence_from_questions(
        memory_graph(films()), [DIRECTED], BagOfWords(), source="made up", licence="CC0"
    )
    assert again == rows


def test_questions_without_gold_evidence_are_dropped_with_the_reason() -> None:
    wrong = Question("2", "who directed [Snow Whale]?", frozenset({"Nobody"}))
    rows, told = evidence_from_questions(memory_graph(films()), [wrong], BagOfWords())
    assert rows == []
    assert told.dropped == {NO_CHAIN: 1}
    # What the question asks is nothing like the chain that gives the answers.
    odd = Question(
        "3", "plugh xyzzy quux frob blorb grue [Snow Whale] zork frotz?", frozenset({"Ken Amagiri"})
    )
    _, told = evidence_from_questions(memory_graph(films()), [odd], BagOfWords())
    assert told.dropped == {NOT_RETRIEVED: 1}


def test_held_out_questions_and_claims_give_no_row() -> None:
    rows, told = evidence_from_questions(
        memory_graph(films()), [DIRECTED], BagOfWords(), held_out=HeldOut([DIRECTED])
    )
    assert (rows, told.dropped.total()) == ([], 1)
    claim = Claim("1", "Ken Amagiri directed Snow Whale.", "SUPPORTED")
    rows, told = evidence_from_claims(
        memory_graph(films()), [claim], BagOfWords(), held_out=[claim]
    )
    assert (rows, told.dropped) == ([], {IS_HELD_OUT: 1})


def test_the_facts_that_decide_a_claim_as_its_label_says_are_gold() -> None:
    text = "The director of Snow Whale is Ken Amagiri."
    right, wrong = Claim("1", text, "SUPPORTED"), Claim("2", text, "REFUTED")
    rows, _ = evidence_from_claims(memory_graph(films()), [right], BagOfWords())
    (row,) = rows
    gold = [piece.facts for piece in row.evidence if piece.gold]
    assert gold == [("the director of Snow Whale: Ken Amagiri",)]
    assert len(row.evidence) > 1
    assert all(len(piece.facts) == 1 for piece in row.evidence)
    nothing = Claim("3", "Plugh is xyzzy.", "SUPPORTED")
    rows, told = evidence_from_claims(memory_graph(films()), [wrong, nothing], BagOfWords())
    assert rows == []
    assert told.dropped == {WRONG_VERDICT: 1, NO_PROOF: 1}


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    assert write_evidence(file, [ROW]) == 1
    assert list(read_evidence(file)) == [ROW]
    assert list(tmp_path.iterdir()) == [file]


PIECE = {"facts": ["a: b"], "gold": True, "similarity": 0.5}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([], "a JSON object is expected"),
        ({"evidence": [PIECE]}, "it lacks 'query'"),
        ({"query": " ", "evidence": [PIECE]}, "its query is empty"),
        ({"query": "q", "evidence": []}, "a list of at least one piece"),
        ({"query": "q", "evidence": ["x"]}, "a piece of evidence is a JSON object"),
        ({"query": "q", "evidence": [PIECE | {"facts": "a: b"}]}, "facts is"),
        ({"query": "q", "evidence": [PIECE | {"gold": 1}]}, "gold is true or false"),
        ({"query": "q", "evidence": [PIECE | {"similarity": 7}]}, "similarity is 7"),
        ({"query": "q", "evidence": [PIECE | {"similarity": "1"}]}, "where a number is expected"),
        ({"query": "q", "evidence": [PIECE | {"score": float("inf")}]}, "score is inf"),
        ({"query": "\ud800", "evidence": [PIECE]}, "query holds half of a character"),
        ({"query": 3, "evidence": [PIECE]}, "query is 3, where a text is expected"),
    ],
)
def test_what_is_no_row_is_named_with_its_line(tmp_path: Path, row: object, said: str) -> None:
    file = tmp_path / "rows.jsonl"
    write_evidence(file, [ROW])
    file.write_text(file.read_text("utf-8") + json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="Line 2 of") as failure:
        list(read_evidence(file))
    assert said in str(failure.value)


def test_a_file_that_is_cut_off_or_missing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    with pytest.raises(UsageError, match="cannot be read"):
        list(read_evidence(file))
    file.write_bytes(b'{"query": "q", "evid')
    with pytest.raises(UsageError, match="Line 1 of"):
        list(read_evidence(file))
