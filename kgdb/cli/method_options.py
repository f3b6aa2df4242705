"""Options of the commands that run a method: the method, its options, what is shown."""

from __future__ import annotations

import click

from kgdb.cli.assignments import settings
from kgdb.methods import FORM_NAMES, METHOD_NAMES

method_option = click.option(
    "--method",
    type=click.Choice(METHOD_NAMES),
    default=METHOD_NAMES[0],
    show_default=True,
    help="The method; kgdb methods describes each.",
)

form_option = click.option(
    "--form",
    type=click.Choice(FORM_NAMES),
    default=FORM_NAMES[0],
    show_default=True,
    help="What an answer is: entities with their paths, or a text that cites its facts.",
)

explain_option = click.option("--explain", is_flag=True, help="Show what each stage considered.")

thought_option = click.option(
    "--show-thought", is_flag=True, help="Show the graph of thought, with the facts found for it."
)

unsupported_option = click.option(
    "--allow-unsupported",
    is_flag=True,
    help="Also show answers of the language model that no evidence proves, marked as unsupported.",
)

set_option = click.option(
    "--set",
    "given",
    multiple=True,
    metavar="OPTION=VALUE",
    callback=settings,
    help="An option of the method; kgdb methods lists them. May be repeated.",
)
