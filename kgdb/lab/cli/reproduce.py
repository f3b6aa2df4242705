"""``kgdb lab reproduce``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.text import Text

from kgdb.api import load_graph
from kgdb.cli.connection_options import settings_of
from kgdb.cli.console import err, out, plain_table, print_json, reporting
from kgdb.cli.main import EXIT_FAILURE
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import cache_option, connected, data_option, json_option
from kgdb.errors import UsageError
from kgdb.lab.cli.rank import check_judge, judge_of, judge_option
from kgdb.lab.ranking.trust import trust
from kgdb.lab.reproduction.pictures import draw
from kgdb.lab.reproduction.reproduction_report import markdown
from kgdb.lab.reproduction.spec import Reproduction, chosen, reproductions
from kgdb.lab.reproduction.table_results import Result
from kgdb.lab.reproduction.table_runs import Runner, Sample
from kgdb.lab.texts import ALL_SETS
from kgdb.optional_packages import optional
from kgdb.wording import counted, one_line


@click.command(
    "reproduce", epilog="Example: kgdb lab reproduce refkg-table-4 --data ./data --limit 100"
)
@click.argument("names", nargs=-1, metavar="[NAME]…")
@click.option("--list", "only_list", is_flag=True, help="Show the tables and figures there are.")
@click.option("--all", "run_all", is_flag=True, help="Run all of them.")
@data_option
@click.option("--limit", type=click.IntRange(min=1), help="Questions per set, drawn by --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the questions.")
@click.option(
    "--gold-entities/--no-gold-entities",
    default=None,
    help="Give the entities that a set names, in [brackets], or have them found in the text. "
    "[default: what the table sets]",
)
@click.option("--load", is_flag=True, help="Load the graphs that are missing, from --data.")
@click.option(
    "--tables",
    "folder",
    type=NamedPath(path_type=Path, file_okay=False),
    help="A folder of TOML files instead of those that ship.",
)
@click.option(
    "--output",
    type=NamedPath(path_type=Path, file_okay=False),
    default="reproductions",
    show_default=True,
    help="Folder for pages, pictures, scores, and a row for each question. Give it again to go on.",
)
@click.option("--llm", help="As in kgdb answer, for the rows that do not name one.")
@click.option("--encoder", help="As in kgdb answer.")
@judge_option()
@cache_option
@json_option
def reproduce_command(
    names: tuple[str, ...],
    only_list: bool,
    run_all: bool,
    data: Path,
    limit: int | None,
    seed: int,
    gold_entities: bool | None,
    load: bool,
    folder: Path | None,
    output: Path,
    llm: str | None,
    encoder: str | None,
    judge_llm: str | None,
    as_json: bool,
    **settings: str | bool | None,
) -> None:
    """Run tables and figures of the papers that kgdb implements, and show both scores.

    NAME is one of --list, such as refkg-table-4. The page NAME.md has the published rows with ours
    under them, their intervals, and what was not run and why; NAME.png and NAME.svg show it.

    Rows of other models that the folder already has stand beside those of --llm: the same command
    with --llm none and with --llm openai:… makes one page of both.

    Columns of ranks need --judge-llm: this model ranks the answers of all rows by the same models.

    Exit code 1 means that a score is off the expected one by more than twice its tolerance, that a
    row or a judge was stopped because too many questions ended in an error (the same command goes
    on), or that a table of --all could not be run: its data or its graph is missing.
    """
    known = reproductions(folder)
    if only_list:
        _list(list(known.values()), as_json=as_json)
        return
    if bool(names) == run_all:
        raise UsageError(
            "There is no table or figure to run." if not names else "--all runs every table.",
            hint="Name one or more of kgdb lab reproduce --list, or give --all alone.",
        )
    specs = list(known.values()) if run_all else chosen(names, known)
    if judge_llm:
        check_judge(judge_llm)
        if not any(spec.ranked_sets for spec in specs):
            raise UsageError(
                f"--judge-llm ranks nothing: no column of {', '.join(names)} is a rank.",
                hint="rok-table-2 and gotr-table-3 have such columns.",
            )
    for package in ("matplotlib", "scipy"):
        optional(package, "lab")
    output.mkdir(parents=True, exist_ok=True)
    if load:
        _load_missing(specs, data, settings)
    sample = Sample(data, output, limit, seed, gold_entities)
    results: list[Result] = []
    not_run = 0
    with connected(**settings) as connection:
        judge = judge_of(connection, judge_llm, seed)
        runner = Runner(connection, sample, llm=llm, encoder=encoder, judge=judge)
        for spec in specs:
            try:
                results.append(runner.run(spec))
            except UsageError as error:
                if not run_all:
                    raise
                # What one table lacks does not end the others.
                not_run += 1
                told = " ".join(filter(None, (error.message, error.hint)))
                err.print(one_line(f"{spec.name} was not run: {told}"), markup=False)
                continue
            _write(results[-1], output)
            if not as_json:
                _show(results[-1], output)
    if as_json:
        print_json([result.to_dict() for result in results])
    stopped = any(result.stopped for result in results)
    if not_run or stopped or any(result.worst == "fail" for result in results):
        sys.exit(EXIT_FAILURE)


def _load_missing(
    specs: Sequence[Reproduction], data: Path, settings: Mapping[str, str | bool | None]
) -> None:
    """Load the graphs of the tables' sets that are not there, as ``kgdb load`` does."""
    from kgdb.loading import prepare, read_spec

    with connected(**settings) as connection:
        there = {info.name for info in connection.graphs()}
    sets = {
        ALL_SETS[each.dataset].graph: ALL_SETS[each.dataset] for spec in specs for each in spec.sets
    }
    for graph, known in sets.items():
        if graph in there:
            continue
        spec, source = read_spec(graph), data / known.source
        with (
            reporting() as report,
            prepare(spec, source, options=known.options, report=report) as ready,
        ):
            load_graph(ready, settings_of(**settings), report=report)


