"""The relation encoder: the loss of GoT-R, the rows that are taken, and the adapter."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from kgdb.errors import UsageError
from kgdb.lab.training.corpus import HELD_BACK, RelationRow
from kgdb.lab.training.relations.compression import write_adapter
from kgdb.lab.training.relations.loss import PrototypeContrastiveLoss
from kgdb.lab.training.relations.prototypes import Prototypes, cluster
from kgdb.lab.training.relations.relation_settings import RelationTraining
from kgdb.lab.training.relations.relation_training import train_relations
from kgdb.lab.training.relations.rows_for_training import COPIES, columns, split
from kgdb.language.model_catalog import load_encoder, load_relation_encoder, minilm_folder
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

SETTINGS = RelationTraining(held_back=0.0, batch_size=8, precision="float32")
VERBS = ("directed", "wrote", "scored", "produced")
ENDS = ("film", "book", "song", "play", "opera", "game")


def row(question: str, *chain: str, negative: str = "the end of this") -> RelationRow:
    return RelationRow(question, chain, (f"the {' of the '.join(chain)} of this",), ((negative,),))


ROWS = [
    row(f"who {verb} the {end} {n}that this likes?", end, verb, negative=f"the {end} of this")
    for verb in VERBS
    for end in ENDS
    for n in ("", "really ")
]


class Rows(torch.nn.Module):
    """An encoder whose vectors are given."""

    def forward(self, features: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        return {"sentence_embedding": features["vectors"]}


def loss_of(vectors: list[list[list[float]]], chains: list[int], **given: object) -> float:
    loss = PrototypeContrastiveLoss(Rows(), torch.tensor(chains), 0.5, 1.0)  # type: ignore[arg-type]
    loss.prototypes = given.get("prototypes")  # type: ignore[assignment]
    features = [{"vectors": torch.tensor(each)} for each in vectors]
    return float(loss(features, torch.arange(len(chains))))


def test_the_loss_is_that_of_equation_2() -> None:
    questions, right = [[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.6, 0.8]]
    expected = sum(
        -math.log(math.exp(own / 0.5) / (math.exp(own / 0.5) + math.exp(other / 0.5)))
        for own, other in ((1.0, 0.6), (0.8, 0.0))
    )
    assert loss_of([questions, right], [0, 1]) == pytest.approx(expected / 2)


def test_the_same_chain_elsewhere_in_the_batch_is_no_negative() -> None:
    questions, right = [[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.6, 0.8]]
    assert loss_of([questions, right], [7, 7]) == pytest.approx(0.0)


def test_prototypes_pull_to_the_own_cluster_by_its_concentration() -> None:
    found = Prototypes(
        np.array([0, 1]),
        np.array([[1.0, 0.0], [0.0, 1.0]], np.float32),
        np.array([0.5, 0.25], np.float32),
        np.array([[1], [0]]),
    )
    questions = [[1.0, 0.0], [1.0, 0.0]]
    without = loss_of([questions, questions], [3, 3])
    own = -math.log(math.exp(1 / 0.5) / (math.exp(1 / 0.5) + 1))
    other = -math.log(1 / (1 + math.exp(1 / 0.5)))
    found_loss = loss_of([questions, questions], [3, 3], prototypes=found)
    assert found_loss == pytest.approx(without + (own + other) / 2)


def test_clusters_have_the_mean_of_their_chains_and_a_mean_concentration_of_tau() -> None:
    dice = np.random.default_rng(1)
    centres = np.eye(6, dtype=np.float32)[[0, 0, 1, 1, 2, 2] * 10]
    questions = centres + dice.normal(0, 0.01, centres.shape).astype(np.float32)
    found = cluster(
        questions, centres, clusters=3, nearest=1, temperature=0.05, smoothing=10.0, seed=0
    )
    assert len(found.vectors) == 3
    for number, centre in zip(found.cluster, centres, strict=True):
        assert found.vectors[number] == pytest.approx(centre, abs=1e-6)
    assert found.concentration.mean() == pytest.approx(0.05, rel=0.01)
    assert all(mine not in row for mine, row in enumerate(found.nearest.tolist()))


def test_rows_that_contradict_are_left_out_and_copies_are_few() -> None:
    again = [replace(ROWS[0], negatives=((f"the {n} of this",),)) for n in range(COPIES + 2)]
    wrong = replace(ROWS[0], chain=("poisoned",))
    parted = split([*ROWS[1:], *again, wrong], SETTINGS)
    assert parted.data.dropped == {
        "the same question and chain again": 2,
        "another chain for a question that has one": 1,
    }
    assert wrong not in parted.training


def test_what_a_corpus_holds_back_is_not_trained_on() -> None:
    held = replace(ROWS[0], source=HELD_BACK)
    parted = split([*ROWS[1:], held], SETTINGS)
    assert parted.dev == (held,)
    some = replace(SETTINGS, held_back=0.3)
    assert split(ROWS, some).dev == split(reversed(ROWS), some).dev != ()
    few = replace(some, dev_rows=2)
    assert split(ROWS, few).dev == split(ROWS, some).dev[:2]
    assert split(ROWS, few).training == split(ROWS, some).training


def test_without_hard_negatives_the_chains_of_others_are_taken() -> None:
    given = columns(ROWS, replace(SETTINGS, hard_negatives=False))
    own = {text for each in ROWS for text in each.wordings}
    assert set(given["negative_1"]) <= own
    assert set(columns(ROWS, SETTINGS)["negative_1"]).isdisjoint(own)


def test_an_empty_corpus_and_wrong_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="0 different rows"):
        split([], SETTINGS)
    with pytest.raises(UsageError, match="epochs is 0"):
        RelationTraining(epochs=0)
    (tmp_path / "mine").write_text("x")
    with pytest.raises(UsageError, match="is not empty"):
        train_relations(ROWS, minilm_folder(), tmp_path, SETTINGS)
    assert [file.name for file in tmp_path.iterdir()] == ["mine"]


def test_an_adapter_is_the_difference_at_full_rank(tmp_path: Path) -> None:
    before = {"a.weight": torch.eye(4), "a.bias": torch.zeros(4)}
    after = {"a.weight": torch.eye(4) + torch.ones(4, 4), "a.bias": torch.full((4,), 0.5)}
    write_adapter(before, after, tmp_path, rank=1)
    from kgdb.language.encoders.adapter import adapted

    found = adapted({name: value.numpy() for name, value in before.items()}, tmp_path)
    for name, value in after.items():
        assert found[name] == pytest.approx(value.numpy(), abs=1e-3)


def test_a_training_puts_the_right_chain_first_and_its_adapter_is_used(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    settings = replace(SETTINGS, epochs=3, learning_rate=3e-4)
    trained = train_relations(ROWS[::2], minilm_folder(), folder, settings)
    losses = [log["loss"] for log in trained.history if "loss" in log]
    assert losses[-1] < losses[0]
    assert (trained.before, trained.after) == ({}, {})
    assert json.loads((folder / "config.json").read_text())["data"]["used"] == len(ROWS) / 2
    settings = Settings(encoder=f"minilm+{folder}")
    tuned, base = load_relation_encoder(settings), load_encoder(settings)
    assert tuned is not None
    assert base.name == load_encoder(Settings()).name != tuned.name
    assert load_relation_encoder(Settings(encoder="minilm:base")) is None

    def margin(encoder: object) -> float:
        texts = [text for each in ROWS for text in (each.question, each.wordings[0])]
        vectors = encoder.encode([*texts, *(each.negatives[0][0] for each in ROWS)])  # type: ignore[attr-defined]
        pairs, wrong = vectors[: 2 * len(ROWS)], vectors[2 * len(ROWS) :]
        asked, right = pairs[0::2], pairs[1::2]
        return float((np.sum(asked * right, 1) - np.sum(asked * wrong, 1)).mean())

    assert margin(tuned) > margin(base) + 0.05


def test_an_adapter_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no adapter"):
        load_relation_encoder(Settings(encoder=f"minilm+{tmp_path}"))
    save_file({"x.weight.add": torch.ones(2)}, tmp_path / "adapter.safetensors")
    with pytest.raises(UsageError, match="does not fit"):
        load_relation_encoder(Settings(encoder=f"minilm+{tmp_path}"))
