"""The commands of this package, as the groups list them."""

from __future__ import annotations

from kgdb.cli.lazy_group import CommandEntry


def entry(module: str, summary: str) -> CommandEntry:
    """A command in a module of this package."""
    return CommandEntry(module, summary, __package__)
