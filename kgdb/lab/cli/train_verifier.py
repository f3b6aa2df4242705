"""``kgdb lab train verifier``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import json_option
from kgdb.lab.training.setting_checks import MAX_SEED
from kgdb.lab.training.verifier.verifier_settings import RANGES, VerifierTraining
from kgdb.wording import one_line

if TYPE_CHECKING:
    from kgdb.lab.training.verifier.verifier_card import TrainedVerifierReport


@click.command("verifier", epilog="Example: kgdb lab train verifier claims.jsonl --output verifier")
@click.argument("corpus", type=NamedPath(path_type=Path, dir_okay=False))
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, file_okay=False),
    help="The folder of the verifier.",
)
@click.option(
    "--strength",
    type=click.FloatRange(*RANGES["strength"]),
    default=VerifierTraining().strength,
    show_default=True,
    help="Of the penalty on large weights.",
)
@click.option(
    "--held-back",
    type=click.FloatRange(*RANGES["held_back"]),
    default=VerifierTraining().held_back,
    show_default=True,
    help="Share of the claims to measure on.",
)
@click.option(
    "--precision",
    type=click.FloatRange(*RANGES["precision"]),
    default=VerifierTraining().precision,
    show_default=True,
    help="Share of right verdicts that a claim needs to be decided where the graph may lack facts.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    default=0,
    show_default=True,
    help="Draws what is random.",
)
@json_option
def verifier_command(corpus: Path, output: Path, as_json: bool, **given: Any) -> None:
    """Train a verifier: how far the checks of a claim can be trusted (RefKG, 3.4).

    CORPUS is a file of kgdb lab train claims. The result is used by its folder: kgdb verify
    --method refkg --set verifier=FOLDER. docs/how-to/training.md describes what it learns.
    """
    from kgdb.lab.training.verifier.verifier_training import train_verifier

    with reporting() as report:
        trained = train_verifier(corpus, output, VerifierTraining(**given), report=report)
    if as_json:
        print_json(trained.to_dict())
    else:
        _show(trained, output)


def _show(trained: TrainedVerifierReport, output: Path) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in ("rules", "verifier"):
        table.add_column(name, justify="right")
    for name, after in trained.after.items():
        before = f"{trained.before[name]:.1%}" if name in trained.before else ""
        table.add_row(name, before, f"{after:.1%}")
    out.print(table)
    out.print(one_line(f"Use it: kgdb verify --method refkg --set verifier={output}"), markup=False)
