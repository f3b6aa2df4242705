"""Every ``kgdb`` command that a page shows is one that the command line accepts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from kgdb.cli.main import COMMANDS, cli

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands() -> dict[str, str]:
    """The commands of all pages, each with the page that shows it."""
    return {
        line: str(path.relative_to(ROOT))
        for path in PAGES
        for block in re.findall(
            r"^```console\n(.*?)^```", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
        for line in re.findall(r"^\$ (?:\w+=\S+ )*(kgdb .*)$", block, re.MULTILINE)
    }


COMMANDS_SHOWN = commands()


@pytest.mark.parametrize("line", COMMANDS_SHOWN)
def test_a_command_is_accepted(line: str) -> None:
    words = shlex.split(line.partition(" < ")[0], comments=True)
    name, *arguments = words[1:]
    assert name in COMMANDS, COMMANDS_SHOWN[line]
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    try:
        command.make_context(name, arguments, parent=click.Context(cli), resilient_parsing=False)
    except click.BadParameter as error:
        # The files of the examples are not here.
        if "does not exist" not in error.message:
            raise


def test_pages_show_many_commands() -> None:
    assert len(COMMANDS_SHOWN) > 50
