"""``kgdb methods``."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby

import click
from rich.text import Text

from kgdb.cli.console import out, print_json
from kgdb.cli.option_tables import show_options
from kgdb.cli.options import json_option
from kgdb.methods import all_methods, kind_of
from kgdb.methods.options import describe


@click.command(
    "methods",
    epilog="Example: kgdb methods refkg",
)
@click.argument("names", nargs=-1, metavar="[METHOD]...")
@json_option
def methods_command(names: tuple[str, ...], as_json: bool) -> None:
    """List the methods that --method takes, or only those named, with the options --set takes."""
    listed = {name: kind_of(name) for name in names or all_methods()}
    if as_json:
        print_json(
            {
                name: {
                    "summary": kind.summary,
                    "options": [asdict(option) for option in describe(kind.options)],
                }
                for name, kind in listed.items()
            }
        )
        return
    for name, kind in listed.items():
        out.print(Text(f"\n{name}", style="bold"))
        out.print(Text(kind.summary))
        show_options(
            {
                group: [(o.name, o.takes, o.default, o.help) for o in options]
                for group, options in groupby(describe(kind.options), key=lambda o: o.group)
            }
        )
