"""``kgdb lab train expert``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import json_option
from kgdb.lab.training.expert import HIDDEN, RANGES, ExpertTraining, train_expert
from kgdb.settings import load_settings
from kgdb.wording import one_line

if TYPE_CHECKING:
    from kgdb.lab.training.expert import TrainedExpertReport


def _integer(name: str) -> click.IntRange:
    least, largest = RANGES[name]
    return click.IntRange(int(least), int(largest))


def _number(name: str) -> click.FloatRange:
    return click.FloatRange(*RANGES[name])


@click.command("expert", epilog="Example: kgdb lab train expert evidence.jsonl --output expert")
@click.argument("corpus", type=NamedPath(path_type=Path, dir_okay=False))
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="The folder of the expert. Give it again to go on with an interrupted run.",
)
@click.option(
    "--hidden",
    type=click.Choice(HIDDEN),
    help="Whose states it reads: the encoder's vectors, or a language model's, as in the paper. "
    "[default: encoder]",
)
@click.option("--encoder", help="minilm or hf:NAME_OR_FOLDER. [env: KGDB_ENCODER; default: minilm]")
@click.option("--llm", help="smollm2 or hf:NAME_OR_FOLDER. [env: KGDB_LLM; default: smollm2]")
@click.option(
    "--layers",
    type=_integer("layers"),
    help="Of the language model: the first so many. [default: 8]",
)
@click.option("--width", type=_integer("width"), help="Of the network that scores. [default: 256]")
@click.option(
    "--gold-share",
    type=_number("gold_share"),
    help="Of the label in the score to learn; the rest is similarity. [default: 0.8]",
)
@click.option(
    "--top-k",
    type=_integer("top_k"),
    help="Use a row if a gold piece is among so many most similar. [default: 10]",
)
@click.option(
    "--outliers",
    type=_number("outliers"),
    help="Standard deviations beyond which a similarity is anomalous. [default: 3]",
)
@click.option("--epochs", type=_integer("epochs"), help="At most. [default: 20]")
@click.option(
    "--patience",
    type=_integer("patience"),
    help="Stop after so many epochs without a lower error; 0: never. [default: 3]",
)
@click.option("--batch-size", type=_integer("batch_size"), help="Pieces of a step. [default: 64]")
@click.option("--learning-rate", type=_number("learning_rate"), help="Of AdamW. [default: 0.001]")
@click.option(
    "--held-back",
    type=_number("held_back"),
    help="Share of the queries to measure on, and to choose α. [default: 0.1]",
)
@click.option(
    "--recall",
    type=_number("recall"),
    help="Share of the gold evidence held back that α keeps. [default: 0.98]",
)
@click.option("--seed", type=_integer("seed"), help="Draws what is random. [default: 0]")
@json_option
def expert_command(
    corpus: Path,
    output: Path,
    llm: str | None,
    encoder: str | None,
    as_json: bool,
    **given: float | str | None,
) -> None:
    """Train an expert that judges evidence (RefKG, equations 4 and 5).

    CORPUS is a file of kgdb lab train evidence. The result is used by its folder: kgdb answer
    --method refkg --set expert=FOLDER. docs/how-to/training.md describes what it learns.
    """
    overrides = {name: value for name, value in given.items() if value is not None}
    settings = replace(ExpertTraining(), **overrides)  # type: ignore[arg-type]
    models = load_settings(llm=llm, encoder=encoder)
    with reporting() as report:
        trained = train_expert(corpus, output, models, settings, report=report)
    if as_json:
        print_json(trained.to_dict())
    else:
        _show(trained, output)


def _show(trained: TrainedExpertReport, output: Path) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in ("similarity", "expert"):
        table.add_column(name, justify="right")
    for name, after in trained.after.items():
        table.add_row(name, f"{trained.before[name]:.1%}", f"{after:.1%}")
    alphas = trained.similarity_threshold, trained.config.threshold
    table.add_row("α", *(f"{each:.3f}" for each in alphas))
    out.print(table)
    use = f"Trained in {trained.seconds:,.0f} s. Use it: --set expert={output}"
    out.print(one_line(use), markup=False)
