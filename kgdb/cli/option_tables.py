"""The options of methods and loaders as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from kgdb.cli.console import out
from kgdb.wording import one_line


def show_options(groups: Mapping[str, Iterable[Sequence[str]]]) -> None:
    """Print one table of options, each with its name, what it takes, its default and its help.

    The options of each group stand below its title; a group without a title has no heading.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("option", no_wrap=True, style="cyan")
    table.add_column("takes", max_width=40, overflow="fold")
    table.add_column("default", max_width=40, overflow="fold")
    table.add_column("help", max_width=80, overflow="fold")
    for title, options in groups.items():
        if title:
            table.add_row(Text(title, style="bold default"))
        for option in options:
            table.add_row(*(Text(one_line(text)) for text in option))
    out.print(table, soft_wrap=False)
