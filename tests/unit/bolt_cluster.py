"""A cluster of three servers that speak Bolt 5.4 and reply as a test says.

There is no Cypher behind it: it shows which server gets which statement, with which bookmarks, and
what the client does when servers go, are full, or lead no more.
"""

from __future__ import annotations

import contextlib
import socket
import socketserver
import ssl
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_VERSION = b"\x00\x00\x04\x05"
_SUCCESS, _RECORD, _IGNORED, _FAILURE = 0x70, 0x71, 0x7E, 0x7F
_NAMES = {
    0x01: "HELLO", 0x6A: "LOGON", 0x6B: "LOGOFF", 0x54: "TELEMETRY", 0x0F: "RESET",
    0x02: "GOODBYE", 0x66: "ROUTE", 0x11: "BEGIN", 0x10: "RUN", 0x3F: "PULL", 0x2F: "DISCARD",
    0x12: "COMMIT", 0x13: "ROLLBACK",
}  # fmt: skip


@dataclass(frozen=True)
class Failure:
    """What a server replies in the place of rows; ``hangs_up``: nothing at all."""

    code: str = ""
    hangs_up: bool = False


NOT_A_LEADER = Failure("Neo.ClientError.Cluster.NotALeader")
FULL = Failure("Neo.TransientError.Request.NoThreadsAvailable")
HANGS_UP = Failure(hangs_up=True)

Rows = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Ran:
    """A statement that a server ran: ``mode`` is ``r`` or ``w``."""

    server: int
    text: str
    mode: str
    bookmarks: tuple[str, ...]
    parameters: dict[str, Any] = field(compare=False, default_factory=dict)


@dataclass
class BoltCluster:
    """``ran`` are the statements that succeeded, ``committed`` those of them that write.

    ``reply`` is asked before each statement: rows, or a failure. After the next ``loses_commits``
    commits the server hangs up before it says so.
    """

    reply: Callable[[int, str, dict[str, Any]], Rows | Failure]
    leader: int = 0
    ran: list[Ran] = field(default_factory=list)
    committed: list[Ran] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    down: set[int] = field(default_factory=set)
    scheme: str = "neo4j"
    loses_commits: int = 0

    @property
    def uri(self) -> str:
        """The address of the first server, for a client that routes."""
        return f"{self.scheme}://127.0.0.1:{self.ports[0]}"

    def table(self) -> dict[str, Any]:
        """Who leads and who is read from: every server but the leader."""
        addresses = [f"127.0.0.1:{port}" for port in self.ports]
        servers = [
            {"role": "ROUTE", "addresses": addresses},
            {"role": "WRITE", "addresses": [addresses[self.leader]]},
            {"role": "READ", "addresses": [a for n, a in enumerate(addresses) if n != self.leader]},
        ]
        return {"rt": {"ttl": 300, "db": "neo4j", "servers": servers}}


@contextmanager
def bolt_cluster(
    reply: Callable[[int, str, dict[str, Any]], Rows | Failure],
    servers: int = 3,
    tls: ssl.SSLContext | None = None,
) -> Iterator[BoltCluster]:
    """Servers on free ports of this machine, until the block ends."""
    cluster = BoltCluster(reply, scheme="neo4j" if tls is None else "neo4j+s")
    listeners = []
    for number in range(servers):
        listener = _Listener(cluster, number, tls)
        cluster.ports.append(listener.server_address[1])
        threading.Thread(target=listener.serve_forever, args=(0.05,), daemon=True).start()
        listeners.append(listener)
    try:
        yield cluster
    finally:
        for listener in listeners:
            listener.shutdown()
            listener.server_close()


