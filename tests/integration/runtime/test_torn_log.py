"""A transaction log that ends in bytes that cannot be read: cut off, once, and said."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest

from kgdb.progress import Event, Message
from kgdb.runtime import Endpoint, LocalServer
from kgdb.runtime.instance import instance_layout
from kgdb.settings import Settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.endurance,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]

KEPT = 1_000


def written(endpoint: Endpoint) -> int:
    login = (endpoint.username, endpoint.password)
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=login) as driver:
        (row,) = driver.execute_query("MATCH (n:Kept) RETURN count(n) AS n").records
    return int(row["n"])


def tear(log: Path) -> None:
    """Put behind the last entry what a write leaves that did not end."""
    content = log.read_bytes()
    end = len(content.rstrip(b"\0"))
    with log.open("r+b") as file:
        file.seek(end + 8)
        file.write(b"\xff" * 5_000)


def test_it_is_cut_off_in_one_start_which_says_so_and_what_was_committed_stays(
    settings: Settings,
) -> None:
    local = replace(settings, instance="torn")
    server, instance = LocalServer(local), instance_layout.instance(local.home, "torn")
    endpoint = server.start()
    login = (endpoint.username, endpoint.password)
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=login) as driver:
        driver.execute_query("UNWIND range(1, $n) AS i CREATE (:Kept {i: i})", n=KEPT)
    pid = server.status().pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    (log,) = (instance.data / "transactions" / "neo4j").glob("neostore.transaction.db.*")
    tear(log)
    said: list[Event] = []
    assert written(server.start(said.append)) == KEPT
    told = " ".join(event.text for event in said if isinstance(event, Message))
    assert "has unreadable bytes" in told
    assert "all committed data are safe" in told
    dropped = instance.data / "databases" / "neo4j" / "corrupted-neostore.transaction.db"
    assert str(dropped) in told
    assert list(dropped.iterdir())
    server.stop()
    said.clear()
    assert written(server.start(said.append)) == KEPT
    assert "cut off" not in " ".join(str(event) for event in said)
    assert "fail_on_corrupted_log_files" not in (instance.conf / "neo4j.conf").read_text()
    server.stop()
