"""How summaries of evaluations are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.text import Text

from kgdb.cli.console import err, out, plain_table
from kgdb.evaluation import SHOWN, AnswerSummary, ClaimSummary, entities_named
from kgdb.presentation import amount
from kgdb.wording import one_line

_COSTS = ("paths", "none", "errors", "calls", "tokens", "s", "trips")

Summarized = AnswerSummary | ClaimSummary
Measured = Mapping[tuple[str, str], Summarized]
"""Summaries by the method and the set."""

Shares = Callable[[Summarized], Mapping[str, float | None]]
"""The shares of a summary that a table shows, by their columns."""


def shares_of(summary: Summarized) -> Mapping[str, float | None]:
    """How many answers or verdicts are right, and whether the evidence was there."""
    if isinstance(summary, ClaimSummary):
        return {"accuracy": summary.accuracy, "of decided": summary.accuracy_of_decided}
    return {
        "Hits@1": summary.hits_at_1,
        f"hit@{SHOWN}": summary.hit,
        "EM": summary.exact,
        "F1": summary.f1,
        "evidence": summary.evidence_hit,
        "all of it": summary.evidence,
    }


def no_note(_: Summarized) -> str | None:
    """Nothing is said below the table of a summary."""
    return None


def show_measures(
    measured: Measured,
    *,
    types: bool,
    gold_entities: bool,
    shares: Shares = shares_of,
    note: Callable[[Summarized], str | None] = no_note,
) -> None:
    """A table with a line for each set and method; ``types``: one for each kind of question too.

    The line above says whether the gold entities were given; ``note`` says more of a summary below.
    """
    priced = any(summary.cost for summary in measured.values())
    table = plain_table()
    costs = (*_COSTS, "cost") if priced else _COSTS
    columns = dict.fromkeys(name for summary in measured.values() for name in shares(summary))
    for column in ("set", "method", "n", *columns, *costs):
        left = column in ("set", "method")
        table.add_column(column, no_wrap=True, justify="left" if left else "right")
    for (method, name), summary in measured.items():
        cells = _cells(summary, shares, priced=priced)
        table.add_row(Text(one_line(name)), method, *cells)
        for type_, of_type in summary.by_type.items() if types else ():
            title = Text(one_line(f"  {type_}"))
            table.add_row(title, "", *_cells(of_type, shares, priced=priced), style="dim")
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
        if said := note(summary):
            err.print(one_line(f"{method}, {name}: {said}"), markup=False)


def _cells(summary: Summarized, shares: Shares, *, priced: bool) -> Sequence[str]:
    return (
        str(summary.questions),
        *("–" if share is None else f"{share:.1%}" for share in shares(summary).values()),
        f"{summary.paths:.0f}",
        f"{summary.unanswered:.1%}",
        str(summary.errors),
        f"{summary.calls:.1f} ≤ {summary.most_calls}",
        f"{summary.tokens_in:.0f}",
        f"{summary.seconds:.2f}",
        f"{summary.round_trips:.1f} ≤ {summary.most_round_trips}",
        *((amount(summary.cost),) if priced else ()),
    )
