"""What a load would make of a source, told without a database."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.loading.preparing.prepared_source import Malformed, Prepared
from kgdb.loading.preparing.tables import Counts, Share
from kgdb.loading.reading import PROBLEM

EXAMPLES = 10
"""Facts that are shown."""

SAMPLE = 3
"""Lines that are shown of each problem."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why records were skipped, how many, and some of them where they are lines.

    What was found in a line stands behind the problem in its example alone: ``problem: found``.
    """

    problem: str
    records: int
    examples: tuple[Malformed, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a load would make.

    ``relations`` are all with their counts, the most frequent first; ``examples`` are facts by
    name; ``unused`` are relations that the loader describes and the source has not; ``notes`` are
    what a user should know of the source. ``refused`` tells whether more is skipped than may be.
    """

    name: str
    label: str
    title: str
    licence: str
    source: str
    sha256: str
    counts: Counts
    shares: tuple[Share, ...]
    problems: tuple[Problem, ...]
    labels: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    examples: tuple[tuple[str, str, str], ...]
    unused: tuple[str, ...]
    notes: tuple[str, ...]
    refused: bool


def preview(prepared: Prepared, *, max_errors: int) -> Preview:
    """Look through what was prepared; ``max_errors`` is what a load would allow to be skipped."""
    spec, tables = prepared.spec, prepared.tables
    relations = tables.execute(
        "SELECT id, count FROM relation_types ORDER BY count DESC, id"
    ).fetchall()
    labels = tables.execute(
        "SELECT label, count(*) FROM (SELECT unnest(labels) AS label FROM entities) "
        "GROUP BY label ORDER BY 2 DESC, 1"
    ).fetchall()
    return Preview(
        name=spec.name,
        label=spec.label,
        title=spec.title,
        licence=spec.licence,
        source=str(prepared.source),
        sha256=prepared.sha256,
        counts=prepared.counts,
        shares=prepared.shares,
        problems=_problems(prepared),
        labels=tuple(labels),
        relations=tuple(relations),
        examples=tuple(prepared.examples(EXAMPLES)),
        unused=tuple(prepared.unused_texts()),
        notes=prepared.notes,
        refused=prepared.counts.skipped > max_errors,
    )


def _problems(prepared: Prepared) -> tuple[Problem, ...]:
    """The skipped records by their problem, the most frequent first."""
    rows = prepared.tables.execute(
        f"""
        SELECT {PROBLEM} AS kind, count(*) AS records,
               list(struct_pack(file := file, line := line, problem := problem, text := text)
                    ORDER BY file, line, text)[1:{SAMPLE}]
        FROM rejected GROUP BY kind
        """
    ).fetchall()
    found = [
        Problem(
            problem,
            records,
            tuple(Malformed(**each) for each in some),
        )
        for problem, records, some in rows
    ]
    return tuple(sorted(found, key=lambda problem: (-problem.records, problem.problem)))
