"""``kgdb lab train evidence``."""

from __future__ import annotations

import time
from pathlib import Path

import click

from kgdb.cli.console import out, print_json
from kgdb.cli.parameter_types import NamedPath
from kgdb.cli.shared_options import connected, data_option, json_option
from kgdb.errors import UsageError
from kgdb.lab.cli.corpus_claims import CorpusClaims, check_folder
from kgdb.lab.cli.train_corpus import CorpusQuestions
from kgdb.wording import counted, listed, one_line, short


@click.command(
    "evidence",
    epilog="Example: kgdb lab train evidence metaqa metaqa --limit 600 --output evidence.jsonl",
)
@click.argument("graph")
@click.argument("questions", metavar="DATASET|FILE")
@click.option(
    "--output",
    required=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    help="The JSONL file to write; it appears when it is complete.",
)
@data_option
@click.option("--limit", type=click.IntRange(min=1), help="Questions per set, drawn by --seed.")
@click.option(
    "--without",
    multiple=True,
    type=NamedPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Questions or claims that the corpus must not hold; may be repeated.",
)
@click.option("--licence", default="", help="The licence of the questions, for the model's card.")
@click.option("--encoder", help="As in kgdb answer; retrieval and similarities are by it.")
@click.option("--seed", type=int, default=0, show_default=True, help="Draws what is random.")
@json_option
def evidence_command(
    graph: str,
    questions: str,
    output: Path,
    data: Path,
    limit: int | None,
    without: tuple[Path, ...],
    licence: str,
    encoder: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Make a corpus for the expert: what RefKG retrieves, and what of it is right.

    GRAPH is a loaded graph; DATASET is metaqa, webqsp or factkg (their training split), FILE has
    questions with answers or claims with labels. docs/how-to/training.md describes the rows.
    """
    from kgdb.lab.training.corpus.evidence_corpus import (
        evidence_from_claims,
        evidence_from_questions,
    )
    from kgdb.lab.training.corpus.evidence_rows import write_evidence

    check_folder(output)
    of_claims = CorpusClaims.read(questions, data, without, limit, seed)
    begun = time.monotonic()
    with connected() as connection:
        chosen = connection.graph(graph)
        if of_claims.claims:
            rows, told = evidence_from_claims(
                chosen,
                of_claims.claims,
                connection.encoder(encoder),
                source=of_claims.source,
                licence=licence,
                held_out=of_claims.held_out,
                seed=seed,
                report=connection.report,
            )
        else:
            asked = CorpusQuestions.read(questions, data, without, limit, seed, entities=False)
            rows, told = evidence_from_questions(
                chosen,
                asked.questions,
                connection.encoder(encoder),
                source=asked.source,
                licence=licence,
                held_out=asked.held_out,
                seed=seed,
                report=connection.report,
            )
    told.seconds = time.monotonic() - begun
    if not rows:
        reasons = listed(f"{reason} ({n:,})" for reason, n in told.dropped.most_common())
        raise UsageError(
            f"No row can be made for the graph {short(graph)}: {reasons}.",
            hint="Check that the questions are about this graph, and that their answers are named "
            "as the graph names them.",
        )
    write_evidence(output, rows)
    if as_json:
        print_json({"file": str(output), **told.to_dict()})
        return
    pieces = [piece for row in rows for piece in row.evidence]
    gold = sum(piece.gold for piece in pieces)
    out.print(
        one_line(
            f"Wrote {counted(len(rows), 'row')} to {output} in {told.seconds:.0f} s: "
            f"{counted(len(pieces), 'piece')} of evidence, {gold:,} of them gold."
        ),
        markup=False,
    )
    for reason, number in told.dropped.most_common():
        out.print(f"{number:,} dropped: {reason}", markup=False)
