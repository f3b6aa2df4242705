"""``kgdb verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

import click

from kgdb.cli.asking import ask_all, end, texts_to_ask
from kgdb.cli.console import print_json
from kgdb.cli.method_options import explain_option, method_option, set_option
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
from kgdb.values import Verdict


@click.command(
    "verify",
    epilog='Example: kgdb verify "Ruben Okonjo-Hale directed The Tuesday Engine." --graph demo',
)
@click.argument("claims", nargs=-1, metavar="CLAIM...")
@click.option(
    "--claims",
    "file",
    type=click.File(encoding="utf-8-sig"),
    help="A file with one more claim a line; - is standard input.",
)
@graph_option
@method_option
@set_option
@model_options
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Facts printed for a claim, and against it.",
)
@explain_option
@html_option
@verbose_option
@database_options
@json_option
def verify_command(
    claims: tuple[str, ...],
    file: TextIO | None,
    graph: str | None,
    method: str,
    given: dict[str, str],
    llm: str | None,
    encoder: str | None,
    limit: int,
    explain: bool,
    page: Path | None,
    verbose: bool,
    as_json: bool,
    **database: str | bool | None,
) -> None:
    """Tell for each CLAIM whether the graph supports it, refutes it or cannot tell.

    Several claims are judged together, which is faster; with --json each verdict is one line.

    Exit code 0 means that every claim is SUPPORTED or REFUTED, 3 that for one there is NOT ENOUGH
    EVIDENCE, 1 that one failed because of the model or the database.
    """
    texts = texts_to_ask(claims, file, "claim")
    made = create(method, given)
    write = page_writer(page)
    stages = Stages(verbose=verbose)

    def tell(verdict: Verdict) -> None:
        if as_json:
            print_json(verdict.to_dict(), lines=True)
        else:
            show(verdict, limit, explain=explain)

    with connected(**database) as connection:
        asked = connection.graph(graph).reasoner(made, llm=llm, encoder=encoder, watch=stages)
        verdicts = ask_all(asked.verdicts, texts, stages, tell)
    write(verdicts)
    end(verdicts)
