"""A server that is killed while it is asked: every question tells so, and soon."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import kgdb
from kgdb import loading
from kgdb.errors import ConnectionFailed
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings
from kgdb.values import Stage

pytestmark = [
    pytest.mark.integration,
    pytest.mark.endurance,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

QUESTIONS = [f"Who wrote [The Tuesday Engine] in {year}?" for year in range(1900, 2000)]
WRITERS = {"Nell Castlebrook", "Ruben Okonjo-Hale"}
BOUND_S = 30
"""The last try to reconnect comes after 18 s at most; the rest is for a machine that is busy."""


@pytest.fixture
def local(home: Path) -> Iterator[Settings]:
    """A server of its own, which is killed."""
    settings = load_settings(
        {"KGDB_HOME": str(home)}, instance="lost", heap="512m", page_cache="128m"
    )
    yield settings
    LocalServer(settings).reset()


def test_a_server_killed_in_a_batch_fails_it_at_once_and_is_used_again_when_it_is_back(
    local: Settings,
) -> None:
    server = LocalServer(local)
    endpoint = server.start()
    pid, port = server.status().pid, int(endpoint.uri.rpartition(":")[2])
    assert pid
    killed: list[float] = []

    def kill(question: str, stage: Stage) -> None:
        if not killed:
            os.kill(pid, signal.SIGKILL)
            killed.append(time.monotonic())

    with kgdb.connect(endpoint.uri, username=endpoint.username, password=endpoint.password) as db:
        with loading.prepare(loading.read_spec("demo")) as prepared:
            loading.load(prepared, db)
        reasoner = db.graph("demo").reasoner("refkg", llm="none", watch=kill)
        answers = reasoner.answers(QUESTIONS)
        took = time.monotonic() - killed[0]
        print(f"\n{len(answers)} questions ended {took:.1f} s after the server was killed")
        assert took < BOUND_S
        for answer in answers:
            assert isinstance(answer.error, ConnectionFailed)
            assert f"The server at {endpoint.uri} went away" in answer.error.message
            assert "when it answers" in (answer.error.hint or "")
        LocalServer(replace(local, bolt_port=port)).start()
        for answer in reasoner.answers(QUESTIONS[:2]):
            assert answer.error is None
            assert {answered.entity.name for answered in answer.entities} == WRITERS
