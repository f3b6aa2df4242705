"""The jar cache: downloads, repairs, and trusts only what it verified."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

import pytest
from runtime_repository import Repository, serve

from kgdb.errors import ArtifactError, ServerError, UsageError
from kgdb.progress import Event, Message, Progress, silent
from kgdb.runtime.jars import download
from kgdb.runtime.jars.jar_cache import JarCache

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def fast_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_PAUSE_S", 0.0)
    monkeypatch.setattr(download, "_BACKOFF_S", 0.0)


def test_everything_is_downloaded_once_and_then_kept_offline(tmp_path: Path) -> None:
    events: list[Event] = []
    with serve(Repository()) as server:
        lock = server.lock(20)
        cache = JarCache(tmp_path / "jars", lock, server.url)
        cache.ensure(events.append)
        assert [path.read_bytes() for path in cache.paths()] == list(server.files.values())
        assert set(server.requests.values()) == {1}
        assert len(server.connections) <= download.CONNECTIONS  # kept alive
    assert events[-1] == Progress(
        "Downloading Neo4j and Graph Data Science", lock.size, lock.size, "bytes"
    )
    JarCache(tmp_path / "jars", lock, server.url).ensure(silent)  # the server is gone


def test_a_second_look_reads_no_jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Repository()) as server:
        cache = JarCache(tmp_path, server.lock(), server.url)
        cache.ensure(silent)
    read: list[Path] = []
    monkeypatch.setattr("kgdb.runtime.jars.jar_cache._sha256", read.append)
    cache.ensure(silent)
    assert read == []


def test_an_altered_jar_is_noticed_and_replaced(tmp_path: Path) -> None:
    events: list[Event] = []
    with serve(Repository()) as server:
        cache = JarCache(tmp_path, server.lock(), server.url)
        cache.ensure(silent)
        altered = cache.paths()[1]
        good = altered.read_bytes()
        os.utime(altered, (1, 1))
        cache.ensure(silent)
        before = cache.identity()
        altered.write_bytes(b"x" * len(good))
        cache.ensure(events.append)
        assert altered.read_bytes() == good
        assert cache.identity() != before
        assert server.requests.total() == 4
    assert Message("jar1-1.0.jar is not the locked jar: replacing it") in events


def test_an_altered_jar_is_refused_when_it_cannot_be_replaced(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock()
        cache = JarCache(tmp_path, lock, server.url)
        cache.ensure(silent)
        cache.paths()[1].write_bytes(b"evil")
        server.files.clear()
        with pytest.raises(ArtifactError) as failure:
            cache.ensure(silent)
    assert lock.jars[1].sha256 in str(failure.value)
    assert hashlib.sha256(b"evil").hexdigest() in str(failure.value)
    assert str(cache.paths()[1]) in str(failure.value)
    assert "404" in str(failure.value)


def test_a_touched_but_unaltered_jar_is_not_downloaded_again(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        cache = JarCache(tmp_path, server.lock(), server.url)
        cache.ensure(silent)
        os.utime(cache.paths()[0], (1, 1))
        server.files.clear()
        before = server.requests.total()
        cache.ensure(silent)
        assert server.requests.total() == before


def test_wrong_content_is_refused_with_both_checksums(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock()
        wrong = b"y" * lock.jars[2].size
        server.files[lock.jars[2].path] = wrong
        cache = JarCache(tmp_path, lock, server.url)
        with pytest.raises(ArtifactError, match=r"org\.example:jar2:1\.0") as failure:
            cache.ensure(silent)
    assert lock.jars[2].sha256 in failure.value.message
    assert hashlib.sha256(wrong).hexdigest() in failure.value.message
    assert not cache.paths()[2].exists()
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("fault", ["truncate", 503, 429])
def test_a_passing_fault_is_outlived(tmp_path: Path, fault: int | str) -> None:
    with serve(Repository()) as server:
        lock = server.lock()
        server.faults[lock.jars[0].path] = [fault]
        cache = JarCache(tmp_path, lock, server.url)
        cache.ensure(silent)
        assert cache.paths()[0].read_bytes() == server.files[lock.jars[0].path]


def test_a_lasting_truncation_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock(1)
        server.faults[lock.jars[0].path] = ["truncate"] * 50
        cache = JarCache(tmp_path, lock, server.url)
        with pytest.raises(ArtifactError, match=r"org\.example:jar0:1\.0 cannot"):
            cache.ensure(silent)
    assert not list(tmp_path.rglob("*.jar"))
    assert not list(tmp_path.rglob("*.part"))


def test_a_missing_jar_is_not_asked_for_twice(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock(1)
        server.files.clear()
        with pytest.raises(ArtifactError, match="404"):
            JarCache(tmp_path, lock, server.url).ensure(silent)
        assert server.requests.total() == 1


def test_what_arrived_before_a_failure_is_kept(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock(1)
        cache = JarCache(tmp_path, lock, server.url)
        cache.ensure(silent)
        more = server.lock(2)
        del server.files[more.jars[1].path]
        with pytest.raises(ArtifactError):
            JarCache(tmp_path, more, server.url).ensure(silent)
        assert server.requests[lock.jars[0].path] == 1


def test_a_mirror_with_a_login(tmp_path: Path) -> None:
    with serve(Repository(login="reader:s3cret")) as server:
        cache = JarCache(tmp_path, server.lock(), server.url)
        cache.ensure(silent)
        assert all(path.exists() for path in cache.paths())


def test_a_password_never_shows(tmp_path: Path) -> None:
    with serve(Repository(login="reader:s3cret")) as server:
        lock = server.lock(1)
        server.login = "reader:changed"
        with pytest.raises(ArtifactError, match="401") as failure:
            JarCache(tmp_path, lock, server.url).ensure(silent)
    assert "s3cret" not in str(failure.value)


def test_no_server_at_the_mirror(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock(1)
    with pytest.raises(ArtifactError, match="refused") as failure:
        JarCache(tmp_path, lock, server.url).ensure(silent)
    assert "KGDB_ARTIFACT_MIRROR" in (failure.value.hint or "")


def test_another_cache_serves_as_a_file_mirror(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock()
        JarCache(tmp_path / "first one", lock, server.url).ensure(silent)
    second = JarCache(tmp_path / "second", lock, (tmp_path / "first one").as_uri())
    second.ensure(silent)
    assert all(path.exists() for path in second.paths())


def test_a_mirror_of_another_kind_is_refused(tmp_path: Path) -> None:
    lock = Repository().lock(1)
    with pytest.raises(UsageError, match="ftp://…@host/maven") as failure:
        JarCache(tmp_path, lock, "ftp://me:s3cret@host/maven").ensure(silent)
    assert "s3cret" not in str(failure.value)


def test_a_full_disk_is_told_with_path_and_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = Repository().lock(1)
    usage = type("Usage", (), {"free": 123_456})
    monkeypatch.setattr(download.shutil, "disk_usage", lambda path: usage)
    with pytest.raises(ServerError, match="123,456 are free") as failure:
        JarCache(tmp_path, lock, "http://unused.invalid").ensure(silent)
    assert str(tmp_path) in failure.value.message


def test_leftovers_of_a_killed_download_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".jar0-1.0.jar.part").write_bytes(b"half")
    with serve(Repository()) as server:
        JarCache(tmp_path, server.lock(1), server.url).ensure(silent)
    assert not list(tmp_path.rglob("*.part"))


def test_callers_at_once_download_once(tmp_path: Path) -> None:
    with serve(Repository()) as server:
        lock = server.lock(5)
        callers = [
            threading.Thread(target=JarCache(tmp_path, lock, server.url).ensure, args=(silent,))
            for _ in range(4)
        ]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        assert set(server.requests.values()) == {1}
