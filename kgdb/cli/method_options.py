"""Options of the commands that run a method: which one, and how it is set."""

from __future__ import annotations

import click

from kgdb.cli.assignments import settings
from kgdb.methods import METHOD_NAMES

method_option = click.option(
    "--method",
    type=click.Choice(METHOD_NAMES),
    default=METHOD_NAMES[0],
    show_default=True,
    help="How.",
)

explain_option = click.option("--explain", is_flag=True, help="Show what each stage considered.")

unsupported_option = click.option(
    "--allow-unsupported",
    is_flag=True,
    help="Show answers of the language model that no evidence proves too, as such.",
)


set_option = click.option(
    "--set",
    "given",
    multiple=True,
    metavar="OPTION=VALUE",
    callback=settings,
    help="An option of the method; kgdb methods lists them. May be repeated.",
)
