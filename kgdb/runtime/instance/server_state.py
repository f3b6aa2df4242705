"""The stored state of a running server, and the public values: its endpoint and its status."""

from __future__ import annotations

import json
import shlex
import typing
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from kgdb.runtime.instance.instance_layout import Instance, read_json, write_atomically


@dataclass(frozen=True, slots=True)
class State:
    """A launched server.

    ``created`` is the time of its start in seconds since 1970; ``heap`` and ``page_cache`` are
    bytes; ``log_offset`` is the byte offset of its output in the console log; ``ready``: it has run
    a statement.
    """

    pid: int
    created: float
    bolt_port: int
    http_port: int
    heap: int
    page_cache: int
    java: str
    java_version: str
    neo4j_version: str
    gds_version: str
    log_offset: int
    ready: bool = False


def read(instance: Instance) -> State | None:
    """The stored state; ``None`` if it is missing or invalid."""
    content: dict[str, typing.Any] = read_json(instance.state) or {}
    try:
        state = State(**content)
    except TypeError:
        return None
    kinds = typing.get_type_hints(State)
    return state if all(type(getattr(state, name)) is kinds[name] for name in kinds) else None


def write(instance: Instance, state: State) -> None:
    """Store the state."""
    write_atomically(instance.state, json.dumps(asdict(state), indent=1) + "\n")


def remove(instance: Instance) -> None:
    """Delete the state, if there is one."""
    instance.state.unlink(missing_ok=True)


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
