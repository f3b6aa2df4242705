"""Which versions of Neo4j kgdb works with, and on which of them its plugin runs."""

from __future__ import annotations

import re

from kgdb.errors import ConnectionFailed
from kgdb.wording import short

PLUGIN_RUNS_ON = "Neo4j 5.26 and later 5.x"

_AGENT = re.compile(r"Neo4j/(\d+)\.(\d+)")
_OLDEST = (5, 26)


def unsupported(agent: str, uri: str) -> ConnectionFailed | None:
    """The error for a server that is too old, or no Neo4j; else ``None``.

    ``agent`` is what the server calls itself, such as ``Neo4j/5.26.23`` or ``Neo4j/2026.08.1``.
    """
    version = _version(agent)
    if version is not None and version >= _OLDEST:
        return None
    return ConnectionFailed(
        f"The server at {uri} is {short(agent)}; kgdb needs Neo4j 5.26 or later.",
        hint="Use such a server, or unset NEO4J_URI to use the local one (kgdb up).",
    )


def runs_plugin(agent: str) -> bool:
    """Whether the plugin works on a server.

    It uses internals of Neo4j, and the versions that are numbered by year have changed them.
    """
    version = _version(agent)
    return version is not None and _OLDEST <= version < (6, 0)


def _version(agent: str) -> tuple[int, int] | None:
    match = _AGENT.match(agent)
    return (int(match[1]), int(match[2])) if match else None
