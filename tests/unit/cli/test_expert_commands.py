"""``kgdb lab train evidence`` and ``kgdb lab train expert``: what they take, and what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.lab.cli import train_expert
from kgdb.lab.training.expert import ExpertTraining, TrainedExpertReport
from kgdb.lab.training.expert.expert_examples import DataReport
from kgdb.language.experts.trained import ExpertConfig
from kgdb.settings import Settings

pytestmark = pytest.mark.unit


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["lab", "train", *arguments])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Settings, ExpertTraining]]:
    """What the training is asked for; it answers at once."""
    given: list[tuple[Settings, ExpertTraining]] = []

    def train(
        corpus: Path, output: Path, models: Settings, settings: ExpertTraining, report: Any
    ) -> TrainedExpertReport:
        given.append((models, settings))
        return TrainedExpertReport(
            folder=str(output),
            states="all-MiniLM-L6-v2",
            config=ExpertConfig("encoder", "minilm", 0, 0.25, 0.5, ("films",)),
            settings=settings,
            data=DataReport(),
            before={"gold kept": 0.98, "noise kept": 0.9},
            after={"gold kept": 0.98, "noise kept": 0.3},
            similarity_threshold=0.21,
            best_epoch=2,
            seconds=3.0,
            packages={},
        )

    monkeypatch.setattr(train_expert, "train_expert", train)
    return given


def test_the_options_are_the_settings_and_the_models(
    asked: list[tuple[Settings, ExpertTraining]], tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("", encoding="utf-8")
    made = run(
        "expert", str(file), "--output", str(tmp_path / "out"), "--hidden", "llm", "--layers", "4",
        "--llm", "hf:mine", "--gold-share", "0", "--recall", "0.9", "--seed", "3",
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    ((models, settings),) = asked
    assert models.llm == "hf:mine"
    assert settings == ExpertTraining(hidden="llm", layers=4, gold_share=0, recall=0.9, seed=3)
    assert "noise kept" in made.output
    assert "90.0%" in made.output
    assert "30.0%" in made.output
    assert "--set expert=" in made.output


def test_the_report_is_for_programs_too(
    asked: list[tuple[Settings, ExpertTraining]], tmp_path: Path
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("", encoding="utf-8")
    made = run("expert", str(file), "--output", str(tmp_path / "out"), "--json")
    assert json.loads(made.output)["config"]["threshold"] == 0.25
    assert asked[0][1] == ExpertTraining()


def test_a_value_that_no_training_can_have_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("", encoding="utf-8")
    refused = run("expert", str(file), "--output", str(tmp_path / "out"), "--recall", "2")
    assert refused.exit_code == 2
    assert "0.01<=x<=1" in refused.output


def test_evidence_is_not_written_into_a_folder_that_is_not_there(tmp_path: Path) -> None:
    refused = run("evidence", "films", "metaqa", "--output", str(tmp_path / "no" / "x.jsonl"))
    assert refused.exit_code == 1 or isinstance(refused.exception, UsageError)
    assert "There is no folder" in str(refused.exception)
