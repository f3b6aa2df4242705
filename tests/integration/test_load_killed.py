"""A load that was killed, or whose server was, ends as an undisturbed one: by the same command."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import kgdb
from kgdb.runtime import LocalServer
from kgdb.settings import Settings, load_settings

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("short_lives")]

KILLS = int(os.environ.get("KGDB_TEST_KILLS", "1"))
"""How often each of client and server is killed, by each way; by hand, more are worth it."""

LOADER = """
name = "small"
label = "Small"
[source]
delimiter = "\\t"
columns = ["head", "relation", "tail", "mentions"]
[tables]
triples = "SELECT head, relation, tail FROM source"
literals = '''
  SELECT head, 'mentions' AS relation, mentions AS value, NULL AS datatype, 'en' AS language
  FROM source'''
entities = '''
  SELECT head AS id, 'the ' || head AS name, [head || '!'] AS aliases, ['Head'] AS labels,
         head LIKE '%7' AS mediator FROM source'''
"""
NODES: Any = """
MATCH (n:Small) RETURN n.id, n.name, n.aliases, n.value, n.language, n.pagerank IS NOT NULL,
COLLECT { UNWIND labels(n) AS label RETURN label ORDER BY label }
"""
TRIPLES: Any = "MATCH (h:Small)-[r]->(t:Small) RETURN h.id, type(r), t.id"


@pytest.fixture(scope="module")
def local(home: Path) -> Iterator[Settings]:
    """A server of its own, which is killed."""
    settings = load_settings(
        {"KGDB_HOME": str(home)}, instance="killed", heap="512m", page_cache="128m"
    )
    yield settings
    LocalServer(settings).reset()


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("killed")
    (folder / "small.toml").write_text(LOADER, encoding="utf-8")
    lines = [f"e{i % 997}\tr{i % 7}\te{(i * i + 1) % 1009}x{i}\t{i % 50}\n" for i in range(40_000)]
    (folder / "small.tsv").write_text("".join(lines), encoding="utf-8")
    return [
        *(sys.executable, "-m", "kgdb", "load"),
        *(str(folder / "small.toml"), str(folder / "small.tsv"), "--instance", "killed"),
    ]


def environment(settings: Settings) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
    return kept | {"KGDB_HOME": str(settings.home), "KGDB_HEAP": "512m", "KGDB_PAGE_CACHE": "128m"}


def fingerprint(settings: Settings) -> str:
    """A hash over all that is stored of the graph, but for when it was loaded."""
    endpoint = LocalServer(settings).start()
    digest = hashlib.sha256()
    with kgdb.connect(endpoint.uri, username=endpoint.username, password=endpoint.password) as db:
        (info,) = db.graphs()
        assert info.state == "ready"
        for query in (NODES, TRIPLES):
            rows = sorted(repr(record.values()) for record in db.driver.execute_query(query)[0])
            digest.update("\n".join(rows).encode())
        for relation in db.graph("small").relations.values():
            digest.update(repr(relation).encode())
        described = (info.triples, info.entities, info.relations, info.sha256, info.pagerank)
        digest.update(repr(described).encode())
    return digest.hexdigest()


@pytest.fixture(scope="module")
def undisturbed(local: Settings, command: list[str]) -> dict[str, tuple[str, float]]:
    """By way: what is stored after a load that nobody disturbs, and the seconds that it takes."""
    found = {}
    for mode in ("online", "offline"):
        LocalServer(local).reset()
        LocalServer(local).start()
        began = time.monotonic()
        load(local, [*command, "--mode", mode])
        found[mode] = (fingerprint(local), time.monotonic() - began)
    return found


def load(settings: Settings, command: list[str]) -> None:
    ended = subprocess.run(command, env=environment(settings), capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


def test_both_ways_give_the_same_graph(undisturbed: dict[str, tuple[str, float]]) -> None:
    assert undisturbed["online"][0] == undisturbed["offline"][0]


@pytest.mark.parametrize("way", ["online", "offline"])
@pytest.mark.parametrize("victim", ["client", "server"])
def test_the_same_command_ends_what_was_killed(
    local: Settings,
    command: list[str],
    undisturbed: dict[str, tuple[str, float]],
    mode: str,
    victim: str,
) -> None:
    run = [*command, "--mode", mode]
    whole, takes = undisturbed[mode]
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
