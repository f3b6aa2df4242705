"""The local Neo4j: Java, jars, home folder, process, admin commands."""

from kgdb.runtime.server import LocalServer, instances
from kgdb.runtime.status import Endpoint, ServerStatus

__all__ = [
    "Endpoint",
    "LocalServer",
    "ServerStatus",
    "instances",
]
