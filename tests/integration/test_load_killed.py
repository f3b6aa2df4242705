"""A load resumes after a kill of the client or the server, and ends like an undisturbed load."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import kgdb
from benchmarks.interrupted_load import (
    LABEL,
    NAME,
    add_records,
    content_queries,
    write_loader,
    write_source,
)
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.endurance,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

KILLS = int(os.environ.get("KGDB_TEST_KILLS", "1"))
"""Kills of the client and of the server in each mode; by hand, try more."""


@pytest.fixture(scope="module")
def local(home: Path) -> Iterator[Settings]:
    """The settings of a server that the tests kill."""
    settings = load_settings(
        {"KGDB_HOME": str(home)}, instance="killed", heap="512m", page_cache="128m"
    )
    yield settings
    LocalServer(settings).reset()


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("killed")
    loader, source = write_loader(folder), write_source(folder / "small.tsv", 40_000)
    return [
        *(sys.executable, "-m", "kgdb", "load"),
        *(str(loader), str(source), "--instance", "killed"),
    ]


def environment(settings: Settings) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return kept | {"KGDB_HOME": str(settings.home), "KGDB_HEAP": "512m", "KGDB_PAGE_CACHE": "128m"}


def fingerprint(settings: Settings) -> str:
    """A hash of all stored data of the graph, without the time of its load."""
    endpoint = LocalServer(settings).start()
    digest = hashlib.sha256()
    with kgdb.connect(endpoint.uri, username=endpoint.username, password=endpoint.password) as db:
        (info,) = db.graphs()
        assert info.state == "ready"
        for query in content_queries(LABEL):
            add_records(digest, db.driver.execute_query(query).records)
        for relation in db.graph(NAME).relations.values():
            digest.update(repr(relation).encode())
        described = (info.triples, info.entities, info.relations, info.sha256, info.pagerank)
        digest.update(repr(described).encode())
    return digest.hexdigest()


Undisturbed = Callable[[str], tuple[str, float]]


@pytest.fixture(scope="module")
def undisturbed(local: Settings, command: list[str]) -> Undisturbed:
    """For a mode: the fingerprint of an undisturbed load, and its seconds."""

    @cache
    def of(mode: str) -> tuple[str, float]:
        LocalServer(local).reset()
        LocalServer(local).start()
        began = time.monotonic()
        load(local, [*command, "--mode", mode])
        return fingerprint(local), time.monotonic() - began

    return of


def load(settings: Settings, command: list[str]) -> None:
    ended = subprocess.run(command, env=environment(settings), capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


def test_both_modes_give_the_same_graph(undisturbed: Undisturbed) -> None:
    assert undisturbed("online")[0] == undisturbed("offline")[0]


@pytest.mark.parametrize(
    ("mode", "victim"),
    [("online", "client"), ("online", "server"), ("offline", "client"), ("offline", "server")],
)
def test_the_same_command_resumes_a_killed_load(
    local: Settings,
    command: list[str],
    undisturbed: Undisturbed,
    mode: str,
    victim: str,
) -> None:
    run = [*command, "--mode", mode]
    whole, takes = undisturbed(mode)
    server = LocalServer(local)
    points = random.Random(f"{mode} {victim}")
    for _ in range(KILLS):
        server.reset()
        server.start()
        delay = points.uniform(0.3, takes)
        with subprocess.Popen(
            run, env=environment(local), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            time.sleep(delay)
            if victim == "client":
                process.kill()
            elif pid := server.status().pid:
                os.kill(pid, signal.SIGKILL)
            process.communicate(timeout=120)
        load(local, run)
        assert fingerprint(local) == whole, f"killed after {delay:.2f} s"
