"""``kgdb eval``, and the factory of commands that measure methods on sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from kgdb.cli.console import print_json
from kgdb.cli.eval_table import Measured, Shares, Summarized, no_note, shares_of, show_measures
from kgdb.cli.parameter_types import NamedPath, setting
from kgdb.cli.shared_options import cache_option, connected, data_option, json_option
from kgdb.errors import UsageError
from kgdb.evaluation import (
    ANSWERS,
    BATCH,
    DATASETS,
    HOPS,
    MAX_ERRORS,
    SPLITS,
    Asked,
    Asking,
    Dataset,
    Measures,
    Selection,
    covered,
    drawn,
    entities_named,
    measure,
    read_dataset,
)
from kgdb.graph import Graph
from kgdb.methods import DEFAULT, METHODS, create
from kgdb.progress import Event, Progress, Report
from kgdb.wording import counted, short

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def gold_answers(_: Graph, __: Asked, ___: Mapping[str, Any]) -> Measures:
    """Answers are measured by the gold ones, whatever the graph and the options."""
    return ANSWERS


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What tells one of these commands from another.

    ``dataset`` is its argument and ``options`` are those that only this command has; rows of other
    values of ``in_runs`` are of another run. ``measures`` gets the graph, a set and these values.
    ``method_options`` are for every method, unless ``--set`` says otherwise. ``shares`` and
    ``note`` are what the table shows of a summary.
    """

    name: str
    help: str
    example: str
    dataset: _Decorator
    sets: Mapping[str, Dataset]
    options: Sequence[_Decorator] = ()
    in_runs: Sequence[str] = ()
    method_options: Mapping[str, str] = field(default_factory=dict)
    measures: Callable[[Graph, Asked, Mapping[str, Any]], Measures] = gold_answers
    shares: Shares = shares_of
    note: Callable[[Summarized], str | None] = no_note


def make_eval_command(evaluation: Evaluation) -> click.Command:
    """The command with the options that all of them have, and its own."""

    def run(
        dataset: str,
        data: Path,
        split: str | None,
        limit: int | None,
        seed: int,
        gold_entities: bool,
        only_covered: bool,
        graph: str | None,
        methods: str,
        options: tuple[str, ...],
        llm: str | None,
        encoder: str | None,
        batch: int,
        max_errors: int,
        rows: Path | None,
        types: bool,
        cache: bool | None,
        as_json: bool,
        **own: Any,
    ) -> None:
        names = list(dict.fromkeys(name.strip() for name in methods.split(",")))
        # Wrong names and values are told before anything is started.
        given = _options_of(names, options)
        made = {name: create(name, {**evaluation.method_options, **given[name]}) for name in names}
        lengths = tuple(sorted(set(map(int, own.get("hops", HOPS)))))
        selection = Selection(split, lengths, own.get("language"))
        sets = read_dataset(dataset, data, selection, evaluation.sets)
        if gold_entities and not any(each.entities for asked in sets.values() for each in asked):
            raise UsageError(
                f"{short(dataset)} names no entities: there are no gold ones to give.",
                hint="Leave --gold-entities out: the entities are found in the texts.",
            )
        measured: dict[tuple[str, str], Summarized] = {}
        with connected(cache=cache) as connection:
            known = evaluation.sets.get(dataset)
            chosen = connection.graph(graph or (known.graph if known else None))
            if only_covered:
                sets = {name: _covered(chosen, asked) for name, asked in sets.items()}
            sets = {name: drawn(asked, limit, seed) for name, asked in sets.items()}
            measures = {
                name: evaluation.measures(chosen, asked, own) for name, asked in sets.items()
            }
            for name, method in made.items():
                # What was set and gold entities belong to the run as well: they change answers.
                settings = sorted(options)
                settings += [f"{key} {own[key]}" for key in evaluation.in_runs if own[key]]
                asked_with = [connection.models(llm, encoder), entities_named(gold_entities)]
                reasoner = chosen.reasoner(method, llm=llm, encoder=encoder)
                # Read once for a graph: no question is to be charged with it.
                _ = chosen.relations, reasoner.resources.relation_vectors
                asking = Asking(
                    reasoner,
                    rows if rows is None or len(made) == 1 else _of_method(rows, name),
                    ", ".join([f"{name} on {chosen.name}", *asked_with, *settings]),
                    batch,
                    max_errors,
                    gold_entities=gold_entities,
                )
                for title, asked in sets.items():
                    told = _as_stage(f"{name}, {title}", connection.report)
                    of_set = replace(asking, measures=measures[title])
                    measured[name, title] = measure(of_set, asked, told)
        if as_json:
            print_json(_to_dict(measured, gold_entities=gold_entities))
            return
        show_measures(
            measured,
            types=types,
            gold_entities=gold_entities,
            shares=evaluation.shares,
            note=evaluation.note,
        )

    run.__doc__ = evaluation.help
    decorated: Callable[..., Any] = run
    parameters: Sequence[_Decorator] = (
        evaluation.dataset,
        data_option,
        *evaluation.options,
        *_OPTIONS,
    )
    for option in reversed(parameters):
        decorated = option(decorated)
    return click.command(evaluation.name, epilog=f"Example: {evaluation.example}")(decorated)


