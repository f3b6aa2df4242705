"""``kgdb lab train reranker``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.options import json_option
from kgdb.lab.cli.train_relations import check_packages, read_corpora
from kgdb.lab.cli.training_options import HELP, corpora_argument, folder_option, setting_options
from kgdb.lab.training.reranker.settings import RANGES, RerankerTraining
from kgdb.wording import counted, one_line

if TYPE_CHECKING:
    from kgdb.lab.training.reranker.card import TrainedReranker


@click.command(
    "reranker", epilog="Example: kgdb lab train reranker metaqa.jsonl --output metaqa-reranker"
)
@corpora_argument
@folder_option
@click.option(
    "--base",
    default="minilm",
    show_default=True,
    help="What is tuned: minilm, minilm:base, minilm+FOLDER, or hf:NAME_OR_FOLDER of a "
    "cross-encoder.",
)
@click.option("--max-rows", type=click.IntRange(1), help=HELP["max_rows"])
@setting_options(
    RerankerTraining(),
    RANGES,
    "epochs",
    "batch_size",
    "negatives",
    "learning_rate",
    "warmup",
    "rank",
    "precision",
    "evaluations",
    "patience",
    "held_back",
    "dev_rows",
    "seed",
)
@json_option
def reranker_command(
    corpora: tuple[Path, ...], output: Path, base: str, as_json: bool, **given: Any
) -> None:
    """Tune a cross-encoder that orders the best chains anew, on files of kgdb lab train corpus.

    It reads a question and a chain of relations together. The result is an adapter of a few
    megabytes: kgdb answer --reranker minilm+FOLDER uses it beside the encoder. Rows that a corpus
    holds back, and a share of the others, measure it before and after.
    """
    settings = RerankerTraining(**given)
    check_packages()
    from kgdb.lab.training.reranker.training import train_reranker
    from kgdb.language import reranker_base

    tuned_from = reranker_base(base)
    with reporting() as report:
        trained = train_reranker(read_corpora(corpora), tuned_from, output, settings, report)
    _show(trained, output, as_json=as_json)


def _show(trained: TrainedReranker, folder: Path, *, as_json: bool) -> None:
    if as_json:
        print_json({"folder": str(folder), **trained.to_dict()})
        return
    lines = [f"Tuned on {counted(trained.data.used, 'row')} in {trained.seconds:,.0f} s."]
    if trained.after:
        lines.append(
            f"The right chain comes first for {trained.after['first']:.1%} of the "
            f"{counted(trained.data.measured, 'row')} held back; before, for "
            f"{trained.before['first']:.1%}."
        )
    lines.append(f"Use it: kgdb answer --reranker {trained.used_as}{folder} …")
    for line in lines:
        out.print(one_line(line), markup=False)
