"""``kgdb methods``."""

from __future__ import annotations

from dataclasses import asdict

import click
from rich.text import Text

from kgdb.cli.console import out, print_json
from kgdb.cli.option_tables import show_options
from kgdb.cli.options import json_option
from kgdb.methods import KINDS
from kgdb.methods.describing import describe, summaries


@click.command(
    "methods",
    epilog="Example: kgdb methods refkg",
)
@click.argument("names", nargs=-1, type=click.Choice(list(KINDS)), metavar="[METHOD]...")
@json_option
def methods_command(names: tuple[str, ...], as_json: bool) -> None:
    """List the methods that --method takes, or only those named, with the options --set takes."""
    texts = summaries({name: kind.make for name, kind in KINDS.items()})
    listed = {
        name: (texts[name], describe(kind.options))
        for name, kind in KINDS.items()
        if name in names or not names
    }
    if as_json:
        print_json(
            {
                name: {"summary": text, "options": [asdict(option) for option in options]}
                for name, (text, options) in listed.items()
            }
        )
        return
    for name, (text, options) in listed.items():
        out.print(Text(f"\n{name}", style="bold"))
        out.print(Text(text))
        show_options((o.name, o.values, o.default, o.text) for o in options)
