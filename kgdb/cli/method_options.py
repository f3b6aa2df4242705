"""Options of the commands that run a method: the method, its options, what is shown."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from kgdb.cli.parameter_types import settings
from kgdb.methods import DEFAULT, FORM_NAMES, METHODS


class MethodName(click.ParamType[str]):
    """The name of a method of any package; those of this one are completed."""

    name = "name"

    def __init__(self, *, several: bool = False) -> None:
        self.several = several

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> str:
        """The name, or each of several once; making the methods finds what is none."""
        if not self.several:
            return value
        names = [name.strip() for name in value.split(",")]
        return ",".join(dict.fromkeys(METHODS if names == ["all"] else names))

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        """The methods that begin so."""
        return [CompletionItem(name) for name in METHODS if name.startswith(incomplete)]


method_option = click.option(
    "--method",
    type=MethodName(),
    default=DEFAULT,
    show_default=True,
    help=f"The method: {', '.join(METHODS)}, or another of kgdb answer --methods.",
)

methods_option = click.option(
    "--method",
    type=MethodName(several=True),
    default=DEFAULT,
    show_default=True,
    help=f"The method: {', '.join(METHODS)}, or another of --methods. Several with commas "
    "between, or all, answer beside each other.",
)

list_option = click.option(
    "--methods",
    "listed",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="List the methods, or one, with the options for --set.",
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
    help="An option of the method; kgdb answer --methods lists them. May be repeated.",
)

text_option = click.option(
    "--text",
    "text_file",
    type=click.File("rb"),
    help="A file with a text to judge sentence by sentence; - is standard input.",
)
