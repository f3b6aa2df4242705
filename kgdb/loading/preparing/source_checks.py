"""What a load tells of a source before writing: what it does not take, and why it is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS, LoaderSpec
from kgdb.loading.loaders.source_files import LEFTOVERS, SourceFiles
from kgdb.loading.preparing import tables
from kgdb.loading.preparing.prepared_source import SkippedRecord
from kgdb.loading.preparing.relationship_properties import column_types
from kgdb.loading.reading import FORMATS
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.wording import brief, counted, listed, plural, short

_ALL_COLUMNS = re.compile(r"(?<!\()\*|\bCOLUMNS\b|\bUNPIVOT\b", re.IGNORECASE)
"""A star, but not that of ``count(*)``."""

_TEXT = re.compile(r"'(?:[^']|'')*'")
"""A text of SQL: the stars in it are no columns."""

_DATA = re.compile(
    r".+\.(csv|tsv|txt|jsonl?|ndjson|parquet|nt|nq|ttl|rdf|xml)(\.(gz|bz2|xz|zst))?", re.IGNORECASE
)

MAX_RELATIONS = 65_536
"""The number of relationship types that one Neo4j store can hold."""


def unread_columns(
    connection: duckdb.DuckDBPyConnection, files: Sequence[SourceFiles], queries: Iterable[str]
) -> Iterator[str]:
    """A note for each source with columns that no query of the loader mentions."""
    texts = [query.casefold() for query in queries]
    for each in files:
        source = each.source.input
        whole = re.compile(rf"\b{re.escape(source.table.casefold())}\b")
        if not each.paths or not FORMATS[source.format].may_have_more:
            continue
        if any(whole.search(text) and _ALL_COLUMNS.search(_TEXT.sub("", text)) for text in texts):
            continue
        unread = _values(connection, source.table, texts)
        if unread:
            names = listed(path.name for path in each.paths)
            values = (
                f"{brief(column)} ({counted(number, 'value')})" for column, number in unread.items()
            )
            yield f"Not taken, because the loader does not mention it: {listed(values)} of {names}"


def _values(
    connection: duckdb.DuckDBPyConnection, table: str, texts: Sequence[str]
) -> dict[str, int]:
    """The columns that no text mentions, with the number of their values."""
    unread = [
        column
        for column in column_types(connection, identifier(table))
        if not any(_mention(column).search(text) for text in texts)
    ]
    if not unread:
        return {}
    filled = ", ".join(f"count(nullif({identifier(column)}::VARCHAR, ''))" for column in unread)
    counts = connection.execute(f"SELECT {filled} FROM {identifier(table)}").fetchall()[0]
    return {column: n for column, n in zip(unread, counts, strict=True) if n}


def _mention(column: str) -> re.Pattern[str]:
    """The name of a column in SQL, but not within a longer word."""
    name = re.escape(column.casefold().replace('"', '""'))
    return re.compile(rf"(?<!\w){name}(?!\w)" if column.isidentifier() else name)


def unread_files(
    folder: Path | None, files: Sequence[SourceFiles], others: Sequence[str | None]
) -> str | None:
    """A note on the files of data in the folder that the loader does not read."""
    if folder is None or not folder.is_dir():
        return None
    read = {path.name for each in files for path in each.paths} | {*others}
    unread = sorted(
        path.name
        for path in folder.iterdir()
        if path.is_file()
        and path.name not in read
        and _DATA.fullmatch(path.name)
        and not path.name.startswith(".")
        and not path.name.casefold().endswith(LEFTOVERS)
    )
    return f"Not read in the folder: {listed(unread)}" if unread else None


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
