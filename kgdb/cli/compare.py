"""``kgdb compare``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich import box
from rich.table import Table
from rich.text import Text

from kgdb.cli.asking import ask_all
from kgdb.cli.console import out, print_json
from kgdb.cli.main import EXIT_FAILURE, EXIT_NO_ANSWER
from kgdb.cli.method_options import set_option, unsupported_option
from kgdb.cli.options import (
    connected,
    graph_option,
    html_option,
    json_option,
    model_options,
    verbose_option,
)
from kgdb.cli.pages import check_page, write_page
from kgdb.cli.showing import heading
from kgdb.cli.stages import Stages
from kgdb.connection import KnowledgeGraph
from kgdb.errors import KgdbError, UsageError
from kgdb.methods import METHODS, Method, all_methods, check_question, create
from kgdb.methods.options import declarations
from kgdb.presentation.amounts import amount
from kgdb.presentation.comparison import Comparison, percent
from kgdb.values import Answer
from kgdb.wording import counted, one_line, short

_VOTES = 15
"""Answers that are printed with the methods that gave them."""


@click.command(
    "compare",
    epilog='Example: kgdb compare "Who wrote The Tuesday Engine?" --methods refkg --graph demo',
)
@click.argument("question")
@click.option("--methods", "names", help="Their names, with commas between. [default: all]")
@graph_option
@set_option
@unsupported_option
@model_options
@html_option
@verbose_option
@json_option
def compare_command(
    question: str,
    names: str | None,
    graph: str | None,
    given: dict[str, str],
    allow_unsupported: bool,
    llm: str | None,
    encoder: str | None,
    expert: str | None,
    page: Path | None,
    verbose: bool,
    as_json: bool,
    **settings: str | bool | None,
) -> None:
    """Answer QUESTION by several methods, and show beside each other what each found and spent.

    The models are loaded once. An option given by --set is for every method that has it.
    Agreement is how many of the answers of this method and another are given by both, on average
    over the others that have answers.

    Exit code 3 means that no method has an answer, 1 that all of them failed.
    """
    check_question(question)
    if allow_unsupported:
        given = given | {"allow_unsupported": "true"}
    made = _made(_chosen(names), given)
    if page:
        check_page(page)
    stages = Stages(verbose=verbose)
    with connected(**settings) as connection:
        kg = connection.graph(graph)
        # What no method could do without fails here, and not once a method.
        connection.encoder(encoder)
        connection.llm(llm)
        answers = [_answer(kg, method, question, stages, llm, encoder, expert) for method in made]
    comparison = Comparison.of(answers)
    if as_json:
        print_json(
            {
                "question": question,
                "graph": kg.name,
                "methods": [
                    answer.to_dict() | {"agreement": row.agreement}
                    for answer, row in zip(answers, comparison.rows, strict=True)
                ],
                "votes": {name: list(methods) for name, methods in comparison.votes},
            }
        )
    else:
        _show(question, answers, comparison)
    if page:
        write_page(page, answers, comparison)
    if all(answer.error for answer in answers):
        sys.exit(EXIT_FAILURE)
    if all(answer.is_empty for answer in answers):
        sys.exit(EXIT_NO_ANSWER)


def _chosen(names: str | None) -> Sequence[str]:
    chosen = [name.strip() for name in (names or "").split(",") if name.strip()]
    return list(dict.fromkeys(chosen)) or tuple(METHODS)


def _made(names: Sequence[str], given: Mapping[str, str]) -> list[Method]:
    """The methods, each with those of the options that it has."""
    known = {
        name: {option.name for option in declarations(all_methods()[name].options)}
        for name in names
        if name in all_methods()
    }
    for option in given:
        if known and not any(option in options for options in known.values()):
            raise UsageError(
                f"There is no option {short(option)} of any of {', '.join(known)}.",
                hint="kgdb methods lists what there is.",
            )
    return [
        create(name, {key: given[key] for key in given if key in known.get(name, ())})
        for name in names
    ]


def _answer(
    kg: KnowledgeGraph,
    method: Method,
    question: str,
    stages: Stages,
    llm: str | None,
    encoder: str | None,
    expert: str | None,
) -> Answer:
    """What one method answers; that it cannot be used at all is its own failure."""
    try:
        asked = kg.reasoner(method, llm=llm, encoder=encoder, expert=expert, watch=stages)
    except KgdbError as error:
        return Answer(question, kg.name, method.name, error=error)
    (answer,) = ask_all(asked.answers, [question], stages, lambda _: None)
    return answer


def _show(question: str, answers: Sequence[Answer], comparison: Comparison) -> None:
    heading(question)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("method", no_wrap=True, style="cyan")
    table.add_column("answers", min_width=20, max_width=80)
    priced = comparison.priced
    costs = ("calls", "tokens", "s", "trips", *(("cost",) if priced else ()))
    for column in ("evidence", "agreement", *costs):
        table.add_column(column, no_wrap=True, justify="right")
    for answer, row in zip(answers, comparison.rows, strict=True):
        usage = row.usage
        style = "red" if answer.error else "yellow" if answer.is_empty else ""
        table.add_row(
            row.method,
            Text(row.answers, style=style),
            str(row.evidence),
            percent(row.agreement),
            str(usage.calls),
            str(usage.tokens_in + usage.tokens_out),
            f"{usage.seconds:.2f}",
            str(usage.round_trips),
            *((amount(usage.cost),) if priced else ()),
        )
    out.print(table, soft_wrap=False)
    for name, methods in comparison.votes[:_VOTES]:
        out.print(Text.assemble((one_line(name), "bold green"), f": {', '.join(methods)}"))
    if (more := len(comparison.votes) - _VOTES) > 0:
        out.print(Text(f"… and {counted(more, 'more answer')} (--json)", style="dim"))
