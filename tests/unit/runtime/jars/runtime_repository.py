"""A small Maven repository over HTTP for the download tests, with faults to order."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from kgdb.runtime.jars.lock_file import JarLock, LockedJar


def jar_of(name: str, content: bytes) -> LockedJar:
    digest = hashlib.sha256(content).hexdigest()
    return LockedJar("lib", "org.example", name, "1.0", "", digest, len(content))


@dataclass
class Repository:
    """What is served: ``files`` by path.

    The first answers for a path are its ``faults``: a status, or ``"truncate"`` for half a body.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[int | str]] = field(default_factory=dict)
    login: str | None = None
    requests: Counter[str] = field(default_factory=Counter)
    connections: set[tuple[str, int]] = field(default_factory=set)
    url: str = ""

    def add(self, name: str, content: bytes) -> LockedJar:
        jar = jar_of(name, content)
        self.files[jar.path] = content
        return jar

    def lock(self, count: int = 3) -> JarLock:
        return JarLock(tuple(self.add(f"jar{i}", bytes([i]) * (1000 + i)) for i in range(count)))


@contextmanager
def serve(repository: Repository) -> Iterator[Repository]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = self.path.removeprefix("/maven/")
            repository.requests[path] += 1
            repository.connections.add(self.client_address)
            wanted = repository.login and base64.b64encode(repository.login.encode()).decode()
            faults = repository.faults.get(path, [])
            fault = faults.pop(0) if faults else None
            body = repository.files.get(path, b"")
            if wanted and self.headers.get("Authorization") != f"Basic {wanted}":
                self._answer(401, b"")
            elif isinstance(fault, int):
                self._answer(fault, b"")
            elif path not in repository.files:
                self._answer(404, b"")
            elif fault == "truncate":
                self._answer(200, body, sent=len(body) // 2)
                self.close_connection = True
            else:
                self._answer(200, body)

        def _answer(self, status: int, body: bytes, sent: int | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:sent])

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    login = f"{repository.login}@" if repository.login else ""
    repository.url = f"http://{login}127.0.0.1:{server.server_port}/maven"
    try:
        yield repository
    finally:
        server.shutdown()
        server.server_close()
