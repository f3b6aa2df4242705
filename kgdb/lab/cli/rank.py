"""``kgdb lab rank``, and how ``--judge-llm`` ranks answers and shows what that came to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.text import Text

from kgdb.cli.console import err, out, plain_table, print_json
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import cache_option, connected, data_option, json_option
from kgdb.connection import Connection
from kgdb.errors import UsageError
from kgdb.evaluation import (
    MAX_ERRORS,
    SPLITS,
    Selection,
    read_dataset,
    read_rows,
)
from kgdb.lab.intervals import Mean
from kgdb.lab.ranking import Answered, Judge, Ranking, rank_answers, summarize_ranks
from kgdb.lab.ranking.trust import trust
from kgdb.lab.texts import DIALOGUES, DialogueQuestion, DialogueRow
from kgdb.optional_packages import optional
from kgdb.wording import one_line, short

_Command = TypeVar("_Command", bound=Callable[..., Any])


def judge_option(*, required: bool = False) -> Callable[[_Command], _Command]:
    """The option that names the judge."""
    return click.option(
        "--judge-llm",
        metavar="NAME",
        required=required,
        help="The language model (as in --llm) that ranks the texts of several methods.",
    )


@click.command(
    "rank",
    epilog="Example: kgdb lab rank genmedgpt rows-rok.jsonl rows-dialogue.jsonl --judge-llm NAME",
)
@click.argument("dataset")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="ROWS ROWS…",
    type=NamedPath(path_type=Path, dir_okay=False, exists=True),
)
@judge_option(required=True)
@data_option
@click.option("--split", type=click.Choice(SPLITS), help="Part of the set. [default: dev]")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the orders.")
@cache_option
@json_option
def rank_command(
    dataset: str,
    files: tuple[Path, ...],
    judge_llm: str,
    data: Path,
    split: str | None,
    seed: int,
    as_json: bool,
    **settings: str | bool | None,
) -> None:
    """Have a language model rank the texts of several methods, each question in two orders.

    ROWS are the files that kgdb lab dialogues --rows wrote for each method on the same DATASET of
    dialogues. The ranks are kept beside the first of them; a stopped ranking goes on from there.
    """
    check_judge(judge_llm)
    texts = {path.stem: read_rows(path, DialogueRow) for path in files}
    if len(texts) < 2:
        raise UsageError(
            f"There is only {short(str(files[0]))} to rank; expected the rows of several methods.",
            hint="Example: kgdb lab rank genmedgpt rows-rok.jsonl rows-dialogue.jsonl "
            "--judge-llm NAME",
        )
    asked = [
        each
        for of_set in read_dataset(dataset, data, Selection(split), DIALOGUES).values()
        for each in of_set
        if isinstance(each, DialogueQuestion)
        if all(each.id in rows for rows in texts.values())
    ]
    if not asked:
        raise UsageError(
            f"No dialogue of {short(dataset)} has a row in each file.",
            hint="Expected files that kgdb lab dialogues --rows wrote, of one set and the same "
            "questions.",
        )
    answered = [
        Answered(each, {name: rows[each.id].text for name, rows in texts.items()}) for each in asked
    ]
    with connected(**settings) as connection:
        judge = judge_of(connection, judge_llm, seed)
        assert judge is not None  # noqa: S101
        beside = judge.rows_beside(files[0], list(texts))
        rows = rank_answers(judge, answered, beside, connection.report)
    ranking = summarize_ranks(judge.name, rows)
    if as_json:
        print_json({name: to_dict(ranking, name) for name in texts})
    else:
        show_rankings({dataset: ranking})


def check_judge(name: str) -> None:
    """Raises :class:`UsageError` for what cannot rank, before anything is started."""
    if name == "none":
        raise UsageError(
            f"--judge-llm is {short(name)}, which ranks nothing; expected a language model.",
            hint="Expected a name as in --llm, such as smollm2, hf:NAME or openai:MODEL@URL.",
        )
    optional("scipy", "lab")


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
    table = plain_table()
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
