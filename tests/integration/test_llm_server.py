"""A real OpenAI-compatible server, ``transformers serve``, with the default language model.

It keeps replies to nothing, so it is also what the ways of asking in words are held against.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import serving

from kgdb.errors import ModelError
from kgdb.language import Completion, CompletionRequest, LanguageModel, load_llm
from kgdb.language.local.smollm2 import weights
from kgdb.progress import Event, Message, silent
from kgdb.settings import load_settings
from tests.unit.outcomes import complete

pytestmark = pytest.mark.integration

_STARTING = 120
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


@pytest.fixture(scope="module")
def folder(home: Path) -> Path:
    return weights(home / "models", silent)


@pytest.fixture(scope="module")
def url(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that has one model, under the name of its folder."""
    log = tmp_path_factory.mktemp("serve") / "log.txt"
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(folder)]
    command += ["--device", "cpu", "--dtype", "float32"]
    with serving(command, log, _STARTING, OMP_NUM_THREADS="1") as address:
        yield address


@pytest.fixture
def said() -> list[Event]:
    return []


@pytest.fixture
def model(home: Path, folder: Path, url: str, said: list[Event]) -> LanguageModel:
    settings = load_settings({"KGDB_HOME": str(home)}, llm=f"openai:{folder}@{url}")
    loaded = load_llm(settings, said.append)
    assert loaded is not None
    return loaded


def test_it_writes_what_it_is_asked_and_counts_tokens(model: LanguageModel) -> None:
    (found,) = complete(
        model, CompletionRequest("What is the capital of France? Reply in one word.", max_tokens=24)
    )
    assert "Paris" in found.text
    assert found.tokens_in > 10
    assert 0 < found.tokens_out <= 24


def test_it_is_cut_off_where_it_is_told(model: LanguageModel) -> None:
    (found,) = complete(model, CompletionRequest("Count from one to fifty in words.", max_tokens=5))
    assert found.finish == "length"
    assert found.tokens_out == 5


def test_it_continues_a_text_and_stops_where_it_is_told(model: LanguageModel) -> None:
    text = "Monday, Tuesday, Wednesday, Thursday,"
    (found,) = complete(model, CompletionRequest(text, max_tokens=8, continues=True, stop=(",",)))
    assert found.text == "Friday"


def test_what_is_not_in_the_form_asked_for_is_an_error_of_that_ask(
    model: LanguageModel, said: list[Event]
) -> None:
    """Unheld, a model of this size writes sentences about the choices: none of them is taken."""
    choosing = CompletionRequest("Is Paris in France?", choices=("yes", "no"))
    listing = CompletionRequest(
        "Which city is the capital of France?", max_tokens=60, schema=SCHEMA
    )
    chosen, listed, written = model.complete(
        [choosing, listing, CompletionRequest("Hello!", max_tokens=8)]
    )
    assert isinstance(chosen, ModelError)
    assert "asked for one of 2 choices" in chosen.message
    assert "Paris" in chosen.message
    assert isinstance(listed, ModelError)
    assert "asked for JSON of a given form" in listed.message
    assert isinstance(written, Completion)
    (message,) = said
    assert isinstance(message, Message)
    assert "does not keep replies to a JSON schema" in message.text


def test_a_model_that_it_does_not_have_is_one_error(home: Path, url: str) -> None:
    settings = load_settings({"KGDB_HOME": str(home)}, llm=f"openai:no-such-model@{url}")
    model = load_llm(settings)
    assert model is not None
    with pytest.raises(ModelError, match="no-such-model") as refusal:
        complete(model, CompletionRequest("Hello?"))
    assert "name of the model" in (refusal.value.hint or "")


def test_asked_at_once_or_one_by_one_it_says_the_same(model: LanguageModel) -> None:
    requests = [
        CompletionRequest(f"Repeat the word {word}.", max_tokens=6)
        for word in ("red", "blue", "green")
    ]
    assert model.complete(requests) == [complete(model, ask)[0] for ask in requests]
