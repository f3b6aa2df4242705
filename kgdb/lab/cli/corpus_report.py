"""What the commands that make a corpus tell of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kgdb.cli.console import out, print_json
from kgdb.wording import counted, one_line

if TYPE_CHECKING:
    from kgdb.lab.training.corpus import CorpusReport


def show_corpus(output: Path, told: CorpusReport, *, as_json: bool) -> None:
    """Tell what a corpus holds, what was left out of it, and why."""
    if as_json:
        print_json({"file": str(output), **told.to_dict()})
        return
    out.print(
        one_line(
            f"Wrote {counted(told.rows, 'row')} about {told.graph} to {output} "
            f"in {told.seconds:.0f} s."
        ),
        markup=False,
    )
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="right")
    table.add_column()
    for hops, number in sorted(told.hops.items()):
        table.add_row(f"{number:,}", f"chains of {counted(hops, 'hop')}")
    if told.held_back:
        table.add_row(f"{told.held_back:,}", "rows held back from training")
    for how, number in told.chosen.most_common():
        table.add_row(f"{number:,}", Text(f"chosen as or by: {how}"))
    if told.agreement is not None:
        table.add_row(f"{told.agreement:.1%}", "agree with the chains that the question set tells")
    for reason, number in told.dropped.most_common():
        table.add_row(f"{number:,}", Text(f"dropped: {reason}"))
        for example in told.dropped_examples[reason]:
            table.add_row("", Text(one_line(f"  {example}")), style="dim")
    out.print(table)
    for row in told.examples:
        chain = " → ".join(row["chain"])
        out.print(one_line(f"{row['question']}  ({chain})"), style="dim", markup=False)
