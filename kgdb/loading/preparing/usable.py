"""Whether what a loader made of a source can become a graph."""

from __future__ import annotations

from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.loaders.spec import RESERVED_LABELS, LoaderSpec
from kgdb.loading.preparing import tables
from kgdb.loading.preparing.prepared_source import SkippedRecord
from kgdb.wording import counted, plural, short

MAX_RELATIONS = 65_536
"""The number of relationship types that one Neo4j store can hold."""


def _more_fields(spec: LoaderSpec) -> str:
    """How to name the further fields of a line, where a loader takes them."""
    if "columns" not in spec.options:
        return ""
    return '\nName all fields of a line by --set columns="head relation tail …".'


def require_usable(
    connection: duckdb.DuckDBPyConnection,
    spec: LoaderSpec,
    path: Path,
    expected: str,
    counts: tables.Counts,
    skipped: tuple[SkippedRecord, ...],
    max_errors: int,
) -> None:
    """Raise :class:`LoadError` for a source without facts, or with too much that is no fact."""
    shown = "".join(f"\n  {each}" for each in skipped)
    if not counts.triples:
        raise LoadError(
            f"{path} contains no triple that the loader can read "
            f"({counts.skipped:,} of {counted(counts.records, 'record')} skipped, "
            f"{counts.other:,} read for names, types or other purposes).{shown}",
            hint=f"Expected {expected}.{_more_fields(spec)}",
        )
    if counts.skipped > max_errors:
        raise LoadError(
            f"{path}: {counts.skipped:,} of {counted(counts.records, 'record')} "
            f"{plural(counts.skipped, 'is', 'are')} malformed; the limit is "
            f"{max_errors:,}, so nothing was loaded.{shown}",
            hint=f"Expected {expected}. Correct the source, or raise the limit with --max-errors.",
        )
    if counts.relations > MAX_RELATIONS:
        raise LoadError(
            f"{path} has {counted(counts.relations, 'relation')}; a Neo4j database holds at most "
            f"{MAX_RELATIONS:,} relationship types.",
            hint="Exclude some relations in the loader's `tables.triples`.",
        )
    taken = connection.execute(
        "SELECT DISTINCT label FROM (SELECT unnest(labels) AS label FROM entities) "
        "WHERE label IN (SELECT unnest(?)) ORDER BY 1",
        [list(RESERVED_LABELS)],
    ).fetchall()
    if taken:
        raise LoadError(
            f"The loader {short(spec.name)} gives entities the label {short(taken[0][0])}, which "
            "kgdb reserves for its own use.",
            hint="Rename it in the source, or in the loader's `tables.entities`.",
        )
