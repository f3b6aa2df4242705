"""Which Bolt port a server listens on."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Collection

import psutil

from kgdb.errors import ServerError

HOST = "127.0.0.1"
FIRST_PORT = 7687
_SEARCHED = 200
_PATIENCE_S = 2.0
_POLL_S = 0.02


def choose_bolt_port(wanted: int, last: int | None, reserved: Collection[int]) -> int:
    """A free port on the loopback interface.

    The wanted one, which must be free; for 0 the last one used; else the first from 7687 on that
    no other instance uses, whether it runs now or not (``reserved``). Raises
    :class:`ServerError`, naming a wanted port that is taken and, if that can be told, by whom.
    """
    if last and wanted in (0, last) and _becomes_free(last):
        return last
    if wanted:
        require_free(wanted, "KGDB_BOLT_PORT")
        return wanted
    for port in range(FIRST_PORT, FIRST_PORT + _SEARCHED):
        if port not in reserved and is_free(port):
            return port
    raise ServerError(
        f"No port from {FIRST_PORT} to {FIRST_PORT + _SEARCHED - 1} is free on {HOST}.",
        hint="Choose one with KGDB_BOLT_PORT.",
    )


def require_free(port: int, setting: str) -> None:
    """Raise :class:`ServerError` if something listens on the port."""
    if not is_free(port):
        raise ServerError(
            f"Port {port} on {HOST} is taken{holder(port)}.",
            hint=f"Stop that process, or choose another port with {setting}.",
        )


def is_free(port: int) -> bool:
    """Whether a server could listen on the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # As the server does: a port whose last connections are still fading is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _becomes_free(port: int) -> bool:
    """Whether the port is free, or is so in a moment: a killed server takes one to let go."""
    deadline = time.monotonic() + _PATIENCE_S
    while not (free := is_free(port)) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    return free


def holder(port: int) -> str:
    """`` by process …``, as far as the operating system tells it to this user."""
    try:
        for connection in psutil.net_connections("tcp"):
            address = connection.laddr
            if connection.status == psutil.CONN_LISTEN and address and address.port == port:
                if connection.pid:
                    return f" by process {connection.pid} ({psutil.Process(connection.pid).name()})"
                break
    except psutil.Error:
        pass
    return " by another process"
