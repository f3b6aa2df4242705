"""``kgdb lab train claims``."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from kgdb.cli.console import out, print_json
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, data_option, json_option
from kgdb.errors import UsageError
from kgdb.evaluation import covered_claims
from kgdb.lab.cli.corpus_claims import CorpusClaims, check_folder
from kgdb.wording import counted, listed, one_line, short


@click.command(
    "claims",
    epilog="Example: kgdb lab train claims factkg factkg --limit 5000 --output claims.jsonl",
)
@click.argument("graph")
@click.argument("claims", metavar="DATASET|FILE")
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    help="The JSONL file to write; it appears when it is complete.",
)
@data_option
@click.option("--limit", type=click.IntRange(min=1), help="Claims, drawn by --seed.")
@click.option(
    "--covered",
    "only_covered",
    is_flag=True,
    help="Of these, only claims all of whose entities the graph has, as in kgdb eval.",
)
@click.option(
    "--without",
    multiple=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Claims that the corpus must not hold; may be repeated.",
)
@click.option("--licence", default="", help="The licence of the claims, for the model's card.")
@click.option("--encoder", help="As in kgdb verify; the checks are by it.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws what is random.")
@json_option
def claims_command(
    graph: str,
    claims: str,
    output: Path,
    data: Path,
    limit: int | None,
    only_covered: bool,
    without: tuple[Path, ...],
    licence: str,
    encoder: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Make a corpus for the verifier: claims, their labels and what RefKG's checks find.

    GRAPH is a loaded graph; DATASET is factkg (its training split), FILE has claims with labels.
    docs/how-to/training.md describes the rows.
    """
    from kgdb.lab.training.corpus.claim_corpus import examined_claims
    from kgdb.lab.training.corpus.claim_rows import write_claims

    check_folder(output)
    asked = CorpusClaims.read(claims, data, without, limit, seed)
    if not asked.claims:
        raise UsageError(
            f"{short(claims)} has no claims.",
            hint="Expected factkg, or a JSONL file whose rows have a claim and a label.",
        )
    begun = time.monotonic()
    with connected() as connection:
        chosen = connection.graph(graph)
        if only_covered:
            asked = replace(asked, claims=covered_claims(chosen, asked.claims))
        rows, told = examined_claims(
            chosen,
            asked.claims,
            connection.encoder(encoder),
            source=asked.source,
            licence=licence,
            held_out=asked.held_out,
            report=connection.report,
        )
    told.seconds = time.monotonic() - begun
    if not rows:
        reasons = listed(f"{reason} ({n:,})" for reason, n in told.dropped.most_common())
        raise UsageError(
            f"No row can be made for the graph {short(graph)}: {reasons or 'no claim is covered'}.",
            hint="Check that the claims are about this graph, and that their entities are named as "
            "the graph names them.",
        )
    write_claims(output, rows)
    if as_json:
        print_json({"file": str(output), **told.to_dict()})
        return
    true = sum(row.label for row in rows)
    out.print(
        one_line(
            f"Wrote {counted(len(rows), 'claim')} to {output} in {told.seconds:.0f} s: {true:,} of "
            "them are true."
        ),
        markup=False,
    )
    for reason, number in told.dropped.most_common():
        out.print(f"{number:,} dropped: {reason}", markup=False)
