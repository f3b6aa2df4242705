"""``kgdb lab train reading``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import click
from rich.table import Table

from kgdb.cli.console import out, print_json
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, json_option
from kgdb.errors import UsageError
from kgdb.lab.cli.training_options import check_folder_of, seed_option
from kgdb.lab.training.reading.reading_questions import ReadingQuestion, read_questions
from kgdb.lab.training.reading.reading_training import (
    MOST_ROUNDS,
    MOST_WRONG,
    TrainedReading,
    train_reading,
)
from kgdb.lab.training.reading.weight_fitting import Outcome
from kgdb.optional_packages import optional
from kgdb.wording import counted, one_line, short


@click.command(
    "reading",
    epilog="Example: kgdb lab train reading movies=a.jsonl demo=b.jsonl --output weights.json",
)
@click.argument("sources", nargs=-1, required=True, metavar="GRAPH=FILE...")
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    help="The JSON file of the weights.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, MOST_ROUNDS),
    default=MOST_ROUNDS,
    show_default=True,
    help="How often the questions are read and the weights fitted.",
)
@click.option(
    "--most-wrong",
    type=click.FloatRange(0, 1),
    default=MOST_WRONG,
    show_default=True,
    help="The share of the answers that may be wrong about a graph that the weights do not know.",
)
@click.option("--encoder", help="As in kgdb answer.")
@seed_option
@json_option
def reading_command(
    sources: tuple[str, ...],
    output: Path,
    rounds: int,
    most_wrong: float,
    encoder: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Learn the weights by which the grammar chooses what a question means.

    GRAPH is a loaded or adopted graph, FILE holds questions about it with the Cypher or the answers
    that are right. Two graphs or more are needed: each is measured by weights of the others.
    """
    check_folder_of(output)
    optional("scipy", "lab")
    questions: dict[str, list[ReadingQuestion]] = {}
    for source in sources:
        graph, equals, file = source.partition("=")
        if not (graph and equals and file):
            raise UsageError(
                f"{short(source)} is not GRAPH=FILE.",
                hint="Give the name of a graph, = and a file of questions: movies=questions.jsonl",
            )
        questions.setdefault(graph, []).extend(read_questions(Path(file)))
    with connected() as connection:
        trained = train_reading(
            {name: (connection.graph(name), asked) for name, asked in questions.items()},
            connection.encoder(encoder),
            connection.report,
            rounds=rounds,
            most_wrong=most_wrong,
            seed=seed,
        )
    rounded = {name: round(weight, 3) for name, weight in sorted(trained.weights.items())}
    content = json.dumps(rounded, indent=1)
    output.write_text(f"{content}\n", encoding="utf-8")
    if as_json:
        print_json({"file": str(output), "outcomes": trained.outcomes})
    else:
        _show(trained)
        number = counted(len(rounded), "weight")
        out.print(one_line(f"Wrote {number} to {output}."), markup=False)


def _show(trained: TrainedReading) -> None:
    table = Table("by weights without the graph", box=None, pad_edge=False)
    names = get_args(Outcome)
    for name in names:
        table.add_column(name, justify="right")
    for title, counts in trained.outcomes.items():
        table.add_row(title, *(f"{counts[name]:,}" for name in names))
    out.print(table)
