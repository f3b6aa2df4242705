"""The methods, as ``kgdb answer --methods`` shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

from rich.text import Text

from kgdb.cli.console import out, print_json
from kgdb.cli.option_tables import show_options
from kgdb.methods import all_methods, kind_of
from kgdb.methods.options import describe


def show_methods(names: Sequence[str], *, as_json: bool) -> None:
    """Print these methods, or all, with the options that ``--set`` takes."""
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
