"""The life of a real server. The tests share one and run in order: it is killed near the end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import neo4j
import psutil
import pytest
from neo4j.exceptions import AuthError

from kgdb.errors import ArtifactError, ServerError, StartFailed, UsageError
from kgdb.progress import Event, Message
from kgdb.runtime import Endpoint, LocalServer
from kgdb.runtime.instance import configuration, instance_layout
from kgdb.runtime.jars import lock_file
from kgdb.runtime.machine import ports
from kgdb.settings import Settings

pytestmark = [
    pytest.mark.integration,
    pytest.mark.local_server,
    pytest.mark.usefixtures("short_lives"),
]


@pytest.fixture(scope="module")
def endpoint(settings: Settings) -> Endpoint:
    return LocalServer(settings).start()


@contextmanager
def connected(endpoint: Endpoint) -> Iterator[neo4j.Driver]:
    login = (endpoint.username, endpoint.password)
    with neo4j.GraphDatabase.driver(endpoint.uri, auth=login) as driver:
        yield driver


def port_of(endpoint: Endpoint) -> int:
    return urlsplit(endpoint.uri).port or 0


def test_neo4j_and_graph_data_science_answer(settings: Settings, endpoint: Endpoint) -> None:
    status = LocalServer(settings).status()
    with connected(endpoint) as driver:
        (versions,) = driver.execute_query("CALL dbms.components() YIELD versions").records
        (gds,) = driver.execute_query("RETURN gds.version() AS version").records
        driver.execute_query("UNWIND range(1, 3) AS i CREATE (:Kept {i: i})")
    assert versions["versions"] == [status.neo4j_version]
    assert gds["version"] == status.gds_version


def test_status_describes_the_running_server(settings: Settings, endpoint: Endpoint) -> None:
    status = LocalServer(settings).status()
    assert (status.state, status.endpoint) == ("running", endpoint)
    assert (status.heap, status.page_cache) == (1 << 30, 128 << 20)
    assert status.pid is not None
    assert psutil.Process(status.pid).is_running()
    assert status.started_at is not None
    assert 0 <= time.time() - status.started_at.timestamp() < 600
    assert status.store_size > 0
    assert "Started." in LocalServer(settings).log_tail(50)


def test_a_second_start_is_instant_and_finds_the_same(
    settings: Settings, endpoint: Endpoint
) -> None:
    fastest = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        assert LocalServer(settings).start() == endpoint
        fastest = min(fastest, time.perf_counter() - began)
    assert fastest < 0.05


def test_changed_settings_are_announced_for_the_next_start(
    settings: Settings, endpoint: Endpoint
) -> None:
    events: list[Event] = []
    LocalServer(replace(settings, heap="2g", http_port=7474)).start(events.append)
    (event,) = events
    assert isinstance(event, Message)
    assert "heap 2g (now 1g)" in event.text
    assert "http_port 7474 (now off)" in event.text


def test_a_wrong_password_is_refused(endpoint: Endpoint) -> None:
    for login in (("neo4j", "neo4j"), None):
        with (
            neo4j.GraphDatabase.driver(endpoint.uri, auth=login) as driver,
            pytest.raises(AuthError),
        ):
            driver.verify_connectivity()


def test_it_listens_on_the_loopback_interface_only(settings: Settings, endpoint: Endpoint) -> None:
    process = psutil.Process(LocalServer(settings).status().pid)
    listening = [c.laddr for c in process.net_connections() if c.status == psutil.CONN_LISTEN]
    assert [address.port for address in listening] == [port_of(endpoint)]
    assert all(address.ip in ("127.0.0.1", "::ffff:127.0.0.1") for address in listening)


def test_the_password_is_on_no_command_line_and_in_no_log(
    settings: Settings, endpoint: Endpoint
) -> None:
    status = LocalServer(settings).status()
    assert endpoint.password not in " ".join(psutil.Process(status.pid).cmdline())
    secret = endpoint.password.encode()
    holding = [path for path in status.home.rglob("*") if path.is_file() and secret in _read(path)]
    assert [path.name for path in holding] == ["credentials.json"]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def test_it_does_not_belong_to_our_terminal(settings: Settings, endpoint: Endpoint) -> None:
    pid = LocalServer(settings).status().pid
    assert pid is not None
    assert os.getsid(pid) == pid


def test_a_port_that_another_home_takes_meanwhile_is_given_up(
    settings: Settings, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose, choices = ports.choose_bolt_port, iter([port_of(endpoint)])
    monkeypatch.setattr(
        ports, "choose_bolt_port", lambda *given: next(choices, None) or choose(*given)
    )
    late = LocalServer(replace(settings, instance="late"))
    other = late.start()
    try:
        assert port_of(other) != port_of(endpoint)
        with connected(other) as driver:
            driver.verify_connectivity()
    finally:
        late.reset()


def test_a_taken_port_is_refused_by_number_and_holder(
    settings: Settings, endpoint: Endpoint
) -> None:
    port = port_of(endpoint)
    other = LocalServer(replace(settings, instance="other", bolt_port=port))
    with pytest.raises(ServerError, match=f"Port {port} .* is taken by process") as failure:
        other.start()
    assert str(LocalServer(settings).status().pid) in failure.value.message


def test_data_in_use_by_another_server_is_told_by_process(
    settings: Settings, endpoint: Endpoint, tmp_path: Path, jars: Path
) -> None:
    (tmp_path / "jars").symlink_to(jars)
    first = instance_layout.instance(settings.home, "default")
    second = instance_layout.instance(tmp_path, "default")
    second.create()
    second.data.rmdir()
    second.data.symlink_to(first.data)
    second.credentials.write_text(first.credentials.read_text())
    with pytest.raises(StartFailed, match=r"process \d+ uses its database") as failure:
        LocalServer(replace(settings, home=tmp_path)).start()
    assert f"process {LocalServer(settings).status().pid} " in failure.value.message
    assert LocalServer(replace(settings, home=tmp_path)).status().state == "stopped"


def test_two_starts_at_once_give_one_server_without_a_home_folder(
    settings: Settings, endpoint: Endpoint
) -> None:
    """Also: several instances run side by side."""
    code = (
        "import sys; from pathlib import Path; from kgdb.runtime import LocalServer;"
        "from kgdb.settings import Settings;"
        "server = LocalServer(Settings(home=Path(sys.argv[1]), instance='twin', heap='1g',"
        " page_cache='128m')); print(server.start().uri, server.status().pid)"
    )
    environment = {key: value for key, value in os.environ.items() if key != "HOME"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-c", code, str(settings.home)]
    starts = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    outputs = {start.communicate(timeout=300)[0] for start in starts}
    assert [start.returncode for start in starts] == [0, 0]
    assert len(outputs) == 1
    assert endpoint.uri not in outputs.pop()
    LocalServer(replace(settings, instance="twin")).reset()


def test_a_start_whose_starter_died_is_taken_over(settings: Settings) -> None:
    code = (
        "import sys; from pathlib import Path; from kgdb.runtime import LocalServer;"
        "from kgdb.settings import Settings;"
        "LocalServer(Settings(home=Path(sys.argv[1]), instance='orphan', heap='1g',"
        " page_cache='128m')).start()"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    starter = subprocess.Popen([sys.executable, "-c", code, str(settings.home)], env=environment)
    server = LocalServer(replace(settings, instance="orphan"))
    while server.status().state != "starting":
        assert starter.poll() is None
        time.sleep(0.01)
    pid = server.status().pid
    starter.kill()
    starter.wait()
    server.start()
    assert (server.status().state, server.status().pid) == ("running", pid)
    server.reset()
    assert server.status().state == "stopped"


def test_a_refused_configuration_gives_the_servers_own_reason(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = configuration.neo4j_conf
    monkeypatch.setattr(
        configuration,
        "neo4j_conf",
        lambda *arguments, **options: original(*arguments, **options) + "no.such.setting=1\n",
    )
    server = LocalServer(replace(settings, instance="misconfigured"))
    with pytest.raises(StartFailed, match=r"No declared setting with name: no\.such\.setting"):
        server.start()
    assert server.status().state == "stopped"


def test_more_memory_than_there_is_is_refused_before_the_start(settings: Settings) -> None:
    with pytest.raises(UsageError, match="100000g"):
        LocalServer(replace(settings, instance="huge", heap="100000g")).start()


def test_an_altered_jar_is_refused_when_it_cannot_be_replaced(
    settings: Settings, tmp_path: Path, jars: Path
) -> None:
    for jar in lock_file.shipped().jars:
        link = tmp_path / "jars" / jar.path
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(jars / jar.path)
    stamps = jars / "verified.json"
    (tmp_path / "jars" / stamps.name).write_text(stamps.read_text())
    altered = tmp_path / "jars" / lock_file.shipped().jars[0].path
    altered.unlink()
    altered.write_bytes(b"not a jar")
    nowhere = (tmp_path / "empty").as_uri()
    with pytest.raises(ArtifactError, match=altered.name) as failure:
        LocalServer(replace(settings, home=tmp_path, artifact_mirror=nowhere)).start()
    assert "SHA-256" in failure.value.message


def test_admin_commands_want_it_stopped(settings: Settings, endpoint: Endpoint) -> None:
    with pytest.raises(ServerError, match="is running"):
        LocalServer(settings).admin(["database", "check", "neo4j"])


def test_a_killed_server_comes_back_with_its_data_and_stops_quickly(
    settings: Settings, endpoint: Endpoint
) -> None:
    server = LocalServer(settings)
    pid = server.status().pid
    psutil.Process(pid).kill()
    again = server.start()
    assert again == endpoint  # the same port, the same password
    assert server.status().pid != pid
    with connected(again) as driver:
        (kept,) = driver.execute_query("MATCH (n:Kept) RETURN count(n) AS n").records
    assert kept["n"] == 3
    began = time.perf_counter()
    assert server.stop() is True
    # A third of a second on a quiet machine; Neo4j takes at least 10 s by default.
    assert time.perf_counter() - began < 9
    assert server.stop() is False
    assert server.status().state == "stopped"


def test_admin_commands_run_on_the_stopped_instance(settings: Settings) -> None:
    lines: list[str] = []
    server = LocalServer(settings)
    server.admin(["database", "info", "neo4j"], on_line=lines.append)
    assert any("neo4j" in line for line in lines)
    with pytest.raises(ServerError, match="neo4j-admin database nonsense"):
        server.admin(["database", "nonsense"])
