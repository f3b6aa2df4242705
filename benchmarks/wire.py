"""Counts the bytes between a driver and the server: a proxy on the loopback interface."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlparse

_CHUNK = 65_536


class Wire:
    """Where to connect to, and what has passed since :meth:`reset`."""

    def __init__(self, port: int) -> None:
        self.uri = f"bolt://127.0.0.1:{port}"
        self.sent = 0
        self.received = 0

    def reset(self) -> None:
        """Begin to count anew."""
        self.sent = self.received = 0

    def pump(self, source: socket.socket, target: socket.socket, *, outward: bool) -> None:
        """Pass on what comes, until one side closes."""
        with suppress(OSError):
            while chunk := source.recv(_CHUNK):
                if outward:
                    self.sent += len(chunk)
                else:
                    self.received += len(chunk)
                target.sendall(chunk)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def counted(uri: str) -> Iterator[Wire]:
    """A way to the server at ``uri`` on which bytes are counted."""
    address = urlparse(uri)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        wire = Wire(listener.getsockname()[1])

        def accept() -> None:
            with suppress(OSError):  # the listener is closed at the end
                while True:
                    client, _ = listener.accept()
                    server = socket.create_connection((address.hostname, address.port))
                    for source, target, outward in (
                        (client, server, True),
                        (server, client, False),
                    ):
                        threading.Thread(
                            target=wire.pump,
                            args=(source, target),
                            kwargs={"outward": outward},
                            daemon=True,
                        ).start()

        threading.Thread(target=accept, daemon=True).start()
        yield wire
        listener.shutdown(socket.SHUT_RDWR)
