"""An expert that was trained: its network, the states that it reads, and folders that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fakes import BagOfWords
from safetensors.numpy import save_file

from kgdb.errors import ModelMissing, UsageError
from kgdb.language import evidence_text, load_expert
from kgdb.language.experts.trained import (
    EncoderStates,
    ExpertConfig,
    Network,
    TrainedExpert,
    read_config,
    read_network,
)
from kgdb.settings import Settings

pytestmark = pytest.mark.unit

CONFIG = ExpertConfig("encoder", "minilm", 0, 0.4, 0.5, ("films",))


def arrays(inputs: int = 3, width: int = 2) -> dict[str, Any]:
    given = {
        "mean": np.ones(inputs),
        "spread": np.full(inputs, 2.0),
        "hidden.weight": np.array([[1.0] * inputs, [-1.0] * inputs])[:width],
        "hidden.bias": np.zeros(width),
        "out.weight": np.ones(width),
        "out.bias": np.array([-1.0]),
    }
    return {name: each.astype(np.float32) for name, each in given.items()}


def write(folder: Path, config: object = None, **other: Any) -> Path:
    folder.mkdir(exist_ok=True)
    save_file({**arrays(), **other}, folder / "expert.safetensors")
    text = json.dumps(CONFIG.to_dict() if config is None else config)
    (folder / "config.json").write_text(text, encoding="utf-8")
    return folder


def test_a_score_is_the_network_of_the_standardized_state() -> None:
    # (5 - 1) / 2 = 2, three times: 6 through the first unit, 0 through the second; 6 - 1 = 5.
    scores = Network(arrays()).scores(np.array([[5, 5, 5], [1, 1, 1]], np.float32))
    assert scores == pytest.approx([1 / (1 + np.exp(-5)), 1 / (1 + np.exp(1))])


def test_the_states_of_an_encoder_are_both_vectors_and_their_product() -> None:
    encoder = BagOfWords()
    pairs = [("who wrote it", "the writer: Ada"), ("who wrote it", "the year: 1989")]
    states = EncoderStates(encoder).states(pairs)
    query, writer, year = encoder.encode(["who wrote it", "the writer: Ada", "the year: 1989"])
    assert states[0] == pytest.approx(np.concatenate([query, writer, query * writer]))
    assert states[1] == pytest.approx(np.concatenate([query, year, query * year]))


def test_an_expert_names_its_model_and_scores_nothing_of_nothing() -> None:
    expert = TrainedExpert("mine@1", Network(arrays()), EncoderStates(BagOfWords()), CONFIG)
    assert expert.name == "mine@1 on bag of words"
    assert (expert.threshold, expert.weight, expert.graphs) == (0.4, 0.5, ("films",))
    assert expert.scores([]) == []


def test_evidence_is_read_as_one_text() -> None:
    assert evidence_text(["a: b", "b: c"]) == "a: b; b: c"


def test_what_is_written_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "expert")
    assert read_config(folder) == CONFIG
    assert read_network(folder).scores(np.ones((1, 3), np.float32)).shape == (1,)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"hidden": "both"}, "hidden is 'both'"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"threshold": 2}, "threshold is 2"),
        ({"weight": -1}, "weight is -1"),
        ({"weight": "1"}, "weight is '1'"),
        ({"graphs": "films"}, "graphs is a list"),
        ({"model": 3}, "model is a name"),
    ],
)
def test_a_configuration_that_cannot_be_is_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    folder = write(tmp_path / "expert", CONFIG.to_dict() | change)
    with pytest.raises(UsageError, match="holds no expert") as failure:
        read_config(folder)
    assert said in str(failure.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mean": np.ones(4, np.float32)}, "mean has the size 4, where 3 is expected"),
        ({"spread": np.zeros(3, np.float32)}, "not above 0"),
        ({"out.weight": np.ones((2, 2), np.float32)}, "out.weight is no array of 1"),
        ({"out.bias": np.array([np.nan], np.float32)}, "finite"),
    ],
)
def test_weights_that_cannot_be_are_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    folder = write(tmp_path / "expert", **change)
    with pytest.raises(UsageError, match="no expert that can be read") as failure:
        read_network(folder)
    assert said in str(failure.value)


def test_without_a_name_the_encoder_judges_and_a_folder_that_is_none_is_named(
    tmp_path: Path,
) -> None:
    assert load_expert(Settings(home=tmp_path)) is None
    with pytest.raises(UsageError, match="holds no expert"):
        load_expert(Settings(home=tmp_path, expert=str(tmp_path / "nothing")))
    (tmp_path / "expert.safetensors").write_bytes(b"\x80\x04.")
    (tmp_path / "config.json").write_text(json.dumps(CONFIG.to_dict()), encoding="utf-8")
    with pytest.raises(UsageError, match="no expert that can be read"):
        load_expert(Settings(home=tmp_path, expert=str(tmp_path)))


@pytest.mark.slow
@pytest.mark.parametrize("layers", [1, 3, 4])
def test_the_states_of_a_language_model_are_those_of_its_last_tokens(
    tmp_path: Path, layers: int
) -> None:
    import torch
    from tiny import tiny_model

    from kgdb.language.experts.llm_states import LanguageModelStates
    from kgdb.language.local.model_weights import load_weights

    pairs = [("who?", "the writer: Ada"), ("who wrote the longest film of all?", "x")]
    whole = load_weights(str(tiny_model(tmp_path, layers=4)))
    ids = whole.tokenizer(
        "Question: who?\nEvidence: the writer: Ada", return_tensors="pt"
    ).input_ids
    with torch.no_grad():
        alone = whole.model(ids, output_hidden_states=True).hidden_states[layers][0, -1]
    read = LanguageModelStates("tiny", whole, layers)
    assert len(whole.model.model.layers) == min(layers + 1, 4)
    # Beside a longer pair or alone: the same.
    assert read.states(pairs)[0] == pytest.approx(alone.numpy(), abs=1e-5)
    assert read.states(pairs[:1])[0] == pytest.approx(alone.numpy(), abs=1e-5)


@pytest.mark.slow
def test_an_expert_is_loaded_with_its_language_model(tiny_folder: Path, tmp_path: Path) -> None:
    from transformers import AutoConfig

    size = AutoConfig.from_pretrained(tiny_folder).hidden_size
    config = CONFIG.to_dict() | {"hidden": "llm", "model": f"hf:{tiny_folder}", "layers": 1}
    folder = write(tmp_path / "expert", config, **arrays(size))
    expert = load_expert(Settings(home=tmp_path, expert=str(folder)))
    assert expert is not None
    assert expert.name.startswith("expert@")
    assert expert.name.endswith(f"on hf:{tiny_folder}, 1 layers")
    (score,) = expert.scores([("who?", "Ada")])
    assert 0 <= score <= 1
    many = write(tmp_path / "many", config | {"layers": 99}, **arrays(size))
    with pytest.raises((UsageError, ModelMissing), match="layers is 99"):
        load_expert(Settings(home=tmp_path, expert=str(many)))
