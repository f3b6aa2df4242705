"""How many questions over property graphs are answered rightly, wrongly or not at all.

    python -m benchmarks.forms --half dev --failures --llm none

The graphs are Neo4j's examples *movies* and *northwind*, adopted with no option, and small ones
that were made for their questions. Of the test half only counts are shown: nothing is chosen by
its failures. All questions over *geography*, *restaurants* and *zoo* are of the test half.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import click

from benchmarks.forms.graphs import LABELS, property_graphs
from benchmarks.forms.questions import Asked, given_values, outcome, questions, right_values
from benchmarks.log import say, tell
from kgdb.connection import Connection

_OUTCOMES = ("right", "wrong", "abstained")
_HALVES = ("dev", "test")


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with what became of it; ``detail``: what was answered, or why not."""

    asked: Asked
    outcome: str
    detail: str


@click.command()
@click.option("--graph", "graphs", multiple=True, type=click.Choice(list(LABELS)))
@click.option("--half", "halves", multiple=True, type=click.Choice(_HALVES), default=_HALVES)
@click.option("--llm", help="The language model; default: that of the settings.")
@click.option("--encoder", help="The encoder; default: that of the settings.")
@click.option("--failures", is_flag=True, help="List what was not right in the dev half.")
def main(
    graphs: Sequence[str],
    halves: Sequence[str],
    llm: str | None,
    encoder: str | None,
    failures: bool,
) -> None:
    """Print the outcomes by half, graph and operator."""
    with property_graphs(tell) as connection:
        judged = [
            each
            for name in graphs or LABELS
            for each in _judged(connection, name, halves, llm, encoder)
        ]
    for half in halves:
        of_half = [each for each in judged if each.asked.half == half]
        click.echo(f"\n{half:30} {'asked':>9}" + "".join(f"{name:>11}" for name in _OUTCOMES))
        for graph in dict.fromkeys(each.asked.graph for each in of_half):
            _row(graph, [each for each in of_half if each.asked.graph == graph])
        for operator in dict.fromkeys(each.asked.operator for each in of_half):
            _row(f"  {operator}", [each for each in of_half if each.asked.operator == operator])
        _row("all", of_half)
    if failures:
        for each in judged:
            if each.asked.half == "dev" and each.outcome != "right":
                asked = each.asked
                say(f"{each.outcome}: {asked.graph}: {asked.question}\n    {each.detail}")


def _judged(
    connection: Connection,
    name: str,
    halves: Sequence[str],
    llm: str | None,
    encoder: str | None,
) -> list[Judged]:
    asked = [each for each in questions(name) if each.half in halves]
    reasoner = connection.graph(name).reasoner(llm=llm, encoder=encoder)
    answers = reasoner.answers([each.question for each in asked])
    judged = []
    for each, answer in zip(asked, answers, strict=True):
        if answer.error is not None:
            raise answer.error
        right = right_values(connection, each)
        said = answer.reason if answer.is_empty else f"{answer.interpretation}"
        values = "" if answer.is_empty else f" {_short(given_values(answer))}"
        detail = f"{said}{values}; right: {_short(right)}; form: {answer.form}"
        judged.append(Judged(each, outcome(answer, right), detail))
    return judged


def _short(values: object) -> str:
    return str(values)[:150]


def _row(name: str, judged: Sequence[Judged]) -> None:
    counts = Counter(each.outcome for each in judged)
    click.echo(f"{name:30} {len(judged):>9}" + "".join(f"{counts[o]:>11}" for o in _OUTCOMES))


if __name__ == "__main__":
    sys.exit(main())
