"""Recognising, reporting and ending a server process; no real server is needed for that."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from kgdb.errors import ServerError, UsageError
from kgdb.runtime import LocalServer, instances
from kgdb.runtime.instance import instance_layout, server_state
from kgdb.runtime.instance.credentials import ensure
from kgdb.runtime.instance.server_state import Endpoint
from kgdb.runtime.machine import ports, process
from kgdb.settings import Settings

pytestmark = pytest.mark.unit

Spawn = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Starts a Python process with the given extra arguments; it sleeps, or runs the code."""
    started: list[subprocess.Popen[bytes]] = []

    def start(
        *arguments: str, code: str = "import time; time.sleep(60)"
    ) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([sys.executable, "-c", code, *arguments]))
        return started[-1]

    yield start
    for child in started:
        child.kill()
        child.wait()


def stored_state(home: Path, pid: int, created: float) -> instance_layout.Instance:
    instance = instance_layout.instance(home, "default")
    instance.create()
    server_state.write(
        instance,
        server_state.State(
            pid=pid,
            created=created,
            bolt_port=1,
            http_port=0,
            heap=1 << 30,
            page_cache=1 << 30,
            java="java",
            java_version="21",
            neo4j_version="5",
            gds_version="2",
            log_offset=0,
            ready=True,
        ),
    )
    return instance


def test_a_server_is_known_by_number_and_home(tmp_path: Path, spawn: Spawn) -> None:
    child = spawn(process.home_argument(tmp_path))
    assert process.find(child.pid, tmp_path) is not None
    assert process.find(child.pid, tmp_path / "other") is None
    assert process.find(os.getpid(), tmp_path) is None
    holder = process.holder_of(tmp_path)
    assert holder is not None
    assert holder.pid == child.pid


def test_an_ended_server_is_not_taken_for_running(tmp_path: Path, spawn: Spawn) -> None:
    child = spawn(process.home_argument(tmp_path))
    child.kill()  # not waited for: a zombie
    time.sleep(0.2)
    assert process.find(child.pid, tmp_path) is None
    assert process.holder_of(tmp_path) is None


def test_a_reused_number_means_stopped_and_is_left_alone(tmp_path: Path, spawn: Spawn) -> None:
    stranger = spawn("--something-else")
    created = psutil.Process(stranger.pid).create_time()
    stored_state(tmp_path, stranger.pid, created)
    server = LocalServer(Settings(home=tmp_path))
    assert server.status().state == "stopped"
    assert server.stop() is False
    assert stranger.poll() is None


def test_a_live_process_that_does_not_answer_is_starting(tmp_path: Path, spawn: Spawn) -> None:
    instance = instance_layout.instance(tmp_path, "default")
    child = spawn(process.home_argument(instance.root))
    stored_state(tmp_path, child.pid, psutil.Process(child.pid).create_time())
    server = LocalServer(Settings(home=tmp_path))
    assert server.status().state == "starting"
    assert server.stop() is True
    assert server.status().state == "stopped"
    assert child.wait() == -signal.SIGTERM
    assert not instance.state.exists()


def test_a_server_without_state_file_is_found_and_stopped(tmp_path: Path, spawn: Spawn) -> None:
    instance = instance_layout.instance(tmp_path, "default")
    child = spawn(process.home_argument(instance.root))
    assert LocalServer(Settings(home=tmp_path)).stop() is True
    assert child.wait() == -signal.SIGTERM


def test_a_server_that_ignores_the_request_is_killed(tmp_path: Path, spawn: Spawn) -> None:
    code = (
        "import signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"open({str(tmp_path / 'deaf')!r}, 'w').close(); time.sleep(60)"
    )
    child = spawn(process.home_argument(tmp_path), code=code)
    while not (tmp_path / "deaf").exists():
        time.sleep(0.01)
    assert process.stop(psutil.Process(child.pid), 0.3) is False
    assert child.wait() == -signal.SIGKILL


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": 1}', '{"pid": "1", "created": 2}'])
def test_a_damaged_state_file_counts_as_none(tmp_path: Path, content: str) -> None:
    instance = instance_layout.instance(tmp_path, "default")
    instance.create()
    instance.state.write_text(content)
    assert server_state.read(instance) is None
    assert LocalServer(Settings(home=tmp_path)).status().state == "stopped"


