"""The default language model with a LoRA adapter: what is merged is what peft merges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny import tiny_adapter

from kgdb.errors import ModelMissing
from kgdb.language import catalog, load_llm
from kgdb.language.local.llama import load_llama
from kgdb.language.local.weights import load_weights
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]

PROMPT = torch.tensor([[5, 17, 300, 42, 8, 9]])


@pytest.fixture(scope="module")
def adapter(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_adapter(tiny_folder, tmp_path_factory.mktemp("adapter"))


def changed(adapter: Path, folder: Path, **config: Any) -> Path:
    for file in adapter.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    file = folder / "adapter_config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | config), encoding="utf-8")
    return folder


def test_the_merged_weights_compute_what_the_library_computes(
    tiny_folder: Path, adapter: Path
) -> None:
    own = load_llama(tiny_folder, "float32", str(adapter)).model(PROMPT).logits
    library = load_weights(str(tiny_folder), str(adapter), "float32").model(PROMPT).logits
    plain = load_llama(tiny_folder, "float32").model(PROMPT).logits
    torch.testing.assert_close(own, library.detach(), atol=1e-4, rtol=1e-4)
    assert (own - plain).abs().max() > 0.01


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"use_dora": True}, "use_dora True"),
        ({"use_rslora": True}, "use_rslora True"),
        ({"peft_type": "IA3"}, "peft_type 'IA3'"),
        ({"modules_to_save": ["lm_head"]}, "has modules_to_save"),
        ({"rank_pattern": {"q_proj": 8}}, "has rank_pattern"),
    ],
)
def test_an_adapter_of_another_kind_is_refused(
    tiny_folder: Path, adapter: Path, tmp_path: Path, config: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        load_llama(tiny_folder, "float32", str(changed(adapter, tmp_path, **config)))


def test_weights_that_are_no_lora_are_refused(
    tiny_folder: Path, adapter: Path, tmp_path: Path
) -> None:
    folder = changed(adapter, tmp_path)
    file = folder / "adapter_model.safetensors"
    save_file(load_file(file) | {"base_model.model.lm_head.weight": torch.zeros(2, 2)}, file)
    with pytest.raises(ValueError, match=r"no LoRA: base_model\.model\.lm_head"):
        load_llama(tiny_folder, "float32", str(folder))


def test_the_default_model_takes_an_adapter_by_name(
    monkeypatch: pytest.MonkeyPatch, tiny_folder: Path, adapter: Path
) -> None:
    monkeypatch.setattr(catalog, "_smollm2_folder", lambda *_: tiny_folder)
    settings = Settings(home=Path("nowhere"), llm=f"smollm2+{adapter}")
    model = load_llm(settings)
    assert model is not None
    assert model.name == f"SmolLM2-135M-Instruct+{adapter}"
    plain = load_llm(Settings(home=Path("nowhere"), llm="smollm2"))
    assert model is not plain
    assert catalog._identity(settings, model) != catalog._identity(
        Settings(home=Path("nowhere"), llm="smollm2"), model
    )


def test_an_adapter_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, tiny_folder: Path
) -> None:
    monkeypatch.setattr(catalog, "_smollm2_folder", lambda *_: tiny_folder)
    with pytest.raises(ModelMissing, match=r"no model at \./nowhere"):
        load_llm(Settings(home=Path("nowhere"), llm="smollm2+./nowhere"))
