"""Options of the commands that run a method: which one, and how it is set."""

from __future__ import annotations

from collections.abc import Sequence

import click

from kgdb.methods import NAMES

method_option = click.option(
    "--method", type=click.Choice(NAMES), default=NAMES[0], show_default=True, help="How."
)

explain_option = click.option("--explain", is_flag=True, help="Show what each stage considered.")

unsupported_option = click.option(
    "--allow-unsupported",
    is_flag=True,
    help="Show answers of the language model that no evidence proves too, as such.",
)


def assignments(_: click.Context, __: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """``OPTION=VALUE`` texts as a mapping; an option may be written ``max-hops`` too."""
    parsed = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise click.BadParameter(f"{text!r} is not of the form OPTION=VALUE.")
        parsed[name.strip().replace("-", "_")] = value.strip()
    return parsed


set_option = click.option(
    "--set",
    "given",
    multiple=True,
    metavar="OPTION=VALUE",
    callback=assignments,
    help="An option of the method; kgdb methods lists them. May be repeated.",
)
