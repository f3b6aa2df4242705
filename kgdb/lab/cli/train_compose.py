"""``kgdb lab train compose``."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import json_option
from kgdb.errors import UsageError
from kgdb.lab.cli.corpus_report import show_corpus
from kgdb.lab.cli.training_options import check_folder_of, corpus_file_option, seed_option

_LICENCE = "SimpleQuestions: CC BY 3.0; Freebase: CC BY 2.5"


@click.command(
    "compose", epilog="Example: kgdb lab train compose --data ./data --output composed.jsonl"
)
@corpus_file_option
@click.option(
    "--data",
    envvar="KGDB_DATA",
    type=NamedPath(path_type=Path),
    default="data",
    show_default=True,
    help="Folder that holds simplequestions/ and freebase/. [env: KGDB_DATA]",
)
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    default=14_000,
    show_default=True,
    help="How many rows to make at most.",
)
@seed_option
@json_option
def compose_command(output: Path, data: Path, rows: int, seed: int, as_json: bool) -> None:
    """Make a corpus of SimpleQuestions and Freebase's ontology, without a database.

    The questions of the set ask for one relation each. Put around phrases for other relations, they
    ask for two or three: "where was this born" becomes "where was the author of this born".
    """
    from kgdb.lab.training.corpus import write_rows
    from kgdb.lab.training.corpus.composing import composed_corpus
    from kgdb.lab.training.corpus.ontology import read_ends
    from kgdb.lab.training.corpus.simple_questions import read_simple_questions

    check_folder_of(output)
    begun = time.monotonic()
    questions = read_simple_questions(data)
    freebase = data / "freebase"
    ends = read_ends(freebase / "schema_roles.txt.gz", freebase / "mediator_properties.csv.gz")
    made, told = composed_corpus(
        questions, ends, graph="freebase", source="simplequestions", rows=rows, seed=seed
    )
    told.seconds = time.monotonic() - begun
    if not made:
        raise UsageError(
            "None of the questions asks for a relation of the ontology.",
            hint="--data names the folder with simplequestions/ and freebase/.",
        )
    write_rows(output, [replace(row, licence=_LICENCE) for row in made])
    show_corpus(output, told, as_json=as_json)
