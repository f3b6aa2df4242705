"""A real server that speaks TLS alone, with a certificate that nobody signed."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

import kgdb
from kgdb import loading
from kgdb.errors import ConnectionFailed
from kgdb.runtime import Endpoint, LocalServer
from kgdb.settings import load_settings

pytestmark = [pytest.mark.integration, pytest.mark.local_server]

_TLS = """
server.bolt.tls_level=REQUIRED
dbms.ssl.policy.bolt.enabled=true
dbms.ssl.policy.bolt.base_directory=certificates
"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-out", folder / "public.crt", "-keyout", folder / "private.key"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder / "public.crt"


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def endpoint(home: Path, certificate: Path, short_lives: None) -> Iterator[Endpoint]:
    """The server of an instance, started again by its own command with TLS in its settings."""
    options = {"KGDB_HOME": str(home), "KGDB_INSTANCE": "tls"}
    server = LocalServer(load_settings(options, heap="512m", page_cache="64m"))
    found = server.start()
    status = server.status()
    assert status.pid is not None
    process = psutil.Process(status.pid)
    command, folder = process.cmdline(), process.cwd()
    server.stop()
    shutil.copytree(certificate.parent, status.home / "certificates")
    with (status.home / "conf" / "neo4j.conf").open("a", encoding="utf-8") as file:
        file.write(_TLS)
    with (status.home / "tls.log").open("wb") as log:
        started = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
    port = int(found.uri.rpartition(":")[2])
    until = time.monotonic() + 120
    while not _listens(port):
        assert started.poll() is None, (status.home / "tls.log").read_text("utf-8")
        assert time.monotonic() < until
        time.sleep(0.1)
    yield found
    started.terminate()
    started.wait(60)


def uri(endpoint: Endpoint, scheme: str) -> str:
    return f"{scheme}://localhost:{endpoint.uri.rpartition(':')[2]}"


def connected(endpoint: Endpoint, scheme: str) -> kgdb.Connection:
    return kgdb.connect(
        uri(endpoint, scheme), username=endpoint.username, password=endpoint.password
    )


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_graph_is_loaded_and_asked_over_tls(
    endpoint: Endpoint, certificate: Path, scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with connected(endpoint, scheme) as db:
        if "demo" not in {info.name for info in db.graphs()}:
            with loading.prepare(loading.read_spec("demo")) as prepared:
                loading.load(prepared, db)
        answer = db.graph("demo").answer("Who wrote The Tuesday Engine?", llm="none")
        assert answer.entities


def test_a_certificate_that_nobody_signed_is_refused_until_it_is_trusted(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with pytest.raises(ConnectionFailed, match="certificate"):
        connected(endpoint, "bolt+s")
    with connected(endpoint, "bolt+ssc") as db:
        assert db.query("RETURN 1 AS one") == [{"one": 1}]


def test_a_connection_without_tls_is_refused(endpoint: Endpoint) -> None:
    with pytest.raises(ConnectionFailed):
        connected(endpoint, "bolt")
