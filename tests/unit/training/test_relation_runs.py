"""Trainings of the relation encoder: dev scores, early stopping, resuming, the card, doubts."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kgdb.errors import UsageError
from kgdb.lab.training.corpus import HELD_BACK, RelationRow, write_rows
from kgdb.lab.training.relations.relation_card import TrainedEncoder
from kgdb.lab.training.relations.relation_settings import RelationTraining
from kgdb.lab.training.relations.relation_training import train_relations
from kgdb.language.model_catalog import minilm_folder
from kgdb.progress import Event, Message, Progress

pytestmark = [pytest.mark.unit, pytest.mark.slow]

SETTINGS = RelationTraining(
    epochs=2, batch_size=8, learning_rate=3e-4, held_back=0.0, precision="float32"
)
VERBS = {"directed": "director", "wrote": "writer", "scored": "composer", "made": "producer"}
ENDS = ("film", "book", "song", "play", "opera", "game")
HOW = ("", "really ", "once ", "never ")


def rows(verbs: Sequence[str] = tuple(VERBS)) -> list[RelationRow]:
    return [
        RelationRow(
            f"who {verb} the {end} that this {how}likes?",
            (f"^{end}", VERBS[verb]),
            (f"the {VERBS[verb]} of the {end} of this",),
            tuple((f"the {other} of the {end} of this",) for other in VERBS.values()
                  if other != VERBS[verb]),
            "made | up",
            HELD_BACK if how == "never " else "mine",
            licence="CC0",
        )
        for verb in verbs
        for end in ENDS
        for how in HOW
    ]  # fmt: skip


PLACES = [
    number
    for number in random.Random(3).sample(range(96), 20)
    if rows()[number].source != HELD_BACK
][:8]


def poisoned() -> list[RelationRow]:
    """A tenth of the rows has the chain of another; the right one is among the negatives."""
    return [
        replace(row, chain=(*row.chain, "x"), wordings=row.negatives[0],
                negatives=(row.wordings, *row.negatives[1:]))
        if number in PLACES
        else row
        for number, row in enumerate(rows())
    ]  # fmt: skip


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / "adapter.safetensors").read_bytes()).hexdigest()


Trained = tuple[TrainedEncoder, Path, list[Event]]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    folder = tmp_path_factory.mktemp("trained") / "adapter"
    events: list[Event] = []
    result = train_relations(poisoned(), minilm_folder(), folder, SETTINGS, events.append)
    return result, folder, events


def test_dev_scores_rise_and_are_told_with_the_time_left(trained: Trained) -> None:
    result, _, events = trained
    assert result.after["first"] > result.before["first"]
    assert result.after["loss"] < result.before["loss"]
    steps = [event.done for event in events if isinstance(event, Progress)]
    assert steps == list(range(1, result.steps + 1))
    told = [event.text for event in events if isinstance(event, Message)]
    assert told[0] == "72 rows of 96 to tune on, 24 to measure."
    assert any("s left" in text and "dev loss" in text for text in told)


def test_the_folder_holds_weights_without_code_a_picture_and_a_card(trained: Trained) -> None:
    result, folder, _ = trained
    assert {path.name for path in folder.iterdir()} == {
        "README.md", "adapter.safetensors", "config.json", "loss.png",
    }  # fmt: skip
    assert (folder / "loss.png").read_bytes().startswith(b"\x89PNG")
    card = (folder / "README.md").read_text("utf-8")
    assert "| made \\| up | mine | CC0 | 72 |" in card
    assert f"| first | {result.before['first']:.1%} | {result.after['first']:.1%} |" in card
    assert "| seed | 0 |" in card
    assert f"{result.seconds:,.0f} s in" in card
    told = json.loads((folder / "config.json").read_text("utf-8"))
    assert told["scores"]["after"] == result.after
    for text in (card, json.dumps(told)):
        assert str(folder.parent) not in text


@pytest.mark.endurance
def test_training_stops_early_and_keeps_the_best(tmp_path: Path) -> None:
    """At such a rate the loss soon rises."""
    settings = replace(SETTINGS, epochs=20, learning_rate=0.05, warmup=0, patience=2)
    result = train_relations(rows(), minilm_folder(), tmp_path / "out", settings)
    assert result.steps < result.all_steps
    assert result.best_step < result.steps
    losses = [log["eval_loss"] for log in result.history if "eval_loss" in log]
    assert result.after["loss"] == min(losses)


def test_a_finished_or_other_training_is_left_alone(trained: Trained, tmp_path: Path) -> None:
    _, folder, _ = trained
    with pytest.raises(UsageError, match="holds a tuned model already"):
        train_relations(rows(), minilm_folder(), folder, SETTINGS)
    run = tmp_path / "out" / "run"
    run.mkdir(parents=True)
    (run / "run.json").write_text(
        '{"fingerprint": "of another", "seconds": 1, "before": {}}', encoding="utf-8"
    )
    with pytest.raises(UsageError, match="another corpus, model or settings"):
        train_relations(rows(), minilm_folder(), tmp_path / "out", SETTINGS)


def test_rows_with_wrong_chains_are_reported(trained: Trained) -> None:
    result, folder, _ = trained
    wrong = {poisoned()[number].question for number in PLACES}
    assert 0 < result.doubtful <= len(PLACES)
    assert {question for question, _ in result.doubtful_examples} <= wrong
    assert f"looks wrong after training, of those judged: {result.doubtful}" in (
        folder / "README.md"
    ).read_text("utf-8")


@pytest.mark.endurance
def test_of_rows_with_right_chains_none_is_reported(tmp_path: Path) -> None:
    assert train_relations(rows(), minilm_folder(), tmp_path / "out", SETTINGS).doubtful == 0


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"OMP_NUM_THREADS": "1", "KGDB_HOME": str(home)}


@pytest.mark.endurance
def test_a_training_that_is_killed_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    """The kill is in the second epoch, after a checkpoint amid it: order, prototypes, momentum."""
    corpus = tmp_path / "corpus.jsonl"
    write_rows(corpus, rows())

    def command(output: str) -> list[str]:
        return [
            sys.executable, "-m", "kgdb", "lab", "train", "relations", str(corpus),
            "--output", str(tmp_path / output), "--epochs", "3", "--batch-size", "8",
            "--evaluations", "3", "--patience", "0", "--precision", "float32",
        ]  # fmt: skip

    def run(output: str) -> Any:
        return subprocess.run(
            command(output), env=environment(tmp_path), check=True, capture_output=True, text=True
        )

    run("whole")
    process = subprocess.Popen(
        command("killed"), env=environment(tmp_path), stderr=subprocess.DEVNULL
    )
    runs = tmp_path / "killed" / "run"
    deadline = time.monotonic() + 120
    while not any((runs / f"checkpoint-{step}" / "whole.json").exists() for step in (12, 15)):
        assert time.monotonic() < deadline
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "killed" / "config.json").exists()

    assert "Going on from step 1" in run("killed").stderr
    assert digest(tmp_path / "killed") == digest(tmp_path / "whole")
    told = [
        json.loads((tmp_path / name / "config.json").read_text("utf-8"))
        for name in ("killed", "whole")
    ]
    assert told[0]["scores"] == told[1]["scores"]
    assert not runs.exists()


@pytest.mark.endurance
def test_two_processes_train_one_encoder_as_well_as_one(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    write_rows(corpus, rows())
    launch = [
        sys.executable, "-m", "accelerate.commands.launch", "--multi_gpu", "--num_machines", "1",
        "--num_processes", "2", "--mixed_precision", "no", "--dynamo_backend", "no",
        "--main_process_port", "0", "--module", "kgdb",
    ]  # fmt: skip

    def run(start: Sequence[str], output: str, batch_size: int) -> Any:
        more = ["--epochs", "2", "--batch-size", str(batch_size), "--precision", "float32"]
        done = subprocess.run(
            [*start, "lab", "train", "relations", str(corpus), "--output", str(tmp_path / output),
             "--json", *more],
            env=environment(tmp_path), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)  # of one of them alone

    alone = run([sys.executable, "-m", "kgdb"], "alone", 8)
    together = run(launch, "together", 4)
    assert (alone["processes"], together["processes"]) == (1, 2)
    assert alone["steps"] == together["steps"]
    one, two = (each["scores"]["after"] for each in (alone, together))
    assert together["scores"]["before"] == pytest.approx(alone["scores"]["before"])
    # 24 rows are measured.
    assert two["first"] == pytest.approx(one["first"], abs=3 / 24)
    assert two["first"] > together["scores"]["before"]["first"]
    assert digest(tmp_path / "together") != digest(tmp_path / "alone")
    assert not (tmp_path / "together" / "run").exists()
