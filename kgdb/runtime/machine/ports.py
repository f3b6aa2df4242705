"""The ports of a server on the loopback interface."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Collection

import psutil

from kgdb.errors import ServerError

HOST = "127.0.0.1"
FIRST_PORT = 7687
_SEARCH_RANGE = 200
_PATIENCE_S = 2.0
_POLL_S = 0.02


def choose_bolt_port(requested: int, last: int | None, reserved: Collection[int]) -> int:
    """A free port on the loopback interface.

    That is the requested port, if it is not 0; else the port of the last start; else the first free
    port from 7687 on that no other instance, running or not, has (``reserved``). Raises
    :class:`ServerError` if the requested port is taken, with the process if known.
    """
    if last and requested in (0, last) and _becomes_free(last):
        return last
    if requested:
        require_free(requested, "KGDB_BOLT_PORT")
        return requested
    for port in range(FIRST_PORT, FIRST_PORT + _SEARCH_RANGE):
        if port not in reserved and is_free(port):
            return port
    raise ServerError(
        f"No port from {FIRST_PORT} to {FIRST_PORT + _SEARCH_RANGE - 1} is free on {HOST}.",
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
    """Whether a server can listen on the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # The server sets it too: a port with connections in TIME_WAIT counts as free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _becomes_free(port: int) -> bool:
    """Whether the port is free within a moment: a killed server needs one to release it."""
    deadline = time.monotonic() + _PATIENCE_S
    while not (free := is_free(port)) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    return free


def listens(pid: int, port: int) -> bool | None:
    """Whether a process listens on the port; ``None`` if the operating system does not show it."""
    try:
        connections = psutil.Process(pid).net_connections("tcp")
    except psutil.Error:
        return None
    return any(
        connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
        for connection in connections
        if connection.laddr
    )


def holder(port: int) -> str:
    """The clause `` by process …``, if the operating system shows the process to this user."""
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
