"""Options that several commands share: the database, the models, the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from kgdb.api import open_connection
from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.connection import Connection

_Command = TypeVar("_Command", bound=Callable[..., Any])


cache_option = click.option(
    "--no-cache",
    "cache",
    flag_value=False,
    default=None,
    type=bool,
    help="Ignore cached replies of the language model. [env: KGDB_CACHE=off]",
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
    """``--llm``, ``--encoder`` and ``--no-cache``."""
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
                help="minilm, minilm:base, minilm+FOLDER, hf:NAME_OR_FOLDER or openai:MODEL@URL. "
                "[env: KGDB_ENCODER; default: minilm]",
            ),
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
    with reporting() as report, open_connection(settings_of(**arguments), report) as connection:
        yield connection
