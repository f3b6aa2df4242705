"""How properties are tested here, and what the tests of language models share."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from served import Server, serving

# Without a time limit, for machines that are busy.
settings.register_profile("unit", deadline=None, max_examples=50)
settings.load_profile("unit")


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user has set for the hosted service is not there."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def server(no_key: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that speaks the OpenAI protocol."""
    # To read all certificates takes a tenth of a second, for each client.
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", lambda *given, **named: None)
    with serving() as state:
        yield state


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny language model."""
    from tiny import tiny_model

    return tiny_model(tmp_path_factory.mktemp("tiny"))
