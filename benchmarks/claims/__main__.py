"""What is said of claims that are made from the facts of graphs, by graph and by kind.

    python -m benchmarks.claims --each 12 --rows FILE

No false claim may be SUPPORTED and no true one REFUTED. The graphs are those of
``claims.toml``; the property graphs *movies* and *northwind* are adopted with no option.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.claims.made import MadeClaim, made_claims, wordings
from benchmarks.family import write
from benchmarks.forms.graphs import INSTANCE, property_graphs
from benchmarks.graphs import data_folder
from benchmarks.log import say, tell
from kgdb.api import load_graph
from kgdb.connection import Connection
from kgdb.loading import prepare, read_spec
from kgdb.settings import load_settings
from kgdb.values import Label

_LABELS: tuple[Label, ...] = ("SUPPORTED", "REFUTED", "NOT ENOUGH EVIDENCE")
_SOURCES = {"metaqa": "metaqa/kb.txt.gz", "emckg": "emckg/train.txt.gz"}


@click.command()
@click.option("--graph", "graphs", multiple=True, help="Default: all of claims.toml.")
@click.option("--each", default=12, show_default=True, help="Facts of each relation.")
@click.option("--seed", default=7, show_default=True)
@click.option("--llm", default="none", show_default=True)
@click.option("--closed-world", is_flag=True, help="What the graph lacks is false.")
@click.option("--rows", type=click.Path(path_type=Path), help="Write each claim as a JSON line.")
def main(
    graphs: Sequence[str], each: int, seed: int, llm: str, closed_world: bool, rows: Path | None
) -> None:
    """Make claims, verify them, and print what came out."""
    judged: list[tuple[MadeClaim, Label]] = []
    with property_graphs(tell) as connection:
        for name in graphs or wordings():
            _load(connection, name)
            graph = connection.graph(name)
            claims = made_claims(name, graph.facts(), each, seed)
            reasoner = graph.reasoner(llm=llm, closed_world=closed_world)
            verdicts = reasoner.verdicts([claim.text for claim in claims])
            judged += [(c, v.label) for c, v in zip(claims, verdicts, strict=True)]
            if rows:
                with rows.open("a", encoding="utf-8") as file:
                    for claim, verdict in zip(claims, verdicts, strict=True):
                        row = {**_row(claim), "label": verdict.label, "reason": verdict.reason}
                        file.write(json.dumps(row, ensure_ascii=False) + "\n")
    click.echo(f"{'':36}{'claims':>8}" + "".join(f"{label:>21}" for label in _LABELS))
    for graph_name in dict.fromkeys(claim.graph for claim, _ in judged):
        _print(graph_name, [one for one in judged if one[0].graph == graph_name])
    for truth in dict.fromkeys(claim.truth for claim, _ in judged):
        _print(truth.upper(), [one for one in judged if one[0].truth == truth])
        of_truth = [one for one in judged if one[0].truth == truth]
        for kind in dict.fromkeys(claim.kind for claim, _ in of_truth):
            _print(f"  {kind}", [one for one in of_truth if one[0].kind == kind])


def _row(claim: MadeClaim) -> dict[str, str]:
    return {"graph": claim.graph, "kind": claim.kind, "truth": claim.truth, "claim": claim.text}


def _print(title: str, judged: Sequence[tuple[MadeClaim, Label]]) -> None:
    counts = Counter(label for _, label in judged)
    say(f"{title:36}{len(judged):8}" + "".join(f"{counts[label]:21}" for label in _LABELS))


def _load(connection: Connection, name: str) -> None:
    """Load a graph that the server does not have."""
    if name in {info.name for info in connection.graphs()}:
        return
    settings = load_settings(instance=INSTANCE)
    with tempfile.TemporaryDirectory() as folder:
        loader, source = name, None
        if name == "family":
            write(Path(folder), seed=0, each=10)
            loader, source = "tsv", Path(folder) / "family.tsv"
        elif name in _SOURCES:
            source = data_folder() / _SOURCES[name]
        spec = read_spec(loader)
        with prepare(replace(spec, name=name), source, report=tell) as prepared:
            load_graph(prepared, settings, report=tell)


if __name__ == "__main__":
    main()
