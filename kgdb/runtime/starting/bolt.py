"""Probes of a Bolt server: whether it answers, and whether it runs statements."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

from kgdb import halted_database
from kgdb.runtime.instance.server_state import Endpoint
from kgdb.runtime.machine.ports import HOST
from kgdb.shipped_files import statement

if TYPE_CHECKING:
    from neo4j import Driver

_STATUS = (
    "SHOW DATABASES YIELD name, currentStatus, statusMessage WHERE name = 'neo4j' "
    "RETURN currentStatus, statusMessage"
)
_MAGIC = bytes.fromhex("6060b017")
_VERSIONS = bytes.fromhex("00080805 00000404 00000000 00000000")  # 5.8 down to 5.0, or 4.4


class RefusedError(Exception):
    """The server does not run a statement.

    ``final``: waiting does not help; ``unstartable``: its database could not be started.
    """

    def __init__(self, reason: str, *, final: bool, unstartable: bool = False) -> None:
        super().__init__(reason)
        self.final = final
        self.unstartable = unstartable


def answers(port: int, timeout_s: float = 1.0) -> bool:
    """Whether a Bolt server on the loopback interface completes the handshake.

    Takes about a millisecond, without a password and without a session.
    """
    try:
        with socket.create_connection((HOST, port), timeout=timeout_s) as connection:
            connection.sendall(_MAGIC + _VERSIONS)
            agreed = connection.recv(4)
    except OSError:
        return False
    return len(agreed) == 4 and agreed != bytes(4)


def has_nodes(endpoint: Endpoint) -> bool:
    """Whether the server's database has any node."""
    with _driver(endpoint) as driver:
        records = driver.execute_query(statement("has_nodes"), database_="neo4j").records
    return bool(records[0]["used"])


def halt_reason(endpoint: Endpoint, timeout_s: float) -> str | None:
    """The reason why a local server's database halted; ``None`` if it runs, or does not answer."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        with _driver(endpoint, **_limits(timeout_s)) as driver:
            return halted_database.halt_reason(driver, "neo4j", ours=True)
    except (DriverError, Neo4jError):
        return None


def require_service(endpoint: Endpoint, timeout_s: float) -> None:
    """Run a statement; raises :class:`RefusedError` if the server does not run it."""
    from neo4j.exceptions import AuthError, DatabaseUnavailable, DriverError, Neo4jError

    try:
        with _driver(endpoint, **_limits(timeout_s)) as driver:
            try:
                driver.execute_query("RETURN 1", database_="neo4j")
            except DatabaseUnavailable as error:
                (row,) = driver.execute_query(_STATUS, database_="system").records
                failed = row["currentStatus"] == "offline" and bool(row["statusMessage"])
                reason = row["statusMessage"] or str(error)
                raise RefusedError(reason, final=False, unstartable=failed) from error
    except (DriverError, Neo4jError) as error:
        raise RefusedError(str(error), final=isinstance(error, AuthError)) from error


def _driver(endpoint: Endpoint, **limits: Any) -> Driver:
    # Imported late: the import takes half a second, which fast commands should not pay.
    from neo4j import GraphDatabase

    login = (endpoint.username, endpoint.password)
    return GraphDatabase.driver(endpoint.uri, auth=login, telemetry_disabled=True, **limits)


def _limits(timeout_s: float) -> dict[str, float]:
    """The options of a driver that gives up after so many seconds."""
    return {
        "connection_timeout": timeout_s,
        "connection_acquisition_timeout": timeout_s,
        "max_transaction_retry_time": 0,
    }
