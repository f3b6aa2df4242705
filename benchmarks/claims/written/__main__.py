"""How many written claims over property graphs get the right verdict.

    python -m benchmarks.claims.written --failures

Each file has claims in the words of users, with the verdict that the facts of the graph give, and
a kind. A false claim is REFUTED only where the graph excludes it: by another value of what has
one, by another number, or by a count. Of *geography*, *restaurants* and *zoo* only counts are
shown: nothing is chosen by their failures.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from benchmarks.forms.graphs import property_graphs
from benchmarks.log import say, tell
from kgdb.connection import Connection
from kgdb.values import Label, Verdict

_FOLDER = Path(__file__).parent
_REPORTED = ("geography", "restaurants", "zoo")
_GRAPHS = tuple(sorted(file.stem for file in _FOLDER.glob("*.jsonl")))
_OUTCOMES = ("right", "wrong SUPPORTED", "wrong REFUTED", "undecided")


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A claim with the verdict that the facts give."""

    graph: str
    claim: str
    verdict: Label
    kind: str


@click.command()
@click.option("--graph", "graphs", multiple=True, type=click.Choice(_GRAPHS), default=_GRAPHS)
@click.option("--llm", default="none", show_default=True)
@click.option("--method", default="auto", show_default=True)
@click.option("--failures", is_flag=True, help="List what was not right, of the graphs for that.")
def main(graphs: Sequence[str], llm: str, method: str, failures: bool) -> None:
    """Verify the claims, and print what came out by graph, verdict and kind."""
    judged: list[tuple[WrittenClaim, Verdict]] = []
    with property_graphs(tell) as connection:
        for name in graphs:
            judged += _judged(connection, name, llm, method)
    for title, names in (
        ("development", [name for name in graphs if name not in _REPORTED]),
        ("reported", [name for name in graphs if name in _REPORTED]),
    ):
        of_half = [each for each in judged if each[0].graph in names]
        if of_half:
            head = f"{title:32}{'claims':>8}" + "".join(f"{each:>17}" for each in _OUTCOMES)
            click.echo(f"\n{head}")
            _rows(of_half, lambda claim: claim.graph)
            _rows(of_half, lambda claim: claim.verdict)
            _rows(of_half, lambda claim: f"  {claim.kind}")
            _rows(of_half, lambda _: "all")
    for claim, verdict in judged if failures else ():
        if claim.graph not in _REPORTED and verdict.label != claim.verdict:
            say(
                f"{claim.graph}: {claim.claim}\n    {verdict.label}, not {claim.verdict}: "
                f"{verdict.reason or ''} {verdict.interpretation or ''}"
            )


def _judged(
    connection: Connection, name: str, llm: str, method: str
) -> list[tuple[WrittenClaim, Verdict]]:
    text = (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    claims = [WrittenClaim(name, **json.loads(line)) for line in text.splitlines()]
    reasoner = connection.graph(name).reasoner(method, llm=llm)
    verdicts = reasoner.verdicts([each.claim for each in claims])
    for verdict in verdicts:
        if verdict.error is not None:
            raise verdict.error
    return list(zip(claims, verdicts, strict=True))


def _rows(
    judged: Sequence[tuple[WrittenClaim, Verdict]], title_of: Callable[[WrittenClaim], str]
) -> None:
    outcomes: dict[str, Counter[str]] = {}
    for claim, verdict in judged:
        counts = outcomes.setdefault(title_of(claim), Counter())
        counts[_outcome(claim, verdict)] += 1
    for title, counts in outcomes.items():
        numbers = "".join(f"{counts[each]:17}" for each in _OUTCOMES)
        click.echo(f"{title:32}{counts.total():8}{numbers}")


def _outcome(claim: WrittenClaim, verdict: Verdict) -> str:
    if verdict.label == claim.verdict:
        return "right"
    return "undecided" if verdict.label == "NOT ENOUGH EVIDENCE" else f"wrong {verdict.label}"


if __name__ == "__main__":
    main()