def test_state_survives_writing_and_reading(tmp_path: Path) -> None:
    instance = stored_state(tmp_path, 7, 1.5)
    read = server_state.read(instance)
    assert read is not None
    assert (read.pid, read.created, read.ready) == (7, 1.5, True)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-x", "a b", "é", "x" * 64, ".lock", "a\n"])
def test_what_is_no_instance_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="not a name for an instance") as failure:
        LocalServer(Settings(home=tmp_path, instance=name))
    assert repr(name) in failure.value.message


def test_instances_are_listed(tmp_path: Path) -> None:
    assert instances(Settings(home=tmp_path)) == ()
    for name in ("b", "A-1"):
        instance_layout.instance(tmp_path, name).create()
    (tmp_path / "instances" / ".b.lock").touch()
    assert instances(Settings(home=tmp_path)) == ("A-1", "b")


def test_credentials_are_private_random_and_kept(tmp_path: Path) -> None:
    first, second = (instance_layout.instance(tmp_path, name) for name in ("one", "two"))
    made = ensure(first)
    assert ensure(first) == made
    assert ensure(second).password != made.password
    assert stat.S_IMODE(first.credentials.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.root.stat().st_mode) == 0o700


def test_lost_credentials_of_used_data_are_an_error(tmp_path: Path) -> None:
    instance = instance_layout.instance(tmp_path, "one")
    (instance.data / "databases" / "system").mkdir(parents=True)
    with pytest.raises(ServerError, match=r"credentials\.json is missing or damaged"):
        ensure(instance)


def test_reset_deletes_the_instance_and_only_it(tmp_path: Path) -> None:
    (tmp_path / "jars").mkdir()
    for name in ("default", "other"):
        instance_layout.instance(tmp_path, name).create()
    LocalServer(Settings(home=tmp_path)).reset()
    assert instances(Settings(home=tmp_path)) == ("other",)
    assert (tmp_path / "jars").is_dir()


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_wanted_port_that_is_taken_names_the_holder(taken: int) -> None:
    with pytest.raises(ServerError, match=f"Port {taken} .* taken by") as failure:
        ports.choose_bolt_port(taken, None, ())
    assert "KGDB_BOLT_PORT" in (failure.value.hint or "")
    assert str(os.getpid()) in failure.value.message


@pytest.mark.slow
def test_the_last_port_is_taken_again_unless_it_is_not_free(taken: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = listener.getsockname()[1]
    assert ports.choose_bolt_port(0, free, ()) == free
    assert ports.choose_bolt_port(0, taken, ()) != taken


def test_the_last_port_is_waited_for_while_a_killed_server_lets_go() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    threading.Timer(0.2, listener.close).start()
    assert ports.choose_bolt_port(0, port, ()) == port


def test_other_instances_ports_are_left_to_them() -> None:
    first = ports.choose_bolt_port(0, None, ())
    assert first >= ports.FIRST_PORT
    assert ports.choose_bolt_port(0, None, {first}) > first


def test_who_listens_on_a_port_can_be_asked(taken: int) -> None:
    assert ports.listens(os.getpid(), taken) is True
    assert ports.listens(os.getppid(), taken) is not True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psutil.Process, "net_connections", refused)
        assert ports.listens(os.getpid(), taken) is None


def refused(*given: object) -> None:
    raise psutil.AccessDenied


def test_environment_lines_are_quoted_for_a_shell() -> None:
    lines = Endpoint("bolt://127.0.0.1:7687", "neo4j", "it's $HOME").env_lines()
    script = lines + '\nprintf %s "$NEO4J_PASSWORD"'
    shell = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert shell.stdout == "it's $HOME"
    assert "it's" not in repr(Endpoint("u", "n", "it's"))


def test_the_log_tail(tmp_path: Path) -> None:
    server = LocalServer(Settings(home=tmp_path))
    assert server.log_tail(5) == ""
    instance = instance_layout.instance(tmp_path, "default")
    instance.create()
    instance.console_log.write_text("a\nb\nc\n")
    assert server.log_tail(2) == "b\nc"
    assert server.log_tail(9) == "a\nb\nc"


def test_an_unwritable_home_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ServerError, match="cannot be written") as failure:
        LocalServer(Settings(home=tmp_path / "file")).stop()
    assert "KGDB_HOME" in (failure.value.hint or "")
