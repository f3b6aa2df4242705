"""The default language model with a LoRA adapter, by its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import complete
from tiny import tiny_adapter

from kgdb.errors import ModelMissing
from kgdb.language import CompletionRequest, load_llm, model_catalog
from kgdb.settings import Settings

pytestmark = [pytest.mark.unit, pytest.mark.slow]


@pytest.fixture(autouse=True)
def tiny_default(monkeypatch: pytest.MonkeyPatch, tiny_folder: Path) -> None:
    monkeypatch.setattr(model_catalog, "_smollm2_folder", lambda *_: tiny_folder)


def test_the_default_model_takes_an_adapter_by_name(tiny_folder: Path, tmp_path: Path) -> None:
    adapter = tiny_adapter(tiny_folder, tmp_path)
    settings = Settings(home=Path("nowhere"), llm=f"smollm2+{adapter}")
    model = load_llm(settings)
    assert model is not None
    assert model.name == f"SmolLM2-135M-Instruct+{adapter}"
    plain = load_llm(Settings(home=Path("nowhere"), llm="smollm2"))
    assert plain is not None
    ask = CompletionRequest("Who?", choices=("the director of this", "Ada"))
    assert complete(model, ask)[0].scores != complete(plain, ask)[0].scores
    assert model_catalog._identity(settings, model) != model_catalog._identity(
        Settings(home=Path("nowhere"), llm="smollm2"), plain
    )


def test_an_adapter_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelMissing, match=r"no model at \./nowhere"):
        load_llm(Settings(home=Path("nowhere"), llm="smollm2+./nowhere"))
