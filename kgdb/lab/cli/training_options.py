"""Options that the commands of ``kgdb lab train`` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from kgdb.cli.parameter_types import NamedPath
from kgdb.errors import UsageError
from kgdb.lab.training.setting_checks import MAX_SEED, PRECISIONS, Ranges
from kgdb.wording import short

_Command = TypeVar("_Command", bound=Callable[..., Any])

HELP: Mapping[str, str] = {
    "epochs": "How often the corpus is gone through.",
    "max_tokens": "The longest text, a prompt with its reply.",
    "max_rows": "Draw at most so many rows from the corpus.",
    "learning_rate": "The highest learning rate.",
    "batch_size": "Rows at once, on each process.",
    "accumulation": "Batches in a step of the optimizer.",
    "weight_decay": "AdamW's weight decay.",
    "warmup": "Share of the steps in which the learning rate rises.",
    "clip": "The largest norm of a gradient.",
    "lora_rank": "The rank of the adapter.",
    "lora_alpha": "The adapter's scale, times its rank.",
    "lora_dropout": "The share of its inputs that are dropped.",
    "rank": "The rank of the adapter.",
    "interpolation": "Share of what tuning changed that is kept; less suits other graphs better.",
    "precision": "What matrices multiply in.",
    "evaluations": "Dev scores and checkpoints in an epoch.",
    "patience": "Stop after so many without a lower dev loss; 0: never.",
    "held_back": "Share of the rows for dev scores.",
    "dev_rows": "At most so many of them.",
    "seed": "Draws what is random.",
}
"""What each setting of a training is."""

seed_option = click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=0,
    show_default=True,
    help=HELP["seed"],
)

folder_option = click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="The folder of the tuned model. Give it again to go on with an interrupted run.",
)

corpus_file_option = click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    help="The JSONL file to write; it appears when it is complete.",
)

corpora_argument = click.argument(
    "corpora",
    nargs=-1,
    required=True,
    metavar="CORPUS...",
    type=NamedPath(path_type=Path, dir_okay=False),
)


def setting_options(
    defaults: object, ranges: Ranges, *names: str, show_defaults: bool = True
) -> Callable[[_Command], _Command]:
    """An option for each of some settings, with the type and the range that the setting has.

    Without ``show_defaults``, a setting that is not given is ``None``.
    """

    def add(command: _Command) -> _Command:
        for name in reversed(names):
            default = getattr(defaults, name)
            command = click.option(
                f"--{name.replace('_', '-')}",
                type=_type(name, default, ranges),
                default=default if show_defaults else None,
                show_default=show_defaults,
                help=HELP[name],
            )(command)
        return command

    return add


def check_folder_of(file: Path) -> None:
    """Raise :class:`kgdb.errors.UsageError` now, rather than when the file is made."""
    folder = file.absolute().parent
    if not folder.is_dir():
        raise UsageError(
            f"There is no folder {short(str(folder))}.",
            hint="Create it, or give --output a file in a folder that exists.",
        )


def _type(name: str, default: object, ranges: Ranges) -> click.ParamType[Any]:
    if name == "precision":
        return click.Choice(PRECISIONS)
    least, largest = ranges[name]
    if isinstance(default, int):
        return click.IntRange(int(least), int(largest))
    return click.FloatRange(least, largest)
