"""``kgdb compare``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
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
    database_options,
    graph_option,
    html_option,
    json_option,
    model_options,
    verbose_option,
)
from kgdb.cli.pages import check_page, save_page
from kgdb.cli.showing import heading, without_answer
from kgdb.cli.stages import Stages
from kgdb.connection import KnowledgeGraph
from kgdb.errors import KgdbError, UsageError
from kgdb.methods import KINDS, NAMES, Method, check_question, create
from kgdb.values import Answer
from kgdb.web.amounts import amount
from kgdb.wording import counted, one_line, short

_NAMED = 3
"""Answers that a row of the table names."""


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
@database_options
@json_option
def compare_command(
    question: str,
    names: str | None,
    graph: str | None,
    given: dict[str, str],
    allow_unsupported: bool,
    llm: str | None,
    encoder: str | None,
    page: Path | None,
    verbose: bool,
    as_json: bool,
    **database: str | bool | None,
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
    with connected(**database) as connection:
        kg = connection.graph(graph)
        # What no method could do without fails here, and not once a method.
        connection.encoder(encoder)
        connection.llm(llm)
        answers = [_answer(kg, method, question, stages, llm, encoder) for method in made]
    agreements = agreement(answers)
    votes = voted(answers)
    if as_json:
        print_json(
            {
                "question": question,
                "graph": kg.name,
                "methods": [
                    answer.to_dict() | {"agreement": share}
                    for answer, share in zip(answers, agreements, strict=True)
                ],
                "votes": {name: list(methods) for name, methods in votes},
            }
        )
    else:
        _show(question, answers, agreements, votes)
    if page:
        _write(page, answers, agreements, votes)
    if all(answer.error for answer in answers):
        sys.exit(EXIT_FAILURE)
    if not any(answer.entities for answer in answers):
        sys.exit(EXIT_NO_ANSWER)


def _chosen(names: str | None) -> Sequence[str]:
    chosen = [name.strip() for name in (names or "").split(",") if name.strip()]
    return list(dict.fromkeys(chosen)) or NAMES


def _made(names: Sequence[str], given: Mapping[str, str]) -> list[Method]:
    """The methods, each with those of the options that it has."""
    known = {
        name: {field.name for field in fields(KINDS[name].options)}
        for name in names
        if name in KINDS
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
) -> Answer:
    """What one method answers; that it cannot be used at all is its own failure."""
    try:
        asked = kg.reasoner(method, llm=llm, encoder=encoder, watch=stages)
    except KgdbError as error:
        return Answer(question, kg.name, method.name, error=error)
    (answer,) = ask_all(asked.answers, [question], stages, lambda _: None)
    return answer


def agreement(answers: Sequence[Answer]) -> list[float | None]:
    """For each, the mean share of common answers with each other that has answers."""
    found = [frozenset(answered.entity for answered in answer.entities) for answer in answers]
    shares: list[float | None] = []
    for place, own in enumerate(found):
        others = [other for i, other in enumerate(found) if i != place and other]
        if own and others:
            shares.append(sum(len(own & o) / len(own | o) for o in others) / len(others))
        else:
            shares.append(None)
    return shares


def voted(answers: Sequence[Answer]) -> list[tuple[str, tuple[str, ...]]]:
    """Each answer with the methods that gave it, what most gave first."""
    votes: dict[tuple[str, str], list[str]] = {}
    for answer in answers:
        for answered in answer.entities:
            votes.setdefault((answered.entity.id, answered.entity.name), []).append(answer.method)
    ranked = sorted(votes.items(), key=lambda item: -len(item[1]))
    return [(name, tuple(methods)) for (_, name), methods in ranked]


def summed_up(answer: Answer) -> str:
    """What became of the question, on one line."""
    if answer.error:
        return f"failed: {one_line(answer.error.message)}"
    names = [one_line(answered.entity.name) for answered in answer.entities]
    if names:
        more = len(names) - _NAMED
        return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    if answer.unsupported:
        return f"without evidence: {', '.join(map(one_line, answer.unsupported[:_NAMED]))}"
    return without_answer(answer)


def _show(
    question: str,
    answers: Sequence[Answer],
    agreements: Sequence[float | None],
    votes: Sequence[tuple[str, tuple[str, ...]]],
) -> None:
    heading(question)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("method", no_wrap=True, style="cyan")
    table.add_column("answers", min_width=20, max_width=80)
    priced = any(answer.usage.cost for answer in answers)
    costs = ("calls", "tokens", "s", "trips", *(("cost",) if priced else ()))
    for column in ("evidence", "agreement", *costs):
        table.add_column(column, no_wrap=True, justify="right")
    for answer, share in zip(answers, agreements, strict=True):
        usage = answer.usage
        style = "red" if answer.error else "" if answer.entities else "yellow"
        table.add_row(
            answer.method,
            Text(summed_up(answer), style=style),
            str(len(answer.evidence)),
            percent(share),
            str(usage.calls),
            str(usage.tokens_in + usage.tokens_out),
            f"{usage.seconds:.2f}",
            str(usage.round_trips),
            *((amount(usage.cost),) if priced else ()),
        )
    out.print(table, soft_wrap=False)
    for name, methods in votes[: 5 * _NAMED]:
        out.print(Text.assemble((one_line(name), "bold green"), f": {', '.join(methods)}"))
    if (more := len(votes) - 5 * _NAMED) > 0:
        out.print(Text(f"… and {counted(more, 'more answer')} (--json)", style="dim"))


def percent(share: float | None) -> str:
    """A share as people read it."""
    return "-" if share is None else f"{share:.0%}"


def _write(
    page: Path,
    answers: Sequence[Answer],
    agreements: Sequence[float | None],
    votes: Sequence[tuple[str, tuple[str, ...]]],
) -> None:
    from kgdb.web import Comparison, Row, render

    rows = tuple(
        Row(
            answer.method,
            summed_up(answer),
            len(answer.evidence),
            percent(share),
            answer.usage,
        )
        for answer, share in zip(answers, agreements, strict=True)
    )
    save_page(page, render(answers, Comparison(rows, tuple(votes))))
