"""How ``--judge-llm`` ranks answers and shows what that came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import click
from rich import box
from rich.table import Table
from rich.text import Text

from kgdb.cli.console import err, out
from kgdb.connection import Connection
from kgdb.errors import UsageError
from kgdb.evaluation import MAX_ERRORS, Judge, Mean, Ranking
from kgdb.optional_packages import optional
from kgdb.presentation.ranks import trust
from kgdb.wording import one_line, short

_Command = TypeVar("_Command", bound=Callable[..., Any])

judge_option = click.option(
    "--judge-llm",
    metavar="NAME",
    help="Also have this language model (as in --llm) rank the texts of several methods.",
)


def check_judge(name: str) -> None:
    """Raises :class:`UsageError` for what cannot rank, before anything is started."""
    if name == "none":
        raise UsageError(
            f"--judge-llm is {short(name)}, which ranks nothing; expected a language model.",
            hint="Expected a name as in --llm, such as smollm2, hf:NAME or openai:MODEL@URL.",
        )
    optional("scipy", "reproduce")


def judge_of(
    connection: Connection, name: str | None, seed: int, max_errors: int = MAX_ERRORS
) -> Judge | None:
    """The judge of that name, its model loaded; none without a name."""
    if name is None:
        return None
    llm = connection.llm(name)
    return None if llm is None else Judge(llm, name, seed, max_errors)


def show_rankings(rankings: Mapping[str, Ranking]) -> None:
    """A table of the ranks by set, and below it how far they can be trusted."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("set", "method", "n", "silent", "rank", "wins"):
        left = column in ("set", "method")
        table.add_column(column, no_wrap=True, justify="left" if left else "right")
    for title, ranking in rankings.items():
        best_first = sorted(ranking.methods.items(), key=lambda each: each[1].rank.value)
        for method, of_method in best_first:
            table.add_row(
                Text(one_line(title)),
                method,
                str(ranking.questions),
                str(of_method.silent),
                _with_interval(of_method.rank, "{:.2f}"),
                _with_interval(of_method.wins, "{:.1%}"),
            )
    (judge,) = {ranking.judge for ranking in rankings.values()}
    out.print(one_line(f"ranked by {judge}, each question in two orders"), style="bold")
    out.print(table)
    for title, ranking in rankings.items():
        for line in trust(ranking):
            err.print(one_line(f"{title}: {line}"), markup=False)


def _with_interval(mean: Mean, form: str) -> str:
    value, low, high = (form.format(each) for each in (mean.value, mean.low, mean.high))
    return f"{value} ({low} to {high})"


def to_dict(ranking: Ranking, method: str) -> dict[str, Any]:
    """What JSON has of a method: its own ranks, and what is said of all."""
    told = asdict(ranking)
    of_method = told.pop("methods").get(method, {"rank": None, "wins": None, "silent": None})
    return {**told, **of_method}