class _Listener(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, cluster: BoltCluster, number: int, tls: ssl.SSLContext | None) -> None:
        self.cluster, self.number, self.tls = cluster, number, tls
        super().__init__(("127.0.0.1", 0), _Conversation)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        if self.tls is not None:
            connection = self.tls.wrap_socket(connection, server_side=True)
        return connection, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that ends its connection is no error."""


class _Conversation(socketserver.BaseRequestHandler):
    """One connection."""

    server: _Listener

    def handle(self) -> None:
        self.cluster, self.number = self.server.cluster, self.server.number
        self.stream = self.request.makefile("rb")
        self.stream.read(20)
        if self.number in self.cluster.down:
            return
        self.request.sendall(_VERSION)
        self.transaction: dict[str, Any] | None = None
        self.pending: list[Ran] = []
        self.rows: Rows = ()
        self.failed = False
        with contextlib.suppress(EOFError, OSError):
            while self.step(*self.message()):
                pass

    def message(self) -> tuple[str, list[Any]]:
        data = b""
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                raise EOFError
            size = int.from_bytes(head)
            if size == 0 and data:
                fields, _ = _unpacked_fields(data, 2, data[0] & 0x0F)
                return _NAMES[data[1]], fields
            data += self.stream.read(size)

    def step(self, name: str, fields: list[Any]) -> bool:
        if name == "GOODBYE" or self.number in self.cluster.down:
            return False
        if name == "RESET":
            self.failed, self.transaction, self.pending = False, None, []
        elif self.failed:
            self.send(_IGNORED)
            return True
        result = getattr(self, f"on_{name.lower()}", self.on_other)(*fields)
        if isinstance(result, Failure):
            if result.hangs_up:
                return False
            self.failed = True
            self.send(_FAILURE, {"code": result.code, "message": "as the test says"})
        else:
            self.send(_SUCCESS, result)
        return True

    def on_other(self, *_: Any) -> dict[str, Any]:
        return {}

    def on_hello(self, _: Any) -> dict[str, Any]:
        return {"server": "Neo4j/5.26.23", "connection_id": f"bolt-{self.number}"}

    def on_route(self, *_: Any) -> dict[str, Any]:
        return self.cluster.table()

    def on_begin(self, extra: dict[str, Any]) -> dict[str, Any]:
        self.transaction = extra
        return {}

    def on_run(self, text: str, parameters: dict[str, Any], extra: dict[str, Any]) -> Any:
        extra = self.transaction if self.transaction is not None else extra
        mode = extra.get("mode", "w")
        if mode == "w" and self.number != self.cluster.leader:
            return NOT_A_LEADER
        reply = self.cluster.reply(self.number, text, parameters)
        if isinstance(reply, Failure):
            return reply
        self.rows = reply
        bookmarks = tuple(extra.get("bookmarks", ()))
        self.pending.append(Ran(self.number, text, mode, bookmarks, parameters))
        self.cluster.ran.append(self.pending[-1])
        return {"fields": list(reply[0]) if reply else [], "t_first": 0}

    def on_pull(self, _: Any) -> dict[str, Any]:
        for row in self.rows:
            self.send(_RECORD, list(row.values()))
        self.rows = ()
        return {"has_more": False, "type": "r"} | (
            {} if self.transaction is not None else self.committed()
        )

    def on_commit(self) -> dict[str, Any] | Failure:
        self.transaction = None
        done = self.committed()
        if self.cluster.loses_commits and "bookmark" in done:
            self.cluster.loses_commits -= 1
            return HANGS_UP
        return done

    def committed(self) -> dict[str, Any]:
        written = [ran for ran in self.pending if ran.mode == "w"]
        self.cluster.committed += written
        self.pending = []
        return {"bookmark": f"mark-{len(self.cluster.committed)}"} if written else {}

    def send(self, signature: int, *fields: Any) -> None:
        body = bytes([0xB0 + len(fields), signature]) + b"".join(map(_packed, fields))
        chunks = [body[at : at + 0xFFFF] for at in range(0, len(body), 0xFFFF)]
        self.request.sendall(
            b"".join(len(chunk).to_bytes(2) + chunk for chunk in chunks) + b"\x00\x00"
        )


def _packed(value: Any) -> bytes:
    """PackStream: what Bolt is written in."""
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            return b"\xcb" + struct.pack(">q", value)
        case float():
            return b"\xc1" + struct.pack(">d", value)
        case str():
            data = value.encode()
            return b"\xd2" + struct.pack(">I", len(data)) + data
        case dict():
            items = (_packed(each) for item in value.items() for each in item)
            return b"\xda" + struct.pack(">I", len(value)) + b"".join(items)
        case _:
            return b"\xd6" + struct.pack(">I", len(value)) + b"".join(map(_packed, value))


_SIZES = {
    0xD0: ("text", 1), 0xD1: ("text", 2), 0xD2: ("text", 4), 0xD4: ("list", 1), 0xD5: ("list", 2),
    0xD6: ("list", 4), 0xD8: ("map", 1), 0xD9: ("map", 2), 0xDA: ("map", 4),
}  # fmt: skip
_TINY = {0x80: "text", 0x90: "list", 0xA0: "map"}
_INTEGERS = {0xC8: 1, 0xC9: 2, 0xCA: 4, 0xCB: 8}


def _unpacked(data: bytes, at: int) -> tuple[Any, int]:
    marker = data[at]
    at += 1
    if marker in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[marker], at
    if marker < 0x80 or marker >= 0xF0:
        return marker if marker < 0x80 else marker - 0x100, at
    if marker == 0xC1:
        return struct.unpack_from(">d", data, at)[0], at + 8
    if width := _INTEGERS.get(marker):
        return int.from_bytes(data[at : at + width], signed=True), at + width
    if marker in _SIZES:
        kind, width = _SIZES[marker]
        size, at = int.from_bytes(data[at : at + width]), at + width
    else:
        kind, size = _TINY[marker & 0xF0], marker & 0x0F
    if kind == "text":
        return data[at : at + size].decode(), at + size
    if kind == "list":
        return _unpacked_fields(data, at, size)
    flat, at = _unpacked_fields(data, at, 2 * size)
    return dict(zip(flat[::2], flat[1::2], strict=True)), at


def _unpacked_fields(data: bytes, at: int, size: int) -> tuple[list[Any], int]:
    found = []
    for _ in range(size):
        value, at = _unpacked(data, at)
        found.append(value)
    return found, at
