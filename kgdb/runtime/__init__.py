"""The local Neo4j: Java, jars, home folder, process, admin commands."""

from kgdb.runtime.importing import ARRAY_DELIMITER, ImportOptions
from kgdb.runtime.server import LocalServer, instances, local_server
from kgdb.runtime.status import Endpoint, ServerStatus

__all__ = [
    "ARRAY_DELIMITER",
    "Endpoint",
    "ImportOptions",
    "LocalServer",
    "ServerStatus",
    "instances",
    "local_server",
]
