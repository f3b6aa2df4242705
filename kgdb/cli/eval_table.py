"""How summaries of evaluations are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from kgdb.cli.console import err, out
from kgdb.evaluation import SHOWN, AnswerSummary, ClaimSummary, entities_named
from kgdb.presentation import amount
from kgdb.wording import counted, one_line

_ANSWERS = ("Hits@1", f"hit@{SHOWN}", "EM", "F1", "evidence", "all of it")
_CLAIMS = ("accuracy", "of decided")
_TEXTS = ("disease", "medication", "test", "key entities", "in graph", "of all", "BERTScore")
_COSTS = ("paths", "none", "errors", "calls", "tokens", "s", "trips")

Measured = Mapping[tuple[str, str], AnswerSummary | ClaimSummary]
"""Summaries by the method and the set."""


def show_measures(measured: Measured, *, types: bool, gold_entities: bool) -> None:
    """A table with a line for each set and method; ``types``: one for each kind of question too.

    The line above says whether the gold entities were given.
    """
    claims = any(isinstance(summary, ClaimSummary) for summary in measured.values())
    priced = any(summary.cost for summary in measured.values())
    texts = any(_has_texts(summary) for summary in measured.values())
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    costs = (*_COSTS, "cost") if priced else _COSTS
    shares = _CLAIMS if claims else _TEXTS if texts else _ANSWERS
    for column in ("set", "method", "n", *shares, *costs):
        left = column in ("set", "method")
        table.add_column(column, no_wrap=True, justify="left" if left else "right")
    for (method, name), summary in measured.items():
        cells = _cells(summary, priced=priced, texts=texts)
        table.add_row(Text(one_line(name)), method, *cells)
        for type_, of_type in summary.by_type.items() if types else ():
            title = Text(one_line(f"  {type_}"))
            cells = _cells(of_type, priced=priced, texts=texts)
            table.add_row(title, "", *cells, style="dim")
    out.print(entities_named(gold_entities), style="bold")
    out.print(table)
    for (method, name), summary in measured.items():
        if summary.first_error:
            told = one_line(f"{method}, {name}: {summary.first_error}")
            err.print(told, style="yellow", markup=False)
        if isinstance(summary, AnswerSummary) and summary.truncated:
            share = f"{summary.truncated:.1%}"
            told = one_line(f"{method}, {name}: a cap left answers out of {share} of the questions")
            err.print(told, style="yellow", markup=False)
        if isinstance(summary, AnswerSummary) and summary.gold_outside:
            err.print(one_line(f"{method}, {name}: {_coverage(summary)}"), markup=False)


def _has_texts(summary: AnswerSummary | ClaimSummary) -> bool:
    return isinstance(summary, AnswerSummary) and bool(
        summary.texts or summary.key_entities_of_all is not None
    )


def _coverage(summary: AnswerSummary) -> str:
    """What the shares of key entities are of."""
    return (
        f"disease, medication, test and their mean count what the graph covers, of "
        f"{counted(summary.with_key_entities, 'question')}. In references, "
        f"{counted(summary.gold_outside, 'entity', 'entities')} the graph does not have, and "
        f"{summary.gold_unjoined:,} it joins to no disease that is named."
    )


def _cells(summary: AnswerSummary | ClaimSummary, *, priced: bool, texts: bool) -> Sequence[str]:
    shares: tuple[float | None, ...]
    if isinstance(summary, AnswerSummary) and texts:
        shares = (
            summary.disease,
            summary.medication,
            summary.test,
            summary.key_entities,
            summary.key_entities_in_graph,
            summary.key_entities_of_all,
            summary.bertscore_f1,
        )
    elif isinstance(summary, AnswerSummary):
        shares = (
            summary.hits_at_1,
            summary.hit,
            summary.exact,
            summary.f1,
            summary.evidence_hit,
            summary.evidence,
        )
    else:
        shares = (summary.accuracy, summary.accuracy_of_decided)
    return (
        str(summary.questions),
        *("–" if share is None else f"{share:.1%}" for share in shares),
        f"{summary.paths:.0f}",
        f"{summary.unanswered:.1%}",
        str(summary.errors),
        f"{summary.calls:.1f} ≤ {summary.most_calls}",
        f"{summary.tokens_in:.0f}",
        f"{summary.seconds:.2f}",
        f"{summary.round_trips:.1f} ≤ {summary.most_round_trips}",
        *((amount(summary.cost),) if priced else ()),
    )
