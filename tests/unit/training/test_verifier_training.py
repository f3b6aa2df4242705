"""Training a verifier: what it learns, which rows it uses, and what it refuses."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from examined import examined

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.claim_rows import ClaimRow, read_claims, write_claims
from kgdb.lab.training.verifier.verifier_card import TrainedVerifierReport
from kgdb.lab.training.verifier.verifier_settings import VerifierTraining
from kgdb.lab.training.verifier.verifier_training import train_verifier
from kgdb.methods.verification.verifier import load_verifier

pytest.importorskip("sklearn")
pytestmark = [pytest.mark.unit, pytest.mark.slow]


def trained(
    folder: Path, given: Sequence[ClaimRow], settings: VerifierTraining | None = None
) -> TrainedVerifierReport:
    folder.mkdir(exist_ok=True)
    write_claims(folder / "claims.jsonl", given)
    return train_verifier(folder / "claims.jsonl", folder / "out", settings)


def test_it_learns_how_far_checks_can_be_trusted(tmp_path: Path) -> None:
    report = trained(tmp_path, examined())
    assert report.before["accuracy"] < 0.85
    assert report.after["accuracy"] == 1.0
    assert report.config.graphs == ("g",)
    assert report.data.training + report.data.held_back == 600
    verifier = load_verifier(str(tmp_path / "out"))
    assert verifier is not None
    for row in examined(50, seed=1):
        assert (verifier.probability(row.features) >= 0.5) is row.label
    card = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "CC0" in card
    assert "100.0%" in card


def test_wrong_labels_are_seen_in_the_scores(tmp_path: Path) -> None:
    swapped = [replace(row, label=not row.label) for row in examined()]
    assert trained(tmp_path / "a", swapped).after["accuracy"] == 1.0
    draw = random.Random(3)
    noise = [replace(row, label=draw.random() < 0.5) for row in examined()]
    report = trained(tmp_path / "b", noise)
    assert report.after["accuracy"] < 0.65
    assert report.after["sure"] < 0.1


def test_a_tenth_of_wrong_labels_does_little(tmp_path: Path) -> None:
    poisoned = [
        replace(row, label=not row.label) if index % 10 == 0 else row
        for index, row in enumerate(examined())
    ]
    trained(tmp_path, poisoned)
    verifier = load_verifier(str(tmp_path / "out"))
    assert verifier is not None
    right = [(verifier.probability(row.features) >= 0.5) is row.label for row in examined(100, 1)]
    assert sum(right) == 100


def test_the_same_corpus_gives_the_same_verifier(tmp_path: Path) -> None:
    for name in ("a", "b"):
        trained(tmp_path / name, examined())
    files = [(tmp_path / name / "out" / "verifier.safetensors").read_bytes() for name in "ab"]
    assert files[0] == files[1]


def test_repeated_and_contradictory_claims_are_dropped_and_counted(tmp_path: Path) -> None:
    given = examined()
    again, other = given[0], replace(given[1], label=not given[1].label)
    report = trained(tmp_path, [*given, again, other])
    assert report.data.dropped == {
        "the claim is there already": 1,
        "the same claim is true and false": 2,
    }
    assert report.data.training + report.data.held_back == 599


@pytest.mark.parametrize(
    "given", [examined(20), [row for row in examined() if row.label]], ids=["few", "one label"]
)
def test_too_few_claims_are_refused(tmp_path: Path, given: list[ClaimRow]) -> None:
    with pytest.raises(UsageError, match="usable claims to train on"):
        trained(tmp_path, given)
    assert not (tmp_path / "out").exists()


def test_a_folder_with_a_verifier_is_not_overwritten(tmp_path: Path) -> None:
    trained(tmp_path, examined())
    with pytest.raises(UsageError, match="already"):
        trained(tmp_path, examined())


def test_no_probability_is_enough_for_what_cannot_be_learnt(tmp_path: Path) -> None:
    draw = random.Random(5)
    noise = [replace(row, label=draw.random() < 0.5) for row in examined()]
    report = trained(tmp_path, noise, VerifierTraining(precision=1.0))
    assert report.after["sure"] < 0.02


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"claim": "x", "label": true}', "lacks 'features'"),
        ('{"claim": " ", "label": true, "features": {}}', "claim is empty"),
        ('{"claim": "x", "label": 1, "features": {}}', "true or false"),
        ('{"claim": "x", "label": true, "features": {"rules": 1}}', "made again"),
        ('{"claim": "x", "label": true, "features": []}', "no JSON object"),
    ],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match="Line 1") as told:
        list(read_claims(file))
    assert said in str(told.value)


def test_settings_are_checked() -> None:
    with pytest.raises(UsageError, match="precision"):
        VerifierTraining(precision=0.2)
