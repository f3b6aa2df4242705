"""``kgdb loaders``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from kgdb.cli.console import out, print_json
from kgdb.cli.option_tables import show_options
from kgdb.cli.options import json_option
from kgdb.wording import one_line

if TYPE_CHECKING:
    from kgdb.loading.loaders.spec import LoaderSpec, SourceSpec


@click.command(
    "loaders",
    short_help="List the loaders and their options.",
    epilog="Example: kgdb loaders freebase",
)
@click.argument("names", nargs=-1, metavar="[LOADER]...")
@json_option
def loaders_command(names: tuple[str, ...], as_json: bool) -> None:
    """List the loaders that kgdb load takes, with what they read and the options --set takes.

    LOADER is one that comes with kgdb, or a loader file of your own (mine.toml). Without any, all
    that come with kgdb are listed.
    """
    from kgdb.loading import available, read_spec

    specs = {name: read_spec(name) for name in names or available()}
    if as_json:
        print_json({name: _spec_json(spec) for name, spec in specs.items()})
        return
    for name, spec in specs.items():
        out.print(Text(f"\n{one_line(name)}", style="bold"))
        about = f"licence: {spec.licence}"
        if spec.title != name:
            about = f"{spec.title} ({about})"
        out.print(Text(one_line(about)))
        for file, expected in _input_files(spec).items():
            out.print(Text(one_line(f"  {file}: {expected}")))
        if spec.options:
            show_options(
                (key, "|".join(option.choices) or "TEXT", option.default, option.help)
                for key, option in spec.options.items()
            )


def _spec_json(spec: LoaderSpec) -> dict[str, Any]:
    return {
        "title": spec.title,
        "licence": spec.licence,
        "reads": _input_files(spec),
        "options": [{"name": key, **asdict(option)} for key, option in spec.options.items()],
    }


def _input_files(spec: LoaderSpec) -> dict[str, str]:
    """The files that it reads, and what each must hold where no option is given."""
    from kgdb.loading.loaders.templating import substitute_source

    options = spec.option_values({})
    return {
        _file(source, first=place == 0): substitute_source(source, options).input.expected
        for place, source in enumerate(spec.sources)
    }


def _file(source: SourceSpec, *, first: bool) -> str:
    """How the command finds it: SOURCE, or a file beside that or in it."""
    if source.shipped:
        return f"{source.shipped.name}, which comes with it"
    if first:
        return f"SOURCE, or {source.file} in it" if source.file else "SOURCE"
    return f"{source.file}{', if there is one' if source.optional else ''}"
