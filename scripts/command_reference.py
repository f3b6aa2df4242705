"""Prints docs/reference/commands.md: the help of every command, as it is."""

from __future__ import annotations

import click

from kgdb.cli.main import COMMANDS, cli


def main() -> None:
    """Write the reference to standard output."""
    print("# Commands\n\nMade by `make docs` from the commands' own help.\n")
    context = click.Context(cli, info_name="kgdb", max_content_width=100)
    print(f"```text\n{cli.get_help(context)}\n```\n")
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        own = click.Context(command, info_name=f"kgdb {name}", max_content_width=100)
        own.terminal_width = 100
        print(f"## kgdb {name}\n\n```text\n{command.get_help(own)}\n```\n")


if __name__ == "__main__":
    main()
