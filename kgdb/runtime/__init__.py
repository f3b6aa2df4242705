"""The local server: a Neo4j that kgdb downloads, starts, stops and fills."""

from kgdb.runtime.importing.store_import import (
    ARRAY_DELIMITER,
    ImportOptions,
    Inputs,
    file_arguments,
)
from kgdb.runtime.instance.server_state import Endpoint, ServerStatus
from kgdb.runtime.local_server import LocalServer, instances, local_server

__all__ = [
    "ARRAY_DELIMITER",
    "Endpoint",
    "ImportOptions",
    "Inputs",
    "LocalServer",
    "ServerStatus",
    "file_arguments",
    "instances",
    "local_server",
]
