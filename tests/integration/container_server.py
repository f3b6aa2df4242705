"""The test server as a container: ``pytest -m integration --server container``.

``KGDB_TEST_IMAGE`` names the image, by default the one that ``make images`` builds.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kgdb.graph.connection import database
from kgdb.runtime import Endpoint

IMAGE = os.environ.get("KGDB_TEST_IMAGE", "kgdb-neo4j")


@contextmanager
def container_server() -> Iterator[Endpoint]:
    """A new server, removed with its data afterwards."""
    from testcontainers.community.neo4j import Neo4jContainer
    from testcontainers.core.config import testcontainers_config

    # The fixture removes its container; the image of the reaper would be one more to download.
    testcontainers_config.ryuk_disabled = True
    password = secrets.token_urlsafe(24)
    container = Neo4jContainer(IMAGE, password=password, username="neo4j")
    container.with_env("KGDB_HEAP", "512m").with_env("KGDB_PAGE_CACHE", "128m")
    with pytest.MonkeyPatch.context() as patch, container:
        if IMAGE.endswith(":newest"):
            # A trial of the plugin on a server that kgdb would ask in plain Cypher.
            patch.setattr(database, "runs_plugin", lambda agent: True)
        yield Endpoint(container.get_connection_url(), container.username, password)
