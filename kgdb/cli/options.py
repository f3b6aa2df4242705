"""Options that several commands share: the database, the models, the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from kgdb.api import open_connection
from kgdb.cli.console import reporting
from kgdb.cli.types import NamedPath
from kgdb.connection import Connection
from kgdb.settings import PLUGIN_MODES, load_settings

_Command = TypeVar("_Command", bound=Callable[..., Any])


def database_options(command: _Command) -> _Command:
    """``--uri`` and the other options of the database."""
    for option in reversed(
        (
            click.option(
                "--uri", help="Use this server instead of the local one. [env: NEO4J_URI]"
            ),
            click.option("--username", help="Its user. [env: NEO4J_USERNAME; default: neo4j]"),
            click.option("--password", help="Its password. [env: NEO4J_PASSWORD]"),
            click.option("--database", help="Its database. [env: NEO4J_DATABASE; default: neo4j]"),
            click.option(
                "--plugin",
                type=click.Choice(PLUGIN_MODES),
                help="Use its kgdb plugin or plain Cypher. [env: KGDB_PLUGIN; default: auto]",
            ),
            instance_option,
        )
    ):
        command = option(command)
    return command


def instance_option(command: _Command) -> _Command:
    """``--instance``: the local server."""
    return click.option(
        "--instance", help="Name of the local server. [env: KGDB_INSTANCE; default: default]"
    )(command)


cache_option = click.option(
    "--no-cache",
    "cache",
    flag_value=False,
    default=None,
    type=bool,
    help="Ignore cached replies of the language model. [env: KGDB_CACHE=off]",
)

expert_option = click.option(
    "--expert",
    help="encoder, or the FOLDER of kgdb train expert: who judges RefKG's evidence. "
    "[env: KGDB_EXPERT; default: encoder]",
)

verifier_option = click.option(
    "--verifier",
    help="rules, or the FOLDER of kgdb train verifier: who judges RefKG's checks of a claim. "
    "[env: KGDB_VERIFIER; default: rules]",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")

graph_option = click.option("--graph", help="The loaded graph; required if there are several.")

html_option = click.option(
    "--html",
    "page",
    type=NamedPath(path_type=Path, dir_okay=False),
    help="Also write a page with the evidence drawn; any browser opens it without a network.",
)

verbose_option = click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Without a terminal, print a line for each finished stage.",
)


def model_options(command: _Command) -> _Command:
    """``--llm``, ``--encoder``, ``--expert``, ``--verifier`` and ``--no-cache``."""
    for option in reversed(
        (
            click.option(
                "--llm",
                help="smollm2, hf:NAME, openai:MODEL, openai:MODEL@URL, vllm:NAME or none: see "
                "docs/how-to/language-models.md. "
                "[env: KGDB_LLM; default: smollm2]",
            ),
            click.option(
                "--encoder",
                help="minilm, minilm:base, minilm+FOLDER or hf:NAME_OR_FOLDER. "
                "[env: KGDB_ENCODER; default: minilm]",
            ),
            expert_option,
            verifier_option,
            cache_option,
        )
    ):
        command = option(command)
    return command


data_option = click.option(
    "--data",
    envvar="KGDB_DATA",
    type=NamedPath(path_type=Path),
    default="data",
    show_default=True,
    help="Folder that holds metaqa/, webqsp/ and so on. [env: KGDB_DATA]",
)
"""Where published question sets lie."""


@contextmanager
def connected(**arguments: str | bool | None) -> Iterator[Connection]:
    """A connection for one command; its progress is shown."""
    settings = load_settings(**arguments)
    with reporting() as report, open_connection(settings, report) as connection:
        yield connection
