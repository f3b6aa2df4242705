"""``kgdb lab train llm``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from rich.table import Table

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import json_option
from kgdb.errors import UsageError
from kgdb.lab.cli.training_options import folder_option, setting_options
from kgdb.lab.training.llm import (
    PRESETS,
    RANGES,
    STRATEGIES,
    ZERO3,
    Tuned,
    TuningSettings,
    tune,
)
from kgdb.settings import load_settings
from kgdb.wording import one_line, short


@click.command(
    "llm", epilog="Example: kgdb lab train llm conversations.jsonl --output adapter --epochs 2"
)
@click.argument("corpus", type=NamedPath(path_type=Path, dir_okay=False))
@folder_option
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
@setting_options(
    TuningSettings(),
    RANGES,
    "epochs",
    "max_tokens",
    "max_rows",
    "learning_rate",
    "batch_size",
    "accumulation",
    "weight_decay",
    "warmup",
    "clip",
    "lora_rank",
    "lora_alpha",
    "lora_dropout",
    "precision",
    "evaluations",
    "patience",
    "held_back",
    "dev_rows",
    "seed",
    # A preset has others.
    show_defaults=False,
)
@click.option(
    "--deepspeed",
    metavar="zero3|FILE",
    help="Train with DeepSpeed: zero3 for the configuration that ships, or a JSON file.",
)
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

    CORPUS is a file of kgdb lab train conversations. Without a preset the settings suit a small
    model on a processor. docs/how-to/tuning.md describes the steps, also on several GPUs.
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
