"""``kgdb lab train graph``."""

from __future__ import annotations

from pathlib import Path

import click

from kgdb.cli.shared_options import connected, json_option
from kgdb.lab.cli.train_relations import check_packages, show_trained
from kgdb.lab.cli.training_options import folder_option, setting_options
from kgdb.lab.training.relations.relation_settings import RANGES, RelationTraining
from kgdb.settings import Settings


@click.command("graph", epilog="Example: kgdb lab train graph movies --output movies-relations")
@click.argument("graph")
@folder_option
@click.option("--rows", type=click.IntRange(min=100), help="Questions to make. [default: 4000]")
@setting_options(RelationTraining(), RANGES, "epochs", "seed")
@json_option
def graph_command(
    graph: str,
    output: Path,
    rows: int | None,
    epochs: int,
    seed: int,
    as_json: bool,
) -> None:
    """Tune the encoder that chooses relations for GRAPH, from nothing but the graph.

    kgdb makes questions from the graph by templates, holds a share of them back, trains on the rest
    and tells how often the right chain comes first: before, after, and with the default encoder. It
    takes minutes on two cores.
    """
    check_packages()
    from kgdb.lab.training.corpus import ROWS, corpus_from_graph
    from kgdb.lab.training.relations.choice import right_first
    from kgdb.lab.training.relations.relation_training import train_relations
    from kgdb.lab.training.relations.rows_for_training import split
    from kgdb.language.model_catalog import load_relation_encoder, minilm_folder

    settings = RelationTraining(epochs=epochs, held_back=0.0, seed=seed)
    with connected() as connection:
        made, _ = corpus_from_graph(
            connection.graph(graph), rows=rows or ROWS, seed=seed, report=connection.report
        )
        made = list(made)
        trained = train_relations(made, minilm_folder(), output, settings, connection.report)
    shipped = load_relation_encoder(Settings())
    dev = split(made, settings).dev
    default = right_first(shipped, dev) if shipped and dev else None
    show_trained(trained, output, as_json=as_json, default=default)
