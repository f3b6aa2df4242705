"""A preview of a load: its counts, facts and problems, without a database."""

from __future__ import annotations

from dataclasses import dataclass

from kgdb.loading.preparing.prepared_source import PreparedSource, SkippedRecord
from kgdb.loading.preparing.tables import Counts, OtherRecords
from kgdb.loading.reading import PROBLEM

EXAMPLES = 10
"""Facts in a preview."""

SAMPLE = 3
"""Example lines per problem in a preview."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason for skipping records, their number, and examples.

    Only the examples name the value that caused it: ``problem: value``.
    """

    problem: str
    records: int
    examples: tuple[SkippedRecord, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The result that a load would have.

    ``relations`` lists all relations with their counts, the most frequent first; ``examples`` are
    facts by name, with the properties of their relationship; ``unused`` are relations that the
    loader describes and the source lacks; ``notes`` are the loader's remarks on the source.
    ``refused``: the load would skip more records than it may.
    """

    name: str
    label: str
    title: str
    licence: str
    source: str
    sha256: str
    counts: Counts
    other_records: tuple[OtherRecords, ...]
    problems: tuple[Problem, ...]
    labels: tuple[tuple[str, int], ...]
    relations: tuple[tuple[str, int], ...]
    examples: tuple[tuple[str, str, str, dict[str, str]], ...]
    unused: tuple[str, ...]
    notes: tuple[str, ...]
    refused: bool


def preview(prepared: PreparedSource, *, max_errors: int) -> Preview:
    """Preview a load of this source that may skip ``max_errors`` records."""
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
        other_records=prepared.other_records,
        problems=_problems(prepared),
        labels=tuple(labels),
        relations=tuple(relations),
        examples=tuple(prepared.examples(EXAMPLES)),
        unused=tuple(prepared.unused_texts()),
        notes=prepared.notes,
        refused=prepared.counts.skipped > max_errors,
    )


def _problems(prepared: PreparedSource) -> tuple[Problem, ...]:
    """The skipped records by their problem, the most frequent first."""
    rows = prepared.tables.execute(
        f"""
        SELECT {PROBLEM} AS kind, count(*) AS records,
               list(struct_pack(file := file, line := line, problem := problem, text := text)
                    ORDER BY file, line, text)[1:{SAMPLE}]
        FROM rejected GROUP BY kind
        """
    ).fetchall()
    problems = [
        Problem(
            problem,
            records,
            tuple(SkippedRecord(**each) for each in examples),
        )
        for problem, records, examples in rows
    ]
    return tuple(sorted(problems, key=lambda problem: (-problem.records, problem.problem)))
