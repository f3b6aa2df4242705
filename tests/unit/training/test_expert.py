"""Training the expert: labels, quality control, the error, the threshold, and going on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from fakes import BagOfWords

from kgdb.errors import UsageError
from kgdb.lab.training.corpus.evidence_rows import Evidence, EvidenceRow, write_evidence
from kgdb.lab.training.expert import ExpertTraining, train_expert
from kgdb.lab.training.expert.expert_examples import (
    FAR,
    NO_GOLD,
    NO_NOISE,
    TWICE,
    examples_of,
    label,
)
from kgdb.lab.training.expert.expert_measures import measures, threshold_for, weight_for
from kgdb.lab.training.expert.fitting import squared_error
from kgdb.language.experts.trained import EncoderStates, read_config, read_network
from kgdb.progress import Event, Message
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

WORDS = {"director": "directed", "writer": "wrote", "year": "released", "genre": "typed"}
SMALL = ExpertTraining(width=16, epochs=6, batch_size=16, learning_rate=0.02, held_back=0.2)
MODELS = Settings(home=Path("nowhere"))


def piece(*facts: str, gold: bool = False, similarity: float = 0.5, score: float = 0.0) -> Evidence:
    return Evidence(facts, gold, similarity, score)


def row(query: str, *pieces: Evidence) -> EvidenceRow:
    return EvidenceRow(query, pieces, "films", "made | up", "CC0")


def rows(count: int = 40) -> list[EvidenceRow]:
    """Queries whose verb says which fact is gold; neither similarity nor score does."""
    nouns = list(WORDS)
    return [
        row(
            f"who {WORDS[nouns[n % 4]]} film {n}?",
            *(
                piece(
                    f"the {noun} of film {n}: x{n}",
                    gold=noun == nouns[n % 4],
                    similarity=0.4 + 0.05 * ((n + place) % 4),
                    score=0.1 * ((n + place) % 3),
                )
                for place, noun in enumerate(nouns)
            ),
        )
        for n in range(count)
    ]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "kgdb.lab.training.expert.expert_training.load_states",
        lambda *_: EncoderStates(BagOfWords()),
    )
    file = tmp_path / "rows.jsonl"
    write_evidence(file, rows())
    return file


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / "expert.safetensors").read_bytes()).hexdigest()


def test_a_label_is_between_being_gold_and_being_similar() -> None:
    assert label(piece("a", gold=True, similarity=0.5), 0.8) == pytest.approx(0.9)
    assert label(piece("a", similarity=0.5), 0.8) == pytest.approx(0.1)
    assert label(piece("a", gold=True, similarity=0.5), 0.0) == pytest.approx(0.5)
    assert label(piece("a", similarity=-0.5), 0.0) == 0.0


def test_the_error_is_the_mean_squared_one() -> None:
    scores, labels = torch.tensor([0.5, 1.0, 0.0]), torch.tensor([1.0, 1.0, 0.5])
    assert squared_error(scores, labels).item() == pytest.approx((0.25 + 0 + 0.25) / 3)


def test_rows_that_teach_nothing_are_dropped_with_the_reason() -> None:
    far = [piece(f"n{n}", similarity=0.9) for n in range(10)]
    given = [
        *rows(),
        rows()[0],
        row("a", piece("x")),
        row("b", piece("x", gold=True)),
        row("c", *far, piece("x", gold=True, similarity=0.1)),
    ]
    found = examples_of(given, SMALL)
    assert found.report.dropped == {TWICE: 1, NO_GOLD: 1, NO_NOISE: 1, FAR: 1}
    assert found.report.training + found.report.held_back == 40
    assert {r.query for r in found.training}.isdisjoint(r.query for r in found.held_back)
    near = examples_of(given, replace(SMALL, top_k=11))
    assert FAR not in near.report.dropped


def test_pieces_that_are_called_gold_and_noise_are_dropped() -> None:
    poisoned = rows()
    poisoned[3] = replace(
        poisoned[3],
        evidence=(*poisoned[3].evidence, replace(poisoned[3].evidence[0], gold=True)),
    )
    found = examples_of(poisoned, SMALL)
    assert found.report.contradictions == 1
    kept = {p.facts for r in (*found.training, *found.held_back) for p in r.evidence}
    assert poisoned[3].evidence[0].facts not in kept


def test_anomalous_similarities_are_dropped_from_what_is_trained_on() -> None:
    odd = piece("the odd one", similarity=-1.0)
    given = [replace(each, evidence=(*each.evidence, odd)) if n == 0 else each
             for n, each in enumerate(rows())]  # fmt: skip
    found = examples_of(given, replace(SMALL, held_back=0.1))
    assert found.report.outliers == 1
    assert all(odd not in each.evidence for each in found.training)
    assert examples_of(given, replace(SMALL, held_back=0.1, outliers=50)).report.outliers == 0


def test_a_corpus_that_is_too_small_is_refused() -> None:
    with pytest.raises(UsageError, match="usable queries to train on") as failure:
        examples_of([*rows(3), row("a", piece("x"))], SMALL)
    assert "no evidence is gold (1)" in str(failure.value)
    assert "Expected at least 8" in (failure.value.hint or "")


def scored(*values: Sequence[float]) -> list[Any]:
    return [np.array(each, np.float32) for each in values]


GOLD_FIRST = [row(str(n), piece("g", gold=True), piece("n")) for n in range(10)]


def test_the_threshold_is_the_highest_that_keeps_enough_of_the_gold() -> None:
    scores = scored(*([(n + 1) / 10, 0.05] for n in range(10)))
    assert threshold_for(scores, GOLD_FIRST, 1.0) == pytest.approx(0.1, abs=1e-5)
    assert threshold_for(scores, GOLD_FIRST, 0.9) == pytest.approx(0.2, abs=1e-5)
    assert threshold_for(scores, GOLD_FIRST, 0.85) == pytest.approx(0.2, abs=1e-5)
    found = measures(scores, GOLD_FIRST, threshold_for(scores, GOLD_FIRST, 0.9), 0.0)
    assert found == {"gold kept": 0.9, "noise kept": 0.0, "first": 1.0}


def test_the_weight_is_the_least_that_puts_the_right_chain_first_most_often() -> None:
    wrong = row("q", piece("g", gold=True, score=0.5), piece("n", score=0.6))
    assert weight_for(scored([0.9, 0.3]), [wrong]) == 0.2
    assert measures(scored([0.9, 0.3]), [wrong], 0.5, 0.2)["ranked"] == 1.0
    # The expert is wrong, the chains' own scores are right.
    right = row("q", piece("g", gold=True, score=0.6), piece("n", score=0.5))
    assert weight_for(scored([0.1, 0.9]), [right]) == 0.0
    # Claims have no chains.
    assert weight_for(scored([0.9, 0.1]), [row("q", piece("g", gold=True), piece("n"))]) == 0.0


def test_an_expert_learns_what_similarity_does_not_say(corpus: Path, tmp_path: Path) -> None:
    events: list[Event] = []
    output = tmp_path / "expert"
    settings = replace(SMALL, width=64, epochs=80, learning_rate=0.005, patience=0, dropout=0.0)
    trained = train_expert(corpus, output, MODELS, settings, report=events.append)
    assert trained.after["first"] == 1.0 > trained.before["first"]
    assert trained.after["ranked"] == 1.0 > trained.before["ranked"]
    assert trained.after["noise kept"] < trained.before["noise kept"]
    assert {path.name for path in output.iterdir()} == {
        "README.md", "config.json", "expert.safetensors", "loss.png", "training.json",
    }  # fmt: skip
    assert read_config(output) == trained.config
    assert trained.config.graphs == ("films",)
    card = (output / "README.md").read_text("utf-8")
    assert "| films | made \\| up | CC0 | 40 |" in card
    assert f"| noise kept | {trained.before['noise kept']:.1%} |" in card
    assert "| seed | 0 |" in card
    told = json.loads((output / "training.json").read_text("utf-8"))
    assert told["measures"]["expert"] == trained.after
    assert str(tmp_path) not in card + json.dumps(told)
    texts = [event.text for event in events if isinstance(event, Message)]
    assert texts[0].startswith("40 rows: ")
    assert any("on the evidence held back" in text for text in texts)
    states = EncoderStates(BagOfWords()).states(
        [("who wrote film 99?", f"the {noun} of film 99: y") for noun in WORDS]
    )
    scores = read_network(output).scores(states)
    assert list(WORDS)[int(scores.argmax())] == "writer"


def test_the_papers_labels_teach_similarity_alone(corpus: Path, tmp_path: Path) -> None:
    trained = train_expert(corpus, tmp_path / "out", MODELS, replace(SMALL, gold_share=0.0))
    assert trained.after["first"] < 1.0


def test_a_run_that_was_stopped_goes_on_to_the_same_weights(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train_expert(corpus, tmp_path / "whole", MODELS, SMALL)
    train_expert(corpus, tmp_path / "other", MODELS, replace(SMALL, seed=1))

    def stop(event: Event) -> None:
        if isinstance(event, Message) and event.text.startswith("Epoch 3"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_expert(corpus, tmp_path / "stopped", MODELS, SMALL, report=stop)
    assert not (tmp_path / "stopped" / "training.json").exists()
    # What takes longest is not done again.
    monkeypatch.setattr(EncoderStates, "states", None)
    events: list[Event] = []
    train_expert(corpus, tmp_path / "stopped", MODELS, SMALL, report=events.append)
    assert "Going on from epoch 3." in [e.text for e in events if isinstance(e, Message)]
    assert digest(tmp_path / "stopped") == digest(tmp_path / "whole") != digest(tmp_path / "other")
    assert not (tmp_path / "stopped" / "run").exists()


def test_training_stops_early_and_keeps_the_best(corpus: Path, tmp_path: Path) -> None:
    settings = replace(SMALL, epochs=60, learning_rate=0.2, patience=2)
    trained = train_expert(corpus, tmp_path / "out", MODELS, settings)
    assert len(trained.history) < 60
    errors = [each["eval_loss"] for each in trained.history]
    assert errors[trained.best_epoch - 1] == min(errors)


def test_a_folder_that_holds_something_else_is_left_alone(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty"):
        train_expert(corpus, tmp_path / "mine", MODELS, SMALL)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["mine.txt"]


def test_an_adapter_for_chains_is_no_encoder_of_evidence(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read the vectors of 'minilm"):
        train_expert(corpus, tmp_path / "out", replace(MODELS, encoder="minilm+x"), SMALL)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"epochs": 0}, "epochs is 0"),
        ({"learning_rate": float("nan")}, "learning_rate is nan"),
        ({"gold_share": 1.5}, "gold_share is 1.5"),
        ({"hidden": "both"}, "hidden is 'both'"),
    ],
)
def test_settings_that_no_training_can_have_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said) as failure:
        replace(SMALL, **change)
    assert (failure.value.hint or "").startswith("Expected")
