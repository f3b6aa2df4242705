"""The methods and the loaders with their options, as ``--methods`` and ``--list`` show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.text import Text

from kgdb.cli.console import out, plain_table, print_json
from kgdb.wording import one_line

if TYPE_CHECKING:
    from kgdb.loading.loaders.loader_spec import LoaderSpec, SourceSpec


def show_options(groups: Mapping[str, Iterable[Sequence[str]]]) -> None:
    """Print one table of options, each with its name, what it takes, its default and its help.

    The options of each group stand below its title; a group without a title has no heading.
    """
    table = plain_table()
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


def show_methods(names: Sequence[str], *, as_json: bool) -> None:
    """Print these methods, or all, with the options that ``--set`` takes."""
    from kgdb.methods import all_methods, kind_of
    from kgdb.methods.option_declarations import describe

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


def show_loaders(names: Sequence[str], *, as_json: bool) -> None:
    """Print these loaders, or all of kgdb, with their files and options."""
    from kgdb.loading import available, read_spec

    specs = {name: read_spec(name) for name in names or available()}
    if as_json:
        print_json({name: _spec_json(spec) for name, spec in specs.items()})
        return
    for name, spec in specs.items():
        out.print(Text(f"\n{one_line(name)}", style="bold"))
        title = f"licence: {spec.licence}"
        if spec.title != name:
            title = f"{spec.title} ({title})"
        out.print(Text(one_line(title)))
        for file, expected in _input_files(spec).items():
            out.print(Text(one_line(f"  {file}: {expected}")))
        if spec.options:
            show_options(
                {
                    "": [
                        (key, "|".join(option.choices) or "TEXT", option.default, option.help)
                        for key, option in spec.options.items()
                    ]
                }
            )


def _spec_json(spec: LoaderSpec) -> dict[str, Any]:
    return {
        "title": spec.title,
        "licence": spec.licence,
        "reads": _input_files(spec),
        "options": [{"name": key, **asdict(option)} for key, option in spec.options.items()],
    }


def _input_files(spec: LoaderSpec) -> dict[str, str]:
    """The files of the loader, and the expected content of each with the default options."""
    from kgdb.loading.loaders.templating import substitute_source

    options = spec.option_values({})
    return {
        _file(source, first=position == 0): substitute_source(source, options).input.expected
        for position, source in enumerate(spec.sources)
    }


def _file(source: SourceSpec, *, first: bool) -> str:
    """How the command finds the file: SOURCE, or a file beside it or in it."""
    if source.shipped:
        return f"{source.shipped.name} (ships with the loader)"
    if first:
        return f"SOURCE, or {source.file} in it" if source.file else "SOURCE"
    return f"{source.file}{' (optional)' if source.optional else ''}"
