"""``kgdb lab train conversations`` and ``llm``: what they take, and what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kgdb.cli.main import cli
from kgdb.errors import UsageError
from kgdb.lab.cli import train_llm
from kgdb.lab.training.corpus import RelationRow, write_rows
from kgdb.lab.training.corpus.conversations import read_conversations
from kgdb.lab.training.llm import PRESETS, ZERO3, Tuned, TuningSettings
from kgdb.lab.training.llm.llm_examples import DataReport

pytestmark = pytest.mark.unit


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    file = tmp_path / "corpus.jsonl"
    rows = [
        RelationRow(
            f"what is the {word} of this?", (word,), (f"the {word} of this",), graph="films"
        )
        for word in ("genre", "writer", "year", "director")
    ]
    write_rows(
        file, [*rows, rows[0], RelationRow(rows[0].question, ("year",), ("…",), (), "films")]
    )
    return file


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["lab", "train", *arguments])


def test_a_relation_corpus_becomes_prompts(corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "prompts.jsonl"
    made = run(
        "conversations", str(corpus), "--output", str(output), "--licence", "CC0", "--width", "3"
    )
    assert made.exit_code == 0, made.output
    assert "of the task chains" in made.output
    assert "1 row of 6 contradict most rows" in made.output
    assert {row.licence for row in read_conversations(output)} == {"CC0"}


def test_the_tasks_and_the_report_are_for_programs_too(corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "prompts.jsonl"
    made = run("conversations", str(corpus), "--output", str(output), "--task", "chains", "--json")
    told = json.loads(made.output)
    assert (told["rows"], told["made"], told["contradictions"]) == (6, {"chains": 6}, 1)


@pytest.mark.parametrize(
    ("task", "output", "said"),
    [("decouple", "x", "'decouple'"), ("chains", "nowhere/x", "There is no folder")],
)
def test_what_cannot_be_made_is_refused(
    corpus: Path, tmp_path: Path, task: str, output: str, said: str
) -> None:
    made = run("conversations", str(corpus), "--task", task, "--output", str(tmp_path / output))
    assert isinstance(made.exception, UsageError)
    assert said in made.exception.message


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[TuningSettings]:
    """The settings of the runs that the command asks for; none is made."""
    settings: list[TuningSettings] = []

    def tune(corpus: Path, output: Path, models: Any, tuning: TuningSettings, **_: Any) -> Tuned:
        settings.append(tuning)
        return Tuned(
            base="base", name="hf:base+out", settings=tuning, data=DataReport(),
            before={"loss": 2.0, "choice": 0.25}, after={"loss": 1.0, "choice": 0.75},
            steps=1, all_steps=1, best_step=1, seconds=12.3, parameters=10, tuned_parameters=1,
            processes=1, bfloat16=False, device="a processor", packages={},
        )  # fmt: skip

    monkeypatch.setattr(train_llm, "tune", tune)
    return settings


def test_options_override_the_preset(asked: list[TuningSettings], corpus: Path) -> None:
    done = run(
        "llm", str(corpus), "--output", "out", "--preset", "webqsp", "--epochs", "2",
        "--task", "chains", "--weight", "chains=2", "--weight", "inference:a=b=0.5",
        "--deepspeed", "zero3",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    (tuning,) = asked
    assert (tuning.epochs, tuning.learning_rate) == (2, PRESETS["webqsp"].learning_rate)
    assert tuning.tasks == ("chains",)
    assert tuning.weights == {"chains": 2, "inference:a=b": 0.5}
    assert tuning.deepspeed == ZERO3


def test_the_scores_before_and_after_are_shown(asked: list[TuningSettings], corpus: Path) -> None:
    done = run("llm", str(corpus), "--output", "out")
    assert asked == [TuningSettings()]
    lines = [line.split() for line in done.output.splitlines()]
    assert ["loss", "2.0000", "1.0000"] in lines
    assert ["choice", "25.0%", "75.0%"] in lines
    assert "Tuned in 12 s. Use it: --llm hf:base+out" in done.output
    told = json.loads(run("llm", str(corpus), "--output", "out", "--json").output)
    assert told["scores"]["after"] == {"loss": 1.0, "choice": 0.75}


def test_a_weight_that_is_no_number_is_refused(asked: list[TuningSettings], corpus: Path) -> None:
    done = run("llm", str(corpus), "--output", "out", "--weight", "chains")
    assert isinstance(done.exception, UsageError)
    assert "'chains' is no weight" in done.exception.message
    assert not asked
