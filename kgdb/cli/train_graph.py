"""``kgdb train graph``."""

from __future__ import annotations

from pathlib import Path

import click

from kgdb.cli.console import print_json
from kgdb.cli.options import connected, database_options, json_option
from kgdb.cli.train_relations import check_packages, show_trained, watching
from kgdb.cli.types import NamedPath


@click.command("graph", epilog="Example: kgdb train graph movies --output movies-relations")
@click.argument("graph")
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="The folder of the adapter. A stopped training goes on in it.",
)
@click.option("--rows", type=click.IntRange(min=100), help="Questions to make. [default: 4000]")
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Times that rows are seen.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Draws what is random.")
@database_options
@json_option
def graph_command(
    graph: str,
    output: Path,
    rows: int | None,
    epochs: int,
    seed: int,
    as_json: bool,
    **database: str | None,
) -> None:
    """Tune the encoder that chooses relations for GRAPH, from nothing but the graph.

    kgdb makes questions from the graph by templates, holds a share of them back, trains on the rest
    and tells how often the right chain comes first before and after. It takes minutes on two cores.
    """
    check_packages()
    from kgdb.language.catalog import minilm_folder
    from kgdb.training.corpus import ROWS, corpus_from_graph
    from kgdb.training.relations.settings import RelationTraining
    from kgdb.training.relations.training import train_relations

    settings = RelationTraining(epochs=epochs, held_back=0.0, seed=seed)
    with connected(**database) as connection:
        made, _ = corpus_from_graph(
            connection.graph(graph), rows=rows or ROWS, seed=seed, report=connection.report
        )
        trained = train_relations(
            made, minilm_folder(), output, settings, watching(connection.report)
        )
    if as_json:
        print_json(trained.to_dict())
    else:
        show_trained(trained)
