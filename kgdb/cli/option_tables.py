"""The options of methods and loaders as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from kgdb.cli.console import out
from kgdb.wording import one_line


def show_options(options: Iterable[Sequence[str]]) -> None:
    """Print a table of options: of each its name, what it takes, its default and its meaning."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("option", no_wrap=True, style="cyan")
    table.add_column("takes", no_wrap=True)
    table.add_column("default", max_width=40, overflow="fold")
    table.add_column("what it is for", max_width=80, overflow="fold")
    for option in options:
        table.add_row(*(Text(one_line(text)) for text in option))
    out.print(table, soft_wrap=False)
