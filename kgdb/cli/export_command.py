"""``kgdb export``."""

from __future__ import annotations

from pathlib import Path

import click

from kgdb.cli.console import out, print_json
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, json_option
from kgdb.wording import counted, one_line

_FORMATS = ("parquet", "ntriples")


@click.command("export", epilog="Example: kgdb export demo demo-files")
@click.argument("graph")
@click.argument("folder", type=NamedPath(path_type=Path))
@click.option(
    "--format",
    "file_format",
    type=click.Choice(_FORMATS),
    default=_FORMATS[0],
    show_default=True,
    help="Parquet tables, or RDF.",
)
@json_option
def export_command(graph: str, folder: Path, file_format: str, as_json: bool) -> None:
    """Write a graph to files.

    The command creates FOLDER and writes all of GRAPH to it: entities, triples, literals and the
    texts of the relations. `kgdb load exported FOLDER` loads it again (RDF: `exported-ntriples`).
    """
    from kgdb.loading import export

    with connected() as connection:
        info = connection.graph(graph).info
        done = export(connection, info, folder, file_format=file_format, report=connection.report)
    if as_json:
        print_json(
            {
                "graph": info.name,
                "folder": str(folder),
                "format": file_format,
                "triples": done.triples,
                "literals": done.literals,
                "entities": done.entities,
                "relations": done.relations,
            }
        )
        return
    out.print(
        f"Exported {info.name} to {one_line(str(folder))}: {counted(done.triples, 'triple')}, "
        f"{counted(done.literals, 'literal')}, {counted(done.entities, 'entity', 'entities')}, "
        f"{counted(done.relations, 'relation')}.",
        markup=False,
    )
