"""How often encoders rank the right chain of a corpus first, side by side.

    python -m benchmarks.relation_choice movies.jsonl northwind.jsonl --encoder minilm

The corpora are of ``kgdb lab train corpus``, of graphs that the encoders were not trained on. Each
encoder stands beside the one without an adapter.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from kgdb.lab.training.corpus import read_rows
from kgdb.lab.training.relations.choice import right_first
from kgdb.language import load_encoder, load_relation_encoder
from kgdb.settings import load_settings

_BASE = "minilm:base"


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--encoder", "encoders", multiple=True, default=("minilm",), show_default=True)
@click.option("--limit", default=1_000, show_default=True, help="Questions of a corpus.")
def main(corpora: Sequence[Path], encoders: Sequence[str], limit: int) -> None:
    """Print a line of JSON for each corpus, length of chains and encoder."""
    for corpus in corpora:
        rows = [row for row in read_rows(corpus) if row.negatives][:limit]
        for name in (_BASE, *encoders):
            settings = load_settings(encoder=name)
            encoder = load_relation_encoder(settings) or load_encoder(settings)
            for hops in sorted({len(row.chain) for row in rows}):
                some = [row for row in rows if len(row.chain) == hops]
                told = {"corpus": corpus.stem, "hops": hops, "questions": len(some)}
                told |= {"encoder": name, "right first": round(right_first(encoder, some), 3)}
                print(json.dumps(told), flush=True)


if __name__ == "__main__":
    sys.exit(main())
