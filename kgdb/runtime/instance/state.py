"""What is known of a running server: the file ``state.json`` of its instance."""

from __future__ import annotations

import json
import typing
from dataclasses import asdict, dataclass

from kgdb.runtime.instance.layout import Instance, read_json, write_atomically


@dataclass(frozen=True, slots=True)
class State:
    """A launched server.

    ``created`` is its start as seconds since 1970, ``heap`` and ``page_cache`` are bytes,
    ``log_offset`` is where its output begins in the console log; ``ready`` once it has run a
    statement.
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
    """The stored state; ``None`` if there is none or it is not readable as one."""
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
    """Forget the state, if there is one."""
    instance.state.unlink(missing_ok=True)
