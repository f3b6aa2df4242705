"""``kgdb lab train conversations``."""

from __future__ import annotations

from pathlib import Path

import click

from kgdb.cli.console import out, print_json
from kgdb.cli.shared_options import json_option
from kgdb.errors import UsageError
from kgdb.lab.cli.training_options import (
    check_folder_of,
    corpora_argument,
    corpus_file_option,
    seed_option,
)
from kgdb.wording import counted, one_line


@click.command(
    "conversations",
    epilog="Example: kgdb lab train conversations metaqa.jsonl --output conversations.jsonl",
)
@corpora_argument
@corpus_file_option
@click.option(
    "--task",
    "tasks",
    multiple=True,
    help="chains, relations: only prompts of this task; may be repeated. [default: both]",
)
@click.option(
    "--licence", default="", help="Of the questions of a corpus that names none, for cards."
)
@click.option(
    "--width",
    type=click.IntRange(1, 50),
    default=5,
    show_default=True,
    help="Relations that a prompt asks for at most, as the option width of the method refkg.",
)
@seed_option
@json_option
def conversations_command(
    corpora: tuple[Path, ...],
    output: Path,
    tasks: tuple[str, ...],
    licence: str,
    width: int,
    seed: int,
    as_json: bool,
) -> None:
    """Turn relation corpora into prompts with their replies.

    CORPUS is a file of kgdb lab train corpus. The prompts are those that kgdb gives a language
    model when it answers: which chain a question means, and which relation leads on at each hop.
    """
    from kgdb.lab.training.corpus import read_rows
    from kgdb.lab.training.corpus.conversations import write_conversations
    from kgdb.lab.training.corpus.relation_prompts import TASKS, conversations_from_rows

    check_folder_of(output)
    rows = [row for corpus in corpora for row in read_rows(corpus)]
    made, told = conversations_from_rows(
        rows, tasks=tasks or TASKS, licence=licence, width=width, seed=seed
    )
    if not made:
        raise UsageError(
            f"No prompt can be made from {counted(len(rows), 'row')}.",
            hint="Make a corpus with kgdb lab train corpus.",
        )
    write_conversations(output, made)
    if as_json:
        print_json(
            {
                "file": str(output),
                "rows": told.rows,
                "made": dict(told.made),
                "dropped": dict(told.dropped),
                "contradictions": told.contradictions,
            }
        )
        return
    out.print(one_line(f"Wrote {counted(len(made), 'prompt')} to {output}."), markup=False)
    for task, number in told.made.most_common():
        out.print(f"{number:,} of the task {task}", markup=False)
    for reason, number in told.dropped.most_common():
        out.print(f"{number:,} left out: {reason}", markup=False)
    if told.contradictions:
        out.print(
            f"{counted(told.contradictions, 'row')} of {told.rows:,} contradict most rows with the "
            "same question.",
            markup=False,
        )