def _to_dict(measured: Measured, *, gold_entities: bool) -> dict[str, dict[str, object]]:
    """The measures as JSON has them: by the method, and then by the set."""
    of_methods: dict[str, dict[str, object]] = {}
    for (name, title), summary in measured.items():
        told = asdict(summary) | {"gold_entities": gold_entities}
        of_methods.setdefault(name, {})[title] = told
    return of_methods


def _options_of(names: Sequence[str], options: Sequence[str]) -> dict[str, dict[str, str]]:
    """The options of each method, by their names; one is written for all or as METHOD.OPTION."""
    given: dict[str, dict[str, str]] = {name: {} for name in names}
    for option in options:
        key, value = setting(option)
        method, dot, rest = key.partition(".")
        if dot and method not in given:
            raise UsageError(
                f"--set {short(option)} sets nothing.",
                hint=f"Expected OPTION=VALUE, or METHOD.OPTION=VALUE of {', '.join(names)}.",
            )
        for name in [method] if dot else names:
            given[name][rest if dot else key] = value
    return given


def _covered(graph: Graph, asked: Asked) -> Asked:
    kept = covered(graph, asked)
    if not kept:
        raise UsageError(
            f"The graph {short(graph.name)} covers none of the {counted(len(asked), 'question')}."
        )
    return kept


def _as_stage(title: str, report: Report) -> Report:
    """Progress under a title of its own: there are as many stages as sets and methods."""

    def told(event: Event) -> None:
        report(replace(event, stage=title) if isinstance(event, Progress) else event)

    return told


def _of_method(rows: Path, method: str) -> Path:
    return rows.with_name(f"{rows.stem}-{method}{rows.suffix}")


_OPTIONS: Sequence[_Decorator] = (
    click.option(
        "--split",
        type=click.Choice(SPLITS),
        help="Part of the set. [default: dev, or the only one]",
    ),
    click.option("--limit", type=click.IntRange(min=1), help="Questions per set, drawn by --seed."),
    click.option("--seed", type=int, default=0, show_default=True, help="Draws the questions."),
    click.option(
        "--gold-entities",
        is_flag=True,
        help="Give the entities that the set names, in [brackets]. [default: found in the text]",
    ),
    click.option(
        "--covered",
        "only_covered",
        is_flag=True,
        help="Only questions and claims whose entities the graph has.",
    ),
    click.option("--graph", help="The loaded graph. [default: that of the dataset]"),
    click.option(
        "--method",
        "methods",
        default=DEFAULT,
        show_default=True,
        metavar="NAME[,NAME…]",
        help=f"Of {', '.join(METHODS)} and others of kgdb answer --methods; several in turn.",
    ),
    click.option(
        "--set",
        "options",
        multiple=True,
        metavar="[METHOD.]OPTION=VALUE",
        help="An option of the methods, or of one of them; may be given more than once.",
    ),
    click.option("--llm", help="As in kgdb answer."),
    click.option("--encoder", help="As in kgdb answer."),
    click.option(
        "--batch",
        type=click.IntRange(min=1),
        default=BATCH,
        show_default=True,
        help="Questions that are asked together.",
    ),
    click.option(
        "--max-errors",
        type=click.IntRange(min=0),
        default=MAX_ERRORS,
        show_default=True,
        help="Questions that may end in an error before the evaluation stops.",
    ),
    click.option(
        "--rows",
        type=NamedPath(path_type=Path, dir_okay=False),
        help="JSONL file for a row per question; a stopped evaluation goes on from it. "
        "Of several methods each has its own: ROWS-METHOD.jsonl.",
    ),
    click.option("--types", is_flag=True, help="Also show each kind of question by itself."),
    cache_option,
    json_option,
)


eval_command = make_eval_command(
    Evaluation(
        "eval",
        help="""Measure methods on a question set, or on a FILE of your own: JSONL, or QALD's JSON.

    Sets are metaqa, webqsp, cwq, webquestions, simplequestions and factkg.

    docs/how-to/evaluating.md describes the form of a file, the measures, and how to resume an
    interrupted run. Exit code 1 means that more questions failed than --max-errors.
    """,
        example="kgdb eval metaqa --data ./data --hops 2 --limit 300",
        dataset=click.argument("dataset", metavar="DATASET|FILE"),
        sets=DATASETS,
        options=(
            click.option(
                "--hops",
                type=click.Choice([str(hops) for hops in HOPS]),
                multiple=True,
                default=[str(hops) for hops in HOPS],
                show_default=True,
                help="Question lengths of MetaQA; may be repeated.",
            ),
            click.option(
                "--language",
                help="The language of a file of QALD, such as de. [default: en, or a question's "
                "first one]",
            ),
        ),
    )
)
