"""The options of the connection: declared once, taken by every command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from kgdb.settings import Settings, load_settings

_Command = TypeVar("_Command", bound=Callable[..., Any])

CONNECTION = ("--uri", "--username", "--password", "--database", "--instance")
"""They belong to the connection and not to a command: they may stand before its name or behind."""


def connection_options(group: _Command) -> _Command:
    """``--uri`` and the other options of the connection, which every command takes."""
    for option in reversed(
        (
            click.option(
                "--uri", help="Use this server instead of the local one. [env: NEO4J_URI]"
            ),
            click.option("--username", help="Its user. [env: NEO4J_USERNAME; default: neo4j]"),
            click.option("--password", help="Its password. [env: NEO4J_PASSWORD]"),
            click.option("--database", help="Its database. [env: NEO4J_DATABASE; default: neo4j]"),
            click.option(
                "--instance",
                help="Name of the local server. [env: KGDB_INSTANCE; default: default]",
            ),
        )
    ):
        group = option(group)
    return group


def settings_of(**arguments: object) -> Settings:
    """The settings of a command: those of the connection, and its own ``arguments``."""
    root = click.get_current_context().find_root().params
    given = {name: root.get(name) for name in (option.removeprefix("--") for option in CONNECTION)}
    return load_settings(**{**given, **arguments})
