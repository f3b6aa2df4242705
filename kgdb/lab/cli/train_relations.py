"""``kgdb lab train relations``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.shared_options import json_option
from kgdb.lab.cli.training_options import corpora_argument, folder_option, setting_options
from kgdb.lab.training.relations.relation_settings import RANGES, RelationTraining
from kgdb.optional_packages import optional
from kgdb.wording import counted, one_line

if TYPE_CHECKING:
    from kgdb.lab.training.corpus import RelationRow
    from kgdb.lab.training.relations.relation_card import TrainedEncoder


@click.command(
    "relations", epilog="Example: kgdb lab train relations metaqa.jsonl --output metaqa-relations"
)
@corpora_argument
@folder_option
@setting_options(
    RelationTraining(),
    RANGES,
    "epochs",
    "batch_size",
    "learning_rate",
    "warmup",
    "rank",
    "interpolation",
)
@click.option("--no-prototypes", is_flag=True, help="Without the prototypes of the loss.")
@click.option("--no-hard-negatives", is_flag=True, help="Negatives are chains of other rows.")
@click.option("--no-momentum", is_flag=True, help="Cluster by the encoder's own vectors.")
@setting_options(
    RelationTraining(),
    RANGES,
    "precision",
    "evaluations",
    "patience",
    "held_back",
    "dev_rows",
    "seed",
)
@json_option
def relations_command(
    corpora: tuple[Path, ...],
    output: Path,
    no_prototypes: bool,
    no_hard_negatives: bool,
    no_momentum: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Tune the encoder that chooses relations on files of kgdb lab train corpus.

    The result is an adapter of a few megabytes: kgdb answer --encoder minilm+FOLDER uses it for
    chains of relations. Rows that a corpus holds back, and a share of the others, measure it before
    and after.
    """
    settings = RelationTraining(
        prototypes=not no_prototypes, hard_negatives=not no_hard_negatives, **given
    )
    if no_momentum:
        settings = replace(settings, momentum=0.0)
    check_packages()
    from kgdb.lab.training.relations.relation_training import train_relations
    from kgdb.language.model_catalog import minilm_folder

    with reporting() as report:
        trained = train_relations(_rows(corpora), minilm_folder(), output, settings, report)
    if trained.is_main:
        show_trained(trained, output, as_json=as_json)


def check_packages() -> None:
    """Name the extra that a training needs, if it is not installed."""
    for package in ("datasets", "sklearn", "accelerate", "matplotlib"):
        optional(package, "train")


def _rows(corpora: Iterable[Path]) -> Iterable[RelationRow]:
    from kgdb.lab.training.corpus import read_rows

    for path in corpora:
        yield from read_rows(path)


def show_trained(
    trained: TrainedEncoder, folder: Path, *, as_json: bool, default: float | None = None
) -> None:
    """What a training gave, in a few lines, or as JSON.

    ``default`` is the share of right chains with the default encoder, if that was measured.
    """
    if as_json:
        measured = {} if default is None else {"first_with_default_encoder": default}
        print_json({"folder": str(folder), **trained.to_dict(), **measured})
        return
    lines = [f"Tuned on {counted(trained.data.used, 'row')} in {trained.seconds:,.0f} s."]
    if trained.doubtful:
        lines.append(
            f"{counted(trained.doubtful, 'row')} ({trained.doubtful / trained.judged:.1%}) may "
            "have a wrong chain: after training a wrong one is still far more similar."
        )
        lines += [f"  {question}  ({chain})" for question, chain in trained.doubtful_examples]
    if trained.after:
        lines.append(
            f"The right chain comes first for {trained.after['first']:.1%} of the "
            f"{counted(trained.data.measured, 'row')} held back; before, for "
            f"{trained.before['first']:.1%}."
        )
    if default is not None:
        lines.append(f"With the default encoder it comes first for {default:.1%} of them.")
    lines.append(f"Use it: kgdb answer --encoder minilm+{folder} …")
    for line in lines:
        out.print(one_line(line), markup=False)
