"""``kgdb train llm``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from rich.table import Table

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.options import json_option
from kgdb.cli.types import NamedPath
from kgdb.errors import UsageError
from kgdb.settings import load_settings
from kgdb.training.llm import (
    PRECISIONS,
    PRESETS,
    RANGES,
    STRATEGIES,
    ZERO3,
    Tuned,
    TuningSettings,
    tune,
)
from kgdb.wording import one_line, short


def _integer(name: str) -> click.IntRange:
    least, largest = RANGES[name]
    return click.IntRange(int(least), int(largest))


def _number(name: str) -> click.FloatRange:
    return click.FloatRange(*RANGES[name])


@click.command(
    "llm", epilog="Example: kgdb train llm conversations.jsonl --output adapter --epochs 2"
)
@click.argument("corpus", type=NamedPath(path_type=Path, dir_okay=False))
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="The folder of the tuned model. Give it again to go on with an interrupted run.",
)
@click.option(
    "--llm",
    help="The model to tune: smollm2 or hf:NAME_OR_FOLDER. [env: KGDB_LLM; default: smollm2]",
)
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    help="The settings of RefKG's Table 6; other options override them.",
)
@click.option(
    "--dev",
    type=NamedPath(path_type=Path, dir_okay=False),
    help="Conversations for dev scores. [default: rows held back from CORPUS]",
)
@click.option(
    "--task",
    "tasks",
    multiple=True,
    help="Tune on this task alone; may be repeated. [default: all tasks]",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="TASK[:REPLY]=NUMBER",
    help="How often a row of the task is drawn in an epoch; may be repeated. [default: 1]",
)
@click.option("--strategy", type=click.Choice(STRATEGIES), help="All weights, or an adapter.")
@click.option(
    "--epochs",
    type=_number("epochs"),
    help="How often the corpus is gone through.",
)
@click.option(
    "--max-tokens",
    type=_integer("max_tokens"),
    help="The longest prompt with its reply.",
)
@click.option(
    "--max-rows",
    type=_integer("max_rows"),
    help="Draw at most so many rows from the corpus.",
)
@click.option(
    "--learning-rate",
    type=_number("learning_rate"),
    help="The highest learning rate.",
)
@click.option("--batch-size", type=_integer("batch_size"), help="Rows at once, on each process.")
@click.option(
    "--accumulation",
    type=_integer("accumulation"),
    help="Batches in a step of the optimizer.",
)
@click.option("--weight-decay", type=_number("weight_decay"), help="AdamW's weight decay.")
@click.option(
    "--warmup",
    type=_number("warmup"),
    help="Share of the steps in which the learning rate rises.",
)
@click.option("--clip", type=_number("clip"), help="The largest norm of a gradient.")
@click.option("--lora-rank", type=_integer("lora_rank"), help="The rank of the adapter.")
@click.option(
    "--lora-alpha",
    type=_integer("lora_alpha"),
    help="The adapter's scale, times its rank.",
)
@click.option(
    "--lora-dropout",
    type=_number("lora_dropout"),
    help="The share of its inputs that are dropped.",
)
@click.option("--precision", type=click.Choice(PRECISIONS), help="What matrices multiply in.")
@click.option(
    "--evaluations",
    type=_integer("evaluations"),
    help="Dev scores and checkpoints in an epoch.",
)
@click.option(
    "--patience",
    type=_integer("patience"),
    help="Stop after so many without a lower dev loss; 0: never.",
)
@click.option(
    "--held-back",
    type=_number("held_back"),
    help="Share of the rows for dev scores.",
)
@click.option("--dev-rows", type=_integer("dev_rows"), help="At most so many of them.")
@click.option(
    "--deepspeed",
    metavar="zero3|FILE",
    help="Train with DeepSpeed: zero3 for the configuration that ships, or a JSON file.",
)
@click.option("--seed", type=_integer("seed"), help="Draws what is random.")
@json_option
def llm_command(
    corpus: Path,
    output: Path,
    llm: str | None,
    preset: str | None,
    dev: Path | None,
    tasks: tuple[str, ...],
    weights: tuple[str, ...],
    deepspeed: str | None,
    as_json: bool,
    **given: float | str | None,
) -> None:
    """Tune a language model on prompts with their replies (RefKG's multi-task tuning).

    CORPUS is a file of kgdb train conversations. Without a preset the settings suit a small model
    on a processor. docs/how-to/tuning.md describes the steps, also on several GPUs.
    """
    tuning = PRESETS[preset] if preset else TuningSettings()
    overrides = {name: value for name, value in given.items() if value is not None}
    tuning = replace(tuning, **overrides, tasks=tasks, weights=dict(map(_weight, weights)))  # type: ignore[arg-type]
    if deepspeed:
        tuning = replace(tuning, deepspeed=ZERO3 if deepspeed == "zero3" else Path(deepspeed))
    with reporting() as report:
        tuned = tune(corpus, output, load_settings(llm=llm), tuning, dev=dev, report=report)
    if tuned.is_main:
        _show(tuned, as_json=as_json)


def _weight(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise UsageError(
            f"--weight {short(text)} is no weight.", hint="Expected, for example, relations=2."
        ) from None


def _show(tuned: Tuned, *, as_json: bool) -> None:
    if as_json:
        print_json(tuned.to_dict())
        return
    if tuned.after:
        table = Table(box=None, pad_edge=False)
        table.add_column("")
        for name in ("before", "after"):
            table.add_column(name, justify="right")
        for score, after in tuned.after.items():
            shown = "{:.4f}" if score.startswith("loss") else "{:.1%}"
            before = tuned.before.get(score)
            was = "" if before is None else shown.format(before)
            table.add_row(one_line(score.replace("_", ", ", 1)), was, shown.format(after))
        out.print(table)
    out.print(
        one_line(f"Tuned in {tuned.seconds:,.0f} s. Use it: --llm {tuned.name}"), markup=False
    )
