"""``kgdb eval``."""

from __future__ import annotations

import random
from dataclasses import asdict
from pathlib import Path

import click
from rich import box
from rich.table import Table

from kgdb.cli.console import out, print_json
from kgdb.cli.options import cache_option, connected, database_options, json_option
from kgdb.evaluation import HOPS, SHOWN, SPLITS, evaluate, read_metaqa
from kgdb.methods import NAMES


@click.command("eval", epilog="Example: kgdb eval metaqa --data ./data --hops 2 --limit 300")
@click.argument("dataset", type=click.Choice(["metaqa"]))
@click.option(
    "--data",
    envvar="KGDB_DATA",
    type=click.Path(path_type=Path),
    default="../shared/data",
    show_default=True,
    help="Folder that holds metaqa/. [env: KGDB_DATA]",
)
@click.option(
    "--hops",
    type=click.Choice([str(hops) for hops in HOPS]),
    multiple=True,
    default=[str(hops) for hops in HOPS],
    show_default=True,
    help="Question lengths; may be repeated.",
)
@click.option("--split", type=click.Choice(SPLITS), default="dev", show_default=True)
@click.option("--limit", type=click.IntRange(min=1), help="Questions per length, drawn by --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the questions.")
@click.option("--find-mentions", is_flag=True, help="Take the [brackets] away: find the entity.")
@click.option("--graph", default="metaqa", show_default=True, help="The loaded graph.")
@click.option("--method", type=click.Choice(NAMES), default=NAMES[0], show_default=True)
@click.option("--llm", help="As in kgdb answer.")
@click.option("--encoder", help="As in kgdb answer.")
@click.option(
    "--rows",
    type=click.Path(path_type=Path, dir_okay=False),
    help="JSONL file for a row per question; a stopped evaluation goes on from it.",
)
@cache_option
@database_options
@json_option
def eval_command(
    dataset: str,  # noqa: ARG001 (one choice so far; click passes it by name)
    data: Path,
    hops: tuple[str, ...],
    split: str,
    limit: int | None,
    seed: int,
    find_mentions: bool,
    graph: str,
    method: str,
    llm: str | None,
    encoder: str | None,
    rows: Path | None,
    as_json: bool,
    **database: str | bool | None,
) -> None:
    """Measure a method on a question set."""
    sets = {}
    for length in sorted(set(map(int, hops))):
        questions = read_metaqa(data, length, split, mentions_given=not find_mentions)
        if limit is not None and limit < len(questions):
            questions = random.Random(seed).sample(questions, limit)
        sets[f"{length}-hop {split}"] = questions
    with connected(**database) as connection:
        answering = connection.graph(graph).reasoner(method, llm=llm, encoder=encoder)
        # The mentions belong to the run as well: the same question is harder without its brackets.
        run = f"{method} on {graph}, {connection.models(llm, encoder)}"
        run += ", mentions found" if find_mentions else ", mentions given"
        summaries = {
            name: evaluate(answering, questions, rows, connection.report, run)
            for name, questions in sets.items()
        }
    if as_json:
        print_json({name: asdict(summary) for name, summary in summaries.items()})
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("set", "n", "Hits@1", f"hit@{SHOWN}", "F1", "none", "calls", "tokens", "s"):
        table.add_column(column, no_wrap=True)
    table.add_column("trips")
    for name, summary in summaries.items():
        table.add_row(
            name,
            str(summary.questions),
            f"{summary.hits_at_1:.1%}",
            f"{summary.hit:.1%}",
            f"{summary.f1:.1%}",
            f"{summary.unanswered:.1%}",
            f"{summary.calls:.1f}",
            f"{summary.tokens_in:.0f}",
            f"{summary.seconds:.2f}",
            f"{summary.round_trips:.1f}",
        )
    out.print(table)
