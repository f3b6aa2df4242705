"""The local server: a Neo4j that kgdb downloads, starts, stops and fills."""

from kgdb.runtime.importing.bulk_import import ARRAY_DELIMITER, ImportOptions
from kgdb.runtime.instance.status import Endpoint, ServerStatus
from kgdb.runtime.server import LocalServer, instances, local_server

__all__ = [
    "ARRAY_DELIMITER",
    "Endpoint",
    "ImportOptions",
    "LocalServer",
    "ServerStatus",
    "instances",
    "local_server",
]
