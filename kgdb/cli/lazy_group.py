"""A group whose commands are imported when they are called."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from kgdb.cli.parameter_types import with_whole_texts


@contextmanager
def hidden(*packages: str) -> Iterator[None]:
    """Within, these packages are as if they were not installed, unless they are imported already.

    The Neo4j driver imports pandas and pyarrow where it finds them, which takes as long as all of
    kgdb, and no command passes it a frame.
    """
    absent = [name for name in packages if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


class CommandEntry(NamedTuple):
    """The module of a package that holds a command, and what the list of commands says of it."""

    module: str
    summary: str
    package: str = "kgdb.cli"
    section: str = "Commands"


class LazyGroup(click.Group):
    """Imports a command when it is called: the list of commands, and its completion, stay fast.

    The command ``answer`` of ``entries`` is ``answer_command`` in its module.
    """

    def __init__(
        self,
        *args: Any,
        entries: Mapping[str, CommandEntry],
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.entries = entries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Every command."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command, imported now."""
        if cmd_name not in self.entries:
            return None
        with hidden("pandas", "pyarrow"):
            entry = self.entries[cmd_name]
            module = importlib.import_module(f"{entry.package}.{entry.module}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return with_whole_texts(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands by their sections, without importing them."""
        by_section = groupby(self.entries.items(), key=lambda item: item[1].section)
        for section, entries in by_section:
            with formatter.section(section):
                formatter.write_dl([(name, entry.summary) for name, entry in entries])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing one, or the group's own options."""
        names = [
            CompletionItem(name, help=entry.summary)
            for name, entry in self.entries.items()
            if name.startswith(incomplete)
        ]
        return names + click.Command.shell_complete(self, ctx, incomplete)
