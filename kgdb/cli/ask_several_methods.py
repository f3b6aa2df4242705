"""Several methods beside each other: ``kgdb answer --method A,B``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.text import Text

from kgdb.cli.ask_together import Stages, ask_all
from kgdb.cli.console import out, plain_table, print_json
from kgdb.cli.main import EXIT_FAILURE, EXIT_NO_ANSWER
from kgdb.cli.pages import write_page
from kgdb.cli.showing import heading
from kgdb.connection import Connection, KnowledgeGraph
from kgdb.errors import KgdbError, UsageError
from kgdb.methods import Method, all_methods, create
from kgdb.methods.option_declarations import declarations
from kgdb.methods.texts import FormOptions
from kgdb.presentation import Comparison, amount, percent
from kgdb.values import Answer
from kgdb.wording import counted, one_line, short

_VOTES = 15
"""Answers that are printed with the methods that gave them."""


def compare(
    connection: Connection,
    graph: str | None,
    question: str,
    methods: Sequence[Method],
    stages: Stages,
    models: Mapping[str, str | None],
    *,
    as_json: bool,
    page: Path | None = None,
) -> Sequence[Answer]:
    """Answer a question by several methods, and show what each found and spent.

    Agreement is how many of the answers of a method and another are given by both, on average over
    the others that have answers.
    """
    kg = connection.graph(graph)
    # What no method could do without fails here, and not once a method.
    connection.encoder(models["encoder"])
    connection.llm(models["llm"])
    answers = [_answer(kg, method, question, stages, models) for method in methods]
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
    return answers


def end_of_comparison(answers: Sequence[Sequence[Answer]]) -> None:
    """Exit as no method has an answer to one of the questions, or all of them failed."""
    if any(all(answer.error for answer in each) for each in answers):
        sys.exit(EXIT_FAILURE)
    if any(all(answer.is_empty for answer in each) for each in answers):
        sys.exit(EXIT_NO_ANSWER)


def made(names: Sequence[str], given: Mapping[str, str]) -> list[Method]:
    """The methods, each with those of the options that it has."""
    known = {
        name: {
            option.name
            for options in (all_methods()[name].options, FormOptions)
            for option in declarations(options)
        }
        for name in names
        if name in all_methods()
    }
    for option in given:
        if known and not any(option in options for options in known.values()):
            raise UsageError(
                f"There is no option {short(option)} of any of {', '.join(known)}.",
                hint="kgdb answer --methods lists what there is.",
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
    models: Mapping[str, str | None],
) -> Answer:
    """What one method answers; that it cannot be used at all is its own failure."""
    try:
        asked = kg.reasoner(method, watch=stages, **models)
    except KgdbError as error:
        return Answer(question, kg.name, method.name, error=error)
    (answer,) = ask_all(asked.answers, [question], stages, lambda _: None)
    return answer


def _show(question: str, answers: Sequence[Answer], comparison: Comparison) -> None:
    heading(question)
    table = plain_table()
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
