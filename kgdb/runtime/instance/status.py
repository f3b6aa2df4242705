"""What the runtime tells about a server."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a server answers and how to get in."""

    uri: str
    username: str
    password: str = field(repr=False)

    def env_lines(self) -> str:
        """Lines a POSIX shell can ``eval``, for tools that read the usual variables."""
        values = {
            "NEO4J_URI": self.uri,
            "NEO4J_USERNAME": self.username,
            "NEO4J_PASSWORD": self.password,
        }
        return "\n".join(f"export {key}={shlex.quote(value)}" for key, value in values.items())


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """A server as it is now.

    ``state`` is ``running``, ``starting`` (or not answering) or ``stopped``; sizes are bytes.
    ``java``, the versions and the memory sizes are those of the running server, or, when it is
    stopped, ``None`` for what only a start decides. ``plugin_version`` is ``None`` when no
    plugin is installed; ``plugins`` are the files that the user added. ``store_size`` is 0 before
    the first start.
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