def _write(result: Result, folder: Path) -> None:
    picture = draw(result, folder)
    name = result.spec.name
    page = markdown(result, picture.name if picture else None)
    (folder / f"{name}.md").write_text(page, encoding="utf-8")
    scores = json.dumps(result.to_dict(), indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(scores + "\n", encoding="utf-8")


def _show(result: Result, folder: Path) -> None:
    spec = result.spec
    title = f"{spec.title} ({result.entities})"
    out.print(Text(one_line(title), style="bold"))
    table = plain_table()
    table.add_column("row", min_width=20)
    for column in spec.columns:
        table.add_column(Text(one_line(column.title)), justify="right")
    table.add_column("")
    for published in spec.published:
        values = (published.values.get(column.title) for column in spec.columns)
        cells = ("" if value is None else f"{value:g}" for value in values)
        table.add_row(Text(one_line(published.row)), *cells, "published", style="dim")
    for each in result.runs:
        name = Text(one_line(result.called(each)), style="" if each.skipped else "green")
        if each.skipped:
            ended = "stopped" if each.stopped else "not run"
            table.add_row(name, *("" for _ in spec.columns), ended)
            continue
        means = (each.means.get(column.title) for column in spec.columns)
        shown = [
            "" if mean is None else f"{mean.value * column.scale:.{column.decimals}f}"
            for mean, column in zip(means, spec.columns, strict=True)
        ]
        found = {result.standing(each, column.title) for column in spec.columns}
        worst = next((one for one in ("fail", "near", "ok") if one in found), "")
        table.add_row(name, *shown, worst)
    out.print(table)
    for each in result.runs:
        if told := each.skipped if each.stopped else each.first_error:
            err.print(one_line(f"{result.called(each)}: {told}"), style="yellow", markup=False)
    for of_set in result.rankings:
        lines = [of_set.stopped] if of_set.ranking is None else trust(of_set.ranking)
        for line in lines:
            err.print(one_line(f"{of_set.questions.title}: {line}"), markup=False)
    out.print(f"{folder / spec.name}.md", markup=False)


def _list(specs: Sequence[Reproduction], *, as_json: bool) -> None:
    if as_json:
        print_json(
            [{"name": spec.name, "title": spec.title, "needs": _needs(spec)} for spec in specs]
        )
        return
    table = plain_table("name", "title", "runs with the default models")
    for spec in specs:
        table.add_row(spec.name, Text(one_line(spec.title)), Text(one_line(_needs(spec))))
    out.print(table, soft_wrap=False)


def _needs(spec: Reproduction) -> str:
    """How much of it runs, and what the rest needs."""
    if not spec.runs:
        return f"none: needs {spec.needs}" if spec.needs else "none"
    missing = dict.fromkeys(
        need for run in spec.runs if run.needs for need in run.needs.split("; ")
    )
    able = sum(not run.needs for run in spec.runs)
    if not missing:
        return f"all {counted(able, 'row')}"
    rows = counted(len(spec.runs), "row")
    return f"{able} of {rows}; the others need {'; '.join(missing)}"
