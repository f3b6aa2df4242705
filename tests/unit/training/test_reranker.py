"""The reranker of chains: its rows, its loss, its runs, and the adapter in use."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file

from kgdb.errors import UsageError
from kgdb.language import load_chain_reranker, load_cross_encoder, reranker_base, reranker_parts
from kgdb.language.encoders.minilm import MiniLM
from kgdb.language.encoders.pair_model import tuned, untuned
from kgdb.language.encoders.pair_weights import COSINE
from kgdb.progress import Event, Message
from kgdb.settings import Settings
from kgdb.training.corpus import HELD_BACK, RelationRow
from kgdb.training.reranker.card import TrainedReranker
from kgdb.training.reranker.groups import columns, drawn
from kgdb.training.reranker.loss import ChoiceLoss
from kgdb.training.reranker.settings import RerankerTraining
from kgdb.training.reranker.training import train_reranker

pytestmark = [pytest.mark.unit, pytest.mark.slow]

SETTINGS = RerankerTraining(
    epochs=10, batch_size=8, negatives=2, learning_rate=3e-3, evaluations=1, held_back=0.0,
    patience=0, precision="float32",
)  # fmt: skip
VERBS = {"directed": "director", "wrote": "writer", "scored": "composer", "made": "producer"}
ENDS = ("film", "book", "song", "play")
HOW = ("", "really", "never")


def wordings(noun: str, end: str) -> tuple[str, str]:
    return f"the {noun} of the {end} of this", f"who is the {noun} of the {end} of this"


def rows() -> list[RelationRow]:
    return [
        RelationRow(
            f"who {verb} the {end} that this {how} likes",
            (f"^{end}", noun),
            wordings(noun, end),
            tuple(wordings(other, end) for other in VERBS.values() if other != noun),
            "made | up",
            HELD_BACK if how == "never" else "mine",
            licence="CC0",
        )
        for verb, noun in VERBS.items()
        for end in ENDS
        for how in HOW
    ]  # fmt: skip


def tiny(folder: Path, labels: int = 1) -> Path:
    """A cross-encoder over the words of the rows, its weights at random."""
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    texts = [text for row in rows() for each in (row.wordings, *row.negatives) for text in each]
    words = " ".join([*texts, *(row.question for row in rows())]).split()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {word: i for i, word in enumerate(dict.fromkeys([*special, *sorted(words)]))}
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        num_labels=labels,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.2,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=vocabulary).save_pretrained(folder)
    return folder


Trained = tuple[TrainedReranker, Path, Path, list[Event]]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    home = tmp_path_factory.mktemp("trained")
    base = tiny(home / "tiny")
    events: list[Event] = []
    result = train_reranker(
        rows(), reranker_base(f"hf:{base}"), home / "out", SETTINGS, events.append
    )
    return result, base, home / "out", events


class Told(torch.nn.Module):
    """A cross-encoder whose scores are given by the second text."""

    device = torch.device("cpu")

    def preprocess(self, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
        return {"given": torch.tensor([[float(text)] for _, text in pairs])}

    def forward(self, features: dict[str, Any]) -> dict[str, Any]:
        return {"scores": features["given"]}


def test_the_loss_is_the_cross_entropy_of_the_right_chain() -> None:
    loss = ChoiceLoss(Told())  # type: ignore[arg-type]
    found = loss([["a", "b"], ["2", "0"], ["1", "0"], ["0", "3"]])
    first = -math.log(math.exp(2) / (math.exp(2) + math.e + 1))
    second = -math.log(1 / (2 + math.exp(3)))
    assert float(found) == pytest.approx((first + second) / 2)


def test_a_question_is_read_with_its_own_negatives_and_others_beyond_them() -> None:
    given = columns(rows(), replace(SETTINGS, negatives=4))
    assert set(given) == {"question", "chain", *(f"negative_{n}" for n in (1, 2, 3, 4))}
    for number, row in enumerate(rows()):
        assert given["chain"][number] in row.wordings
        read = [given[f"negative_{n}"][number] for n in (1, 2, 3, 4)]
        assert all(any(text in own for text in read[:3]) for own in row.negatives)
        assert read[3] not in row.wordings
    assert columns(rows(), SETTINGS) == columns(rows(), SETTINGS)
    assert columns(rows(), SETTINGS) != columns(rows(), replace(SETTINGS, seed=1))


def test_of_a_large_corpus_some_rows_are_drawn() -> None:
    few = drawn(rows(), replace(SETTINGS, max_rows=20))
    assert len(set(few)) == 20
    assert set(few) <= set(rows())
    assert few != drawn(rows(), replace(SETTINGS, max_rows=20, seed=1))
    assert drawn(rows(), SETTINGS) == tuple(rows())


def test_training_puts_the_right_chain_first(trained: Trained) -> None:
    result, _, _, events = trained
    assert result.after["first"] > result.before["first"]
    assert result.after["loss"] < result.before["loss"]
    told = [event.text for event in events if isinstance(event, Message)]
    assert told[0] == "32 rows of 48 to tune on, 16 to measure."
    assert any("s left" in text for text in told)


def test_the_folder_holds_weights_without_code_a_picture_and_a_card(trained: Trained) -> None:
    result, base, folder, _ = trained
    assert {path.name for path in folder.iterdir()} == {
        "README.md", "adapter.safetensors", "config.json", "loss.png",
    }  # fmt: skip
    card = (folder / "README.md").read_text("utf-8")
    assert "| made \\| up | mine | CC0 | 32 |" in card
    assert f"| first | {result.before['first']:.1%} | {result.after['first']:.1%} |" in card
    assert "--reranker hf:tiny+FOLDER" in card
    told = json.loads((folder / "config.json").read_text("utf-8"))
    assert told["scores"]["after"] == result.after
    assert told["trained_for"]["graph"] == "made | up"
    for text in (card, json.dumps(told)):
        assert str(base.parent) not in text


def test_the_adapter_is_used_by_its_name_for_chains_alone(trained: Trained) -> None:
    result, base, folder, _ = trained
    settings = Settings(reranker=f"hf:{base}+{folder}")
    reranker = load_chain_reranker(settings)
    assert reranker is not None
    assert reranker.name.startswith(f"{base}+out@")
    held = [row for row in rows() if row.source == HELD_BACK]
    right = 0
    for row in held:
        pairs = [(row.question, text) for each in (row.wordings, *row.negatives) for text in each]
        scores = reranker.scores(pairs)
        own, *others = (one + two for one, two in zip(scores[0::2], scores[1::2], strict=True))
        right += own > max(others)
    assert right / len(held) == result.after["first"]
    assert load_chain_reranker(Settings(reranker=f"hf:{base}")) is None
    assert load_chain_reranker(Settings()) is None


def test_the_same_training_gives_the_same_weights_also_if_it_is_interrupted(
    trained: Trained, tmp_path: Path
) -> None:
    _, base, folder, _ = trained

    class Stopped(Exception):
        pass

    def stop(event: Event) -> None:
        if isinstance(event, Message) and event.text.startswith("Step 20 "):
            raise Stopped

    with pytest.raises(Stopped):
        train_reranker(rows(), reranker_base(f"hf:{base}"), tmp_path / "out", SETTINGS, stop)
    events: list[Event] = []
    again = train_reranker(
        rows(), reranker_base(f"hf:{base}"), tmp_path / "out", SETTINGS, events.append
    )
    told = [event.text for event in events if isinstance(event, Message)]
    assert any(text.startswith("Going on from step 1") for text in told)
    assert digest(again.folder) == digest(folder)


def digest(folder: Path) -> str:
    return hashlib.sha256((folder / "adapter.safetensors").read_bytes()).hexdigest()


PAIRS = [
    ("who directed this", "the director of this"),
    ("a", "the price of all the tea in a text that is longer than the other"),
    ("who wrote the films that this acted in?", "x"),
]


def test_the_default_encoder_begins_as_the_cosine_of_both_texts() -> None:
    base = reranker_base("minilm")
    assert base.start is not None
    vectors = MiniLM(Path(base.source), base.start)([text for pair in PAIRS for text in pair])
    cosines = (vectors[0::2] * vectors[1::2]).sum(axis=1)
    scores = untuned(base.source, base.start).predict(PAIRS, show_progress_bar=False)
    assert scores == pytest.approx(COSINE * cosines, abs=1e-3)


def test_the_head_of_the_default_encoder_learns(tmp_path: Path) -> None:
    settings = replace(SETTINGS, epochs=3, learning_rate=2e-3, rank=4)
    result = train_reranker(rows(), reranker_base("minilm:base"), tmp_path / "out", settings)
    assert result.used_as == "minilm+"
    assert result.after["loss"] < result.before["loss"] - 0.1
    assert result.bytes < 4 * 2**20
    reranker = load_chain_reranker(Settings(reranker=f"minilm+{tmp_path / 'out'}"))
    assert reranker is not None
    row = rows()[0]
    right, wrong = reranker.scores(
        [(row.question, text) for text in (row.wordings[0], row.negatives[0][0])]
    )
    assert right > wrong
    library = tuned(reranker_base("minilm:base").source, tmp_path / "out")
    expected = library.predict(PAIRS, show_progress_bar=False)
    assert reranker.scores([*PAIRS, PAIRS[0]])[:-1] == pytest.approx(expected, abs=1e-2)
    assert reranker.scores([]) == []


def test_what_is_no_adapter_of_a_reranker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no adapter of a reranker"):
        load_chain_reranker(Settings(reranker=f"minilm+{tmp_path}"))
    save_file({"x.weight.add": torch.ones(2)}, tmp_path / "adapter.safetensors")
    with pytest.raises(UsageError, match="does not fit"):
        load_chain_reranker(Settings(reranker=f"minilm+{tmp_path}"))
    shipped = reranker_base("minilm").start
    with pytest.raises(UsageError, match="has no head of a reranker"):
        load_chain_reranker(Settings(reranker=f"minilm+{shipped}"))
    with pytest.raises(UsageError, match="names no reranker"):
        load_cross_encoder(Settings(reranker="bge"))
    with pytest.raises(UsageError, match="nothing that a reranker can be tuned from"):
        reranker_base("bge")


def test_a_base_without_a_head_is_refused(tmp_path: Path) -> None:
    base = tiny(tmp_path / "tiny")
    config = json.loads((base / "config.json").read_text("utf-8"))
    (base / "config.json").write_text(json.dumps({**config, "architectures": ["BertModel"]}))
    with pytest.raises(UsageError, match="is no cross-encoder"):
        train_reranker(rows(), reranker_base(f"hf:{base}"), tmp_path / "out", SETTINGS)


def test_a_plus_in_the_name_of_a_folder_is_no_adapter(tmp_path: Path) -> None:
    folder = tmp_path / "a+b"
    assert reranker_parts(f"hf:{folder}") == (f"hf:{tmp_path / 'a'}", Path("b"))
    folder.mkdir()
    assert reranker_parts(f"hf:{folder}") is None
    assert reranker_parts("minilm+x") == ("minilm", Path("x"))
    assert reranker_parts("encoder") is None
