"""Which versions of Neo4j kgdb works with."""

from __future__ import annotations

import re

from kgdb.errors import ConnectionFailed
from kgdb.wording import short

SUPPORTED = "5.26 and later 5.x"

_AGENT = re.compile(r"Neo4j/(\d+)\.(\d+)")
_FIRST = (5, 26)
YEARS: frozenset[int] = frozenset()
"""The supported lines that are numbered by year. The plugin uses internals of Neo4j that 2026.x has
changed, so none is; a test run on such a server names its year here."""


def unsupported(agent: str, uri: str) -> ConnectionFailed | None:
    """The error for a server of another version, or one that is no Neo4j; else ``None``.

    ``agent`` is what the server calls itself, such as ``Neo4j/5.26.23``.
    """
    match = _AGENT.match(agent)
    if match is not None:
        major, minor = int(match[1]), int(match[2])
        if major in YEARS or (major == _FIRST[0] and minor >= _FIRST[1]):
            return None
    return ConnectionFailed(
        f"The server at {uri} is {short(agent)}; kgdb supports Neo4j {SUPPORTED}.",
        hint="Use a server of these, or unset NEO4J_URI to use the local one (kgdb up).",
    )
