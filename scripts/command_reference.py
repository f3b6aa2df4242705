"""The page reference/commands.md: the help of every command, word for word."""

from __future__ import annotations

import click

from kgdb.cli.main import COMMANDS, cli

HEAD = """# Commands

The help of all commands, as `kgdb COMMAND --help` prints it.

"""


def page() -> str:
    """The page with the help of all commands."""
    context = cli.make_context("kgdb", [], resilient_parsing=True, max_content_width=100)
    parts = [HEAD, f"```text\n{cli.get_help(context)}\n```\n"]
    for name in COMMANDS:
        parts += sections(cli, name, context)
    return "".join(parts)


def sections(group: click.Group, name: str, parent: click.Context) -> list[str]:
    """The help of a command, and of those in it where it is a group."""
    command = group.get_command(parent, name)
    assert command is not None
    own = click.Context(command, parent=parent, info_name=name)
    own.terminal_width = 100
    level = "#" * len(own.command_path.split())
    parts = [f"\n{level} {own.command_path}\n\n```text\n{command.get_help(own)}\n```\n"]
    for each in command.list_commands(own) if isinstance(command, click.Group) else ():
        parts += sections(command, each, own)
    return parts
