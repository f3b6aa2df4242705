"""``kgdb lab train claims`` and ``kgdb lab train verifier``: what they take, and what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from examined import examined

from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.lab.training.corpus.claim_rows import write_claims

pytestmark = pytest.mark.unit


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["lab", "train", *arguments])


def test_a_verifier_is_trained_and_its_scores_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    write_claims(file, examined())
    made = run("verifier", str(file), "--output", str(tmp_path / "out"))
    assert made.exit_code == 0, made.output
    assert "accuracy" in made.output
    assert "--set verifier=" in made.output
    made = run("verifier", str(file), "--output", str(tmp_path / "two"), "--json", "--seed", "2")
    assert json.loads(made.stdout)["scores"]["verifier"]["accuracy"] == 1.0


def test_a_value_that_no_training_can_have_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text("", encoding="utf-8")
    refused = run("verifier", str(file), "--output", str(tmp_path / "out"), "--precision", "2")
    assert refused.exit_code == 2
    assert "0.5<=x<=1" in refused.output


def test_claims_are_not_written_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    refused = run("claims", "films", "factkg", "--output", str(tmp_path / "no" / "x.jsonl"))
    assert isinstance(refused.exception, UsageError)
    assert "There is no folder" in str(refused.exception)


def test_questions_are_no_claims(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    row = {"question": "Who directed Snow Whale?", "answers": ["Ken Amagiri"]}
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    refused = run("claims", "films", str(file), "--output", str(tmp_path / "x.jsonl"))
    assert isinstance(refused.exception, UsageError)
    assert "has no claims" in str(refused.exception)
