"""``kgdb answer``."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from kgdb.cli.asking import ask_all, end, texts_to_ask
from kgdb.cli.console import print_json
from kgdb.cli.method_options import explain_option, method_option, set_option, unsupported_option
from kgdb.cli.options import (
    connected,
    database_options,
    graph_option,
    html_option,
    json_option,
    model_options,
    verbose_option,
)
from kgdb.cli.pages import page_writer
from kgdb.cli.showing import show
from kgdb.cli.stages import Stages
from kgdb.methods import create
from kgdb.values import Answer


@click.command(
    "answer",
    epilog='Example: kgdb answer "Who directed the films that Ada Weir acted in?" --graph demo',
)
@click.argument("questions", nargs=-1, metavar="QUESTION...")
@click.option(
    "--questions",
    "file",
    type=click.File(encoding="utf-8-sig"),
    help="A file with one more question a line; - is standard input.",
)
@graph_option
@method_option
@set_option
@unsupported_option
@model_options
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Answers printed."
)
@explain_option
@click.option(
    "--show-thought", is_flag=True, help="Show the graph of thought, with the facts found for it."
)
@html_option
@verbose_option
@database_options
@json_option
def answer_command(
    questions: tuple[str, ...],
    file: TextIO | None,
    graph: str | None,
    method: str,
    given: dict[str, str],
    allow_unsupported: bool,
    llm: str | None,
    encoder: str | None,
    limit: int,
    explain: bool,
    show_thought: bool,
    page: Path | None,
    verbose: bool,
    as_json: bool,
    **database: str | bool | None,
) -> None:
    """Answer each QUESTION from a graph, with the paths that prove each answer.

    Several questions are answered together, which is faster; with --json each answer is one line.
    Put a name in [brackets] where kgdb does not see by itself that it is one.

    Exit code 3 means that a question has no answer; the reason is printed. Exit code 1 means that
    one failed, because of the model or the database; the others are answered all the same.
    """
    texts = texts_to_ask(questions, file, "question")
    if allow_unsupported:
        given = given | {"allow_unsupported": "true"}
    made = create(method, given)
    write = page_writer(page)
    stages = Stages(verbose=verbose)

    def tell(answer: Answer) -> None:
        if as_json:
            print_json(answer.to_dict(), lines=True)
        else:
            show(answer, limit, explain=explain, thought=show_thought)

    with connected(**database) as connection:
        asked = connection.graph(graph).reasoner(made, llm=llm, encoder=encoder, watch=stages)
        answers = ask_all(asked.answers, texts, stages, tell)
    write(answers)
    end(answers)
