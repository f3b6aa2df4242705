"""The state of a running server, in the file ``state.json`` of its instance."""

from __future__ import annotations

import json
import typing
from dataclasses import asdict, dataclass

from kgdb.runtime.instance.layout import Instance, read_json, write_atomically


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
