"""``kgdb lab train words``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from kgdb.cli.console import out, print_json, reporting
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, json_option
from kgdb.lab.cli.training_options import check_folder_of
from kgdb.lab.training.reading.reading_questions import read_questions
from kgdb.lab.training.reading.taught_words import learn_words
from kgdb.lab.training.reading.weight_fitting import Outcome
from kgdb.wording import counted


@click.command(
    "words", epilog="Example: kgdb lab train words movies questions.jsonl --output words.json"
)
@click.argument("graph")
@click.argument("file", type=NamedPath(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    help="The file of the words, as kgdb schema --synonyms takes it.",
)
@click.option("--encoder", help="As in kgdb answer.")
@json_option
def words_command(graph: str, file: Path, output: Path, encoder: str | None, as_json: bool) -> None:
    """Learn words for the names of a graph from your own questions.

    FILE holds questions about GRAPH, a line each, with the Cypher or the answers that are right;
    twenty are enough to help. Look the words over, then teach them: kgdb schema GRAPH --synonyms
    FILE.
    """
    check_folder_of(output)
    questions = read_questions(file)
    with connected() as connection, reporting() as report:
        found = learn_words(connection.graph(graph), questions, connection.encoder(encoder), report)
    words = {name: list(each) for name, each in found.words.items()}
    output.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if as_json:
        print_json({"words": words, "before": found.before, "after": found.after})
        return
    for name, each in words.items():
        out.print(f"{name}: {', '.join(each)}", markup=False)
    out.print(f"Of {counted(len(questions), 'question')} the grammar reads", markup=False)
    out.print(f"  without them {_told(found.before)}", markup=False)
    out.print(f"  with them    {_told(found.after)}", markup=False)


def _told(outcomes: Counter[Outcome]) -> str:
    return ", ".join(f"{outcomes[kind]} {kind}" for kind in ("right", "wrong", "refused"))
