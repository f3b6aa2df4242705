"""A cluster: reads go to readers, writes to the leader, whatever happens to the servers."""

from __future__ import annotations

import ssl
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bolt_cluster import FULL, HANGS_UP, NOT_A_LEADER, BoltCluster, Failure, Rows, bolt_cluster

from kgdb.errors import ConnectionFailed, DatabaseError
from kgdb.graph import Database
from kgdb.graph.connection import opening
from kgdb.graph.connection.statements import statement
from kgdb.loading.writing.load_job import LoadJob, ResumePoint

pytestmark = pytest.mark.unit


class Replies:
    """Replies with one row; the next failures of a server come first."""

    def __init__(self) -> None:
        self.failures: dict[int, list[Failure]] = {}

    def __call__(self, server: int, text: str, parameters: dict[str, Any]) -> Rows | Failure:
        if failures := self.failures.get(server):
            return failures.pop(0)
        if "SHOW DATABASES" in text:
            return []
        return [{"alive": True, "written": 1, "again": False}]


@pytest.fixture
def replies() -> Replies:
    return Replies()


@pytest.fixture
def cluster(replies: Replies) -> Iterator[BoltCluster]:
    with bolt_cluster(replies) as found:
        yield found


@pytest.fixture
def database(cluster: BoltCluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    monkeypatch.setattr(opening, "_RECONNECT_S", 3.0)
    with Database(cluster.uri, "neo4j", "password", plugin="never") as found:
        yield found


def write(database: Database) -> None:
    database.write_checked("load/thought_names", {}, lambda rows: None)


def test_reads_go_to_readers_and_writes_to_the_leader(
    cluster: BoltCluster, database: Database
) -> None:
    for _ in range(10):
        database.run("alive")
        list(database.stream("alive", 10))
    database.write("load/thought_names")
    write(database)
    readers = {(ran.server, ran.mode) for ran in cluster.ran if ran not in cluster.committed}
    assert readers == {(1, "r"), (2, "r")}
    assert [(ran.server, ran.mode) for ran in cluster.committed] == [(0, "w"), (0, "w")]


def test_what_was_written_is_seen_by_whatever_reads_next(
    cluster: BoltCluster, database: Database
) -> None:
    database.write("load/thought_names")
    database.run("alive")
    assert cluster.ran[-1].bookmarks == ("mark-1",)
    write(database)
    assert cluster.ran[-1].bookmarks == ("mark-1",)
    list(database.stream("alive", 10))
    assert cluster.ran[-1].bookmarks == ("mark-2",)


def test_a_load_goes_on_at_the_new_leader(
    cluster: BoltCluster, database: Database, replies: Replies
) -> None:
    prepared: Any = SimpleNamespace(spec=SimpleNamespace(name="g", label="G"), qualifiers=())
    job = LoadJob(prepared, database)
    for number in range(6):
        if number == 2:
            cluster.leader = 1  # the old one says that it is none
        if number == 4:
            cluster.leader = 2  # it goes in the middle of a statement
            cluster.down.add(1)
        job.write_batch(ResumePoint("entities"), number, [{"id": str(number)}])
    written = [(ran.server, ran.parameters["batch"]) for ran in cluster.committed]
    assert written == [(0, 0), (0, 1), (1, 2), (1, 3), (2, 4), (2, 5)]


def test_a_lost_reply_to_a_commit_writes_nothing_twice(
    cluster: BoltCluster, database: Database, replies: Replies
) -> None:
    prepared: Any = SimpleNamespace(spec=SimpleNamespace(name="g", label="G"), qualifiers=())
    cluster.loses_commits = 1
    LoadJob(prepared, database).write_batch(ResumePoint("entities"), 0, [{"id": "a"}])
    # The second time the note of the batch is there, and the statement says so.
    assert [ran.parameters["batch"] for ran in cluster.committed] == [0, 0]
    assert all(statement("load/note") in ran.text for ran in cluster.committed)


@pytest.mark.parametrize("dead", [1, 2])
def test_a_dead_reader_is_left_for_the_other(
    cluster: BoltCluster, database: Database, dead: int
) -> None:
    for _ in range(4):
        database.run("alive")
    cluster.down.add(dead)
    start = len(cluster.ran)
    for _ in range(4):
        assert database.run("alive")[0]["alive"]
    assert {ran.server for ran in cluster.ran[start:]} == {1, 2} - {dead}


@pytest.mark.parametrize("failure", [FULL, HANGS_UP])
def test_a_full_reader_is_asked_again_or_left(
    cluster: BoltCluster, database: Database, replies: Replies, failure: Failure
) -> None:
    replies.failures = {1: [failure], 2: [failure]}
    assert [database.run("alive")[0]["alive"] for _ in range(3)] == [True] * 3


def test_readers_that_stay_full_are_an_error_within_the_limit(
    cluster: BoltCluster, database: Database, replies: Replies
) -> None:
    replies.failures = {1: [FULL] * 99, 2: [FULL] * 99}
    began = time.monotonic()
    with pytest.raises(DatabaseError, match="as the test says"):
        database.run("alive")
    assert time.monotonic() - began < 20


def test_a_cluster_without_a_leader_still_reads_and_says_what_it_cannot(
    cluster: BoltCluster, database: Database, replies: Replies
) -> None:
    replies.failures = {0: [NOT_A_LEADER] * 99}
    assert database.run("alive")[0]["alive"]
    with pytest.raises(DatabaseError, match=r"as the test says|writ"):
        database.write("load/thought_names")
    cluster.down |= {1, 2}
    with pytest.raises(ConnectionFailed):
        database.run("alive")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of our own for this machine, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    found = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
         "-out", found[0], "-keyout", found[1]],
        check=True, capture_output=True,
    )  # fmt: skip
    return found


def test_a_certificate_of_ones_own_is_trusted_when_it_is_named(
    certificate: tuple[Path, Path], replies: Replies, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    monkeypatch.setattr(opening, "_RECONNECT_S", 1.0)
    with bolt_cluster(replies, tls=context) as cluster:
        with pytest.raises(ConnectionFailed, match="certificate"):
            Database(cluster.uri, "neo4j", "password", plugin="never")
        with Database(cluster.uri.replace("+s", "+ssc"), "neo4j", "password", "never") as database:
            assert database.uri.startswith("neo4j+ssc://")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        with Database(cluster.uri, "neo4j", "password", plugin="never") as database:
            assert database.run("alive")[0]["alive"]
            write(database)
        assert Counter(ran.mode for ran in cluster.ran) == {"r": 1, "w": 1}
