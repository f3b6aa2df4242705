"""Servers that accept a connection and then say nothing, or what nobody understands."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from kgdb.errors import ConnectionFailed
from kgdb.graph import Database
from kgdb.graph.connection import opening, silence

pytestmark = [pytest.mark.unit, pytest.mark.slow]

BOUND_S = 10.0
"""Far more than a second of patience and of each other limit; less than any limit of the driver."""

SILENT = None


def success(**fields: str) -> bytes:
    """The message SUCCESS as Bolt sends it, in one chunk."""
    texts = b"".join(
        bytes([0x80 + len(text)]) + text.encode() if len(text) < 16 else b"\xd0" + chunk(text)
        for item in fields.items()
        for text in item
    )
    body = bytes([0xB1, 0x70, 0xA0 + len(fields)]) + texts
    return len(body).to_bytes(2) + body + bytes(2)


def chunk(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


GREETED = (
    b"\x00\x00\x04\x05",
    success(server="Neo4j/5.26.23", connection_id="bolt-1") + success(),
)
"""The version of Bolt, then the replies to HELLO and LOGON."""

BEFORE = {
    "says nothing": (SILENT,),
    "agrees on a version and says no more": (GREETED[0], SILENT),
    "sends half of a version": (b"\x00\x00", SILENT),
    "is a web server": (b"HTTP/1.1 400 Bad Request\r\n\r\n", SILENT),
    "greets with what is no message": (GREETED[0], b"\x00\x04\xff\xff\xff\xff\x00\x00", SILENT),
}
DURING = {
    "is silent after the greeting": (*GREETED, SILENT),
    "is silent after the first reply": (*GREETED, success(), SILENT),
    "stops within a message": (*GREETED, success(), b"\x00\x40\xb1", SILENT),
    "sends an endless message": (*GREETED, success(), b"\xde\xad\xbe\xef" * 9, SILENT),
    "sends what is no message": (*GREETED, b"\x00\x04\xff\xff\xff\xff\x00\x00", SILENT),
    "sends a text that is not UTF-8": (*GREETED, b"\x00\x04\xb1\x70\x81\xff\x00\x00", SILENT),
    "hangs up": GREETED,
}

Script = tuple[bytes | None, ...]


@pytest.fixture
def serve() -> Iterator[Callable[[Script], str]]:
    """Starts a server that replies to each thing it gets with the next part of a script."""
    listeners: list[socket.socket] = []

    def start(script: Script) -> str:
        listener = socket.create_server(("127.0.0.1", 0))
        listeners.append(listener)
        threading.Thread(target=accept, args=(listener, script), daemon=True).start()
        return f"bolt://127.0.0.1:{listener.getsockname()[1]}"

    def accept(listener: socket.socket, script: Script) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=talk, args=(connection, script), daemon=True).start()

    def talk(connection: socket.socket, script: Script) -> None:
        with connection, suppress(OSError):
            for part in script:
                while connection.recv(65_536) and part is SILENT:
                    pass
                if part is not SILENT:
                    connection.sendall(part)

    yield start
    for listener in listeners:
        listener.close()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silence, "PATIENCE_S", 1.0)
    monkeypatch.setattr(silence, "PROBE_S", 1.0)
    monkeypatch.setattr(opening, "_CONNECT_S", 1.0)
    monkeypatch.setattr(opening, "_RECONNECT_S", 2.0)


@pytest.mark.parametrize("script", BEFORE.values(), ids=BEFORE)
def test_connecting_to_what_is_no_server_ends_soon(
    serve: Callable[[Script], str], script: Script
) -> None:
    uri = serve(script)
    start = time.monotonic()
    with pytest.raises(ConnectionFailed, match=f"No Neo4j server answers at {uri}") as failure:
        Database(uri, password="x")
    assert time.monotonic() - start < BOUND_S
    assert failure.value.hint
    assert "NEO4J_URI" in failure.value.hint
    assert "local" not in failure.value.hint


@pytest.mark.parametrize("script", DURING.values(), ids=DURING)
def test_a_statement_ends_soon_when_the_server_falls_silent_or_talks_nonsense(
    serve: Callable[[Script], str], script: Script
) -> None:
    uri = serve(script)
    start = time.monotonic()
    with Database(uri, password="x") as database:
        with pytest.raises(ConnectionFailed, match=f"The server at {uri} ") as failure:
            database.call("db.labels")
        assert failure.value.hint
        assert "kgdb" not in failure.value.hint
        # It is asked again, not found closed.
        with pytest.raises(ConnectionFailed, match=f"The server at {uri} "):
            database.call("db.labels")
    assert time.monotonic() - start < 2 * BOUND_S


def test_a_server_that_is_given_up_is_told_as_such(serve: Callable[[Script], str]) -> None:
    with (
        Database(serve(DURING["is silent after the first reply"]), password="x") as database,
        pytest.raises(ConnectionFailed, match="does not answer any more"),
    ):
        database.query("RETURN 1")


def test_a_limit_of_the_call_is_one_for_a_silent_server_too(
    serve: Callable[[Script], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "PATIENCE_S", 60.0)
    start = time.monotonic()
    with (
        Database(serve(DURING["is silent after the first reply"]), password="x") as database,
        pytest.raises(ConnectionFailed),
    ):
        database.query("RETURN 1", timeout_ms=500)
    assert time.monotonic() - start < BOUND_S
