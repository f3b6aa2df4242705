"""``kgdb train relations``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.options import json_option
from kgdb.cli.types import NamedPath
from kgdb.optional_packages import optional
from kgdb.progress import Progress, Report
from kgdb.wording import counted, one_line

if TYPE_CHECKING:
    from kgdb.training.corpus import RelationRow
    from kgdb.training.relations.settings import Precision
    from kgdb.training.relations.training import TrainedEncoder, Watch


@click.command(
    "relations", epilog="Example: kgdb train relations metaqa.jsonl --output metaqa-relations"
)
@click.argument("corpora", nargs=-1, required=True, type=NamedPath(path_type=Path, dir_okay=False))
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="The folder of the adapter. A stopped training goes on in it.",
)
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Times that rows are seen.",
)
@click.option(
    "--batch-size",
    type=click.IntRange(min=2),
    default=64,
    show_default=True,
    help="Rows of a step.",
)
@click.option(
    "--learning-rate",
    type=click.FloatRange(min=0, min_open=True),
    default=1e-4,
    show_default=True,
    help="Of AdamW.",
)
@click.option(
    "--rank",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    help="Rank of what is kept.",
)
@click.option("--no-prototypes", is_flag=True, help="Without the prototypes of the loss.")
@click.option("--no-hard-negatives", is_flag=True, help="Negatives are chains of other rows.")
@click.option("--no-momentum", is_flag=True, help="Cluster by the encoder's own vectors.")
@click.option(
    "--precision",
    type=click.Choice(["auto", "fp32", "bf16"]),
    default="auto",
    show_default=True,
    help="Numbers to compute with; auto: bf16 where the processor is built for it.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Draws what is random.")
@json_option
def relations_command(
    corpora: tuple[Path, ...],
    output: Path,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    rank: int,
    no_prototypes: bool,
    no_hard_negatives: bool,
    no_momentum: bool,
    precision: Precision,
    seed: int,
    as_json: bool,
) -> None:
    """Tune the encoder that chooses relations on CORPORA, which kgdb train corpus makes.

    The result is an adapter of a few megabytes: kgdb answer --encoder minilm+FOLDER uses it for
    chains of relations. Rows that a corpus holds back measure it, before and after.
    """
    from kgdb.language.catalog import minilm_folder
    from kgdb.training.relations.settings import RelationTraining

    settings = RelationTraining(
        epochs=epochs,
        batch_size=batch_size,
        learning_rate=learning_rate,
        rank=rank,
        prototypes=not no_prototypes,
        hard_negatives=not no_hard_negatives,
        precision=precision,
        seed=seed,
    )
    if no_momentum:
        settings = replace(settings, momentum=0.0)
    check_packages()
    from kgdb.training.relations.training import train_relations

    with reporting() as report:
        trained = train_relations(
            _rows(corpora), minilm_folder(), output, settings, watching(report)
        )
    if as_json:
        print_json(trained.to_dict())
    else:
        show_trained(trained)


def check_packages() -> None:
    """Name the extra that a training needs, if it is not installed."""
    for package in ("datasets", "sklearn", "accelerate"):
        optional(package, "train")


def watching(report: Report) -> Watch:
    """Reports the steps of a training."""

    def watch(step: int, steps: int, _loss: float) -> None:
        report(Progress("training", step, steps, "steps"))

    return watch


def _rows(corpora: Iterable[Path]) -> Iterable[RelationRow]:
    from kgdb.training.corpus import read_rows

    for path in corpora:
        yield from read_rows(path)


def show_trained(trained: TrainedEncoder) -> None:
    """What a training gave, in a few lines."""
    lines = [f"Tuned on {counted(trained.rows, 'row')} in {trained.seconds:,.0f} s."]
    lines += [f"Left out {count:,}: {reason}." for reason, count in trained.dropped.items()]
    if trained.before is not None and trained.after is not None:
        lines.append(
            f"The right chain comes first for {trained.after:.1%} of the "
            f"{counted(trained.measured, 'row')} held back; before, for {trained.before:.1%}."
        )
    lines.append(f"Use it: kgdb answer --encoder minilm+{trained.folder} …")
    for line in lines:
        out.print(one_line(line), markup=False)
