"""The public values about a server: its endpoint and its status."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address and the login of a server."""

    uri: str
    username: str
    password: str = field(repr=False)

    def env_lines(self) -> str:
        """Shell lines that export the usual variables, for ``eval`` in a POSIX shell."""
        values = {
            "NEO4J_URI": self.uri,
            "NEO4J_USERNAME": self.username,
            "NEO4J_PASSWORD": self.password,
        }
        return "\n".join(f"export {key}={shlex.quote(value)}" for key, value in values.items())


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The present status of a server.

    ``state`` is ``running``, ``starting`` (or not answering) or ``stopped``; sizes are bytes.
    ``java``, the versions and the memory sizes are those of the running server. For a stopped
    server, values that only a start decides are ``None``. ``plugin_version`` is ``None`` without an
    installed plugin; ``plugins`` are the files of the user. ``store_size`` is 0 before the first
    start.
    """

    instance: str
    state: str
    pid: int | None
    endpoint: Endpoint | None
    java: str | None
    neo4j_version: str
    gds_version: str
    plugin_version: str | None
    plugins: tuple[str, ...]
    home: Path
    log: Path
    started_at: datetime | None
    heap: int | None
    page_cache: int | None
    store_size: int
