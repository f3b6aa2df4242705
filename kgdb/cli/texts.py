"""``kgdb texts``."""

from __future__ import annotations

from pathlib import Path

import click

from kgdb.cli.console import out
from kgdb.cli.options import connected
from kgdb.cli.types import NamedPath
from kgdb.wording import counted


@click.command("texts", epilog="Example: kgdb texts movies")
@click.argument("graph")
@click.option(
    "--set",
    "file",
    type=NamedPath(path_type=Path, exists=True, dir_okay=False),
    help="A TOML file with the texts, as this command prints them.",
)
def texts_command(graph: str, file: Path | None) -> None:
    """Print the texts of a graph's relations as TOML, or replace them.

    kgdb compares questions with these texts. Edit what the command prints, and give the file to
    --set. Relations that the file leaves out keep their texts.
    """
    from kgdb.loading import print_texts, set_texts

    with connected() as connection:
        kg = connection.graph(graph)
        if file is None:
            click.echo(print_texts(kg.relations.values()), nl=False)
            return
        content = file.read_text(encoding="utf-8")
        changed = set_texts(
            connection, kg.info, content, encoder=connection.encoder, report=connection.report
        )
    out.print(f"Set the texts of {counted(changed, 'relation')}.", markup=False)
