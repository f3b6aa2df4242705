"""Reads a source with its loader into checked tables, before any database is touched.

DuckDB does the reading, the joins and the counting, out of core where it must.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from kgdb.errors import LoadError, UsageError
from kgdb.graph import RelationInfo
from kgdb.loading.spec import LoaderSpec

MAX_RELATIONS = 65_536
"""Relationship types that one Neo4j store can hold."""

MAX_ID_BYTES = 7_000
"""Bytes of an id or a relation: a little under the longest key of a Neo4j index."""

_SAMPLE = 5

# NUL comes from files that are not UTF-8; no name has it.
_COMPLETE = (
    "head <> '' AND relation <> '' AND tail <> '' "
    "AND NOT contains(concat(head, relation, tail), chr(0))"
)


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the source: ``records = triples + duplicates + skipped``.

    ``records`` counts the rows of the loader's ``tables.triples`` and the lines that could not be
    read.
    """

    records: int
    triples: int
    duplicates: int
    skipped: int
    entities: int
    relations: int


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that was skipped, and why."""

    line: int
    problem: str
    text: str


class Prepared:
    """A source that was read and checked; its rows come in batches, in a fixed order."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        spec: LoaderSpec,
        source: Path,
        sha256: str,
        counts: Counts,
        malformed: tuple[Malformed, ...],
    ) -> None:
        self._connection = connection
        self.spec = spec
        self.source = source
        self.sha256 = sha256
        self.counts = counts
        self.malformed = malformed

    def entities(self, batch: int) -> Iterator[list[dict[str, Any]]]:
        """Batches of ``{id, name, aliases}``; ``aliases`` is ``None`` for an entity without."""
        query = "SELECT id, name, aliases FROM entities ORDER BY id"
        return self._batches(query, ("id", "name", "aliases"), batch)

    def has_long_names(self) -> bool:
        """Whether a name is longer than what an index over names can hold."""
        query = "SELECT count(*) FROM entities WHERE strlen(name) > ?"
        return bool(self._connection.execute(query, [MAX_ID_BYTES]).fetchall()[0][0])

    def triples(self, batch: int) -> Iterator[list[dict[str, Any]]]:
        """Batches of ``{head, relation, tail}``, sorted by relation.

        Neo4j writes relationships of one type together about twice as fast as mixed ones.
        """
        return self._batches(
            "SELECT head, relation, tail FROM triples ORDER BY relation, tail, head",
            ("head", "relation", "tail"),
            batch,
        )

    def unused_texts(self) -> list[str]:
        """Relations that the loader describes and the source has not: often a typing error."""
        return sorted(set(self.spec.relations) - {relation.id for relation in self.relations()})

    def relations(self) -> list[RelationInfo]:
        """Every relation with its count and the texts that the loader gives it."""
        rows = self._connection.execute(
            "SELECT relation, count(*) FROM triples GROUP BY relation ORDER BY relation"
        ).fetchall()
        described = self.spec.relations
        return [
            RelationInfo(
                relation,
                count,
                *(
                    (text.text, text.inverse, text.question, text.inverse_question)
                    if (text := described.get(relation))
                    else (None, None, None, None)
                ),
            )
            for relation, count in rows
        ]

    def _batches(
        self, query: str, columns: Sequence[str], size: int
    ) -> Iterator[list[dict[str, Any]]]:
        cursor = self._connection.cursor().execute(query)
        while rows := cursor.fetchmany(size):
            yield [dict(zip(columns, row, strict=True)) for row in rows]


@contextmanager
def prepare(
    spec: LoaderSpec, source: Path | None = None, *, max_errors: int = 100
) -> Iterator[Prepared]:
    """Read ``source`` (default: the file the loader comes with) and check it.

    Raises :class:`UsageError` when there is no such file, and :class:`LoadError` when it is not of
    the loader's format, has more than ``max_errors`` malformed lines, or holds more relations than
    a Neo4j store can.
    """
    path = source or spec.file
    if path is None:
        raise UsageError(
            f"The loader {spec.name!r} comes without data: name the file to load.",
            hint=f"kgdb load {spec.name} SOURCE",
        )
    if not path.is_file():
        kind = "is not a file" if path.exists() else "does not exist"
        raise UsageError(f"The source {path} {kind}.", hint="Expected a text file, plain or .gz.")
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        sha256 = _content_hash(spec, path)
        try:
            _read_source(connection, spec, path)
            malformed, skipped_lines = _rejected(connection)
        except duckdb.Error as error:
            raise LoadError(
                f"{path} cannot be read as a {spec.name!r} source: {_first_line(error)}",
                hint=f"Expected {_expected(spec)}.",
            ) from error
        # From here on the loader's own SQL runs: it reads `source`, never files or the network.
        connection.execute("SET enable_external_access = false")
        try:
            counts = _make_tables(connection, spec, skipped_lines)
        except duckdb.Error as error:
            raise LoadError(
                f"The SQL in `tables` of the loader {spec.name!r} failed: {_first_line(error)}",
                hint=f"It reads the table `source` with the columns {', '.join(spec.columns)}.",
            ) from error
        _check(connection, spec, path, counts, malformed, max_errors)
        yield Prepared(connection, spec, path, sha256, counts, malformed)


def _content_hash(spec: LoaderSpec, path: Path) -> str:
    """SHA-256 over the loader's definition and the source's bytes."""
    digest = hashlib.sha256(spec.definition.encode())
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _read_source(connection: duckdb.DuckDBPyConnection, spec: LoaderSpec, path: Path) -> None:
    columns = ", ".join(f"'{column}': 'VARCHAR'" for column in spec.columns)
    # Quoting is off: in graph sources a quotation mark is part of a name.
    connection.execute(
        f"CREATE TABLE source AS SELECT * FROM read_csv(?, delim = ?, columns = {{{columns}}}, "
        "header = false, quote = '', escape = '', auto_detect = false, "
        "store_rejects = true, rejects_limit = 0)",
        [glob.escape(str(path)), spec.delimiter],  # a file, where DuckDB takes a pattern
    )


def _rejected(connection: duckdb.DuckDBPyConnection) -> tuple[tuple[Malformed, ...], int]:
    """A sample of the malformed lines, and their number."""
    rows = connection.execute(
        "SELECT line, min(error_type), min(csv_line) FROM reject_errors "
        "GROUP BY line ORDER BY line LIMIT ?",
        [_SAMPLE],
    ).fetchall()
    total = connection.execute("SELECT count(DISTINCT line) FROM reject_errors").fetchall()
    sample = tuple(
        Malformed(line, problem.lower(), text.strip()[:200]) for line, problem, text in rows
    )
    return sample, total[0][0]


def _make_tables(
    connection: duckdb.DuckDBPyConnection, spec: LoaderSpec, skipped_lines: int
) -> Counts:
    """Run the loader's SQL; rows without a head, relation or tail count as skipped."""
    connection.execute(
        f"CREATE TABLE raw AS SELECT head::VARCHAR AS head, relation::VARCHAR AS relation, "
        f"tail::VARCHAR AS tail FROM ({spec.triples})"
    )
    connection.execute(
        f"CREATE TABLE triples AS SELECT DISTINCT head, relation, tail FROM raw WHERE {_COMPLETE}"
    )
    columns = connection.execute(f"DESCRIBE {spec.entities}").fetchall()
    has_aliases = any(column[0].casefold() == "aliases" for column in columns)
    aliases = "flatten(list(aliases::VARCHAR[]))" if has_aliases else "NULL::VARCHAR[]"
    connection.execute(
        f"CREATE TABLE entities AS SELECT id, name, "
        f"nullif(list_sort(list_distinct([alias FOR alias IN aliases "
        f"IF alias <> '' AND alias <> name AND NOT contains(alias, chr(0))])), []) AS aliases "
        f"FROM (SELECT id::VARCHAR AS id, "
        f"coalesce(nullif(min(name)::VARCHAR, ''), id::VARCHAR) AS name, {aliases} AS aliases "
        f"FROM ({spec.entities}) WHERE id::VARCHAR <> '' GROUP BY id)"
    )
    row = connection.execute(
        f"""
        SELECT (SELECT count(*) FROM raw),
               (SELECT count(*) FROM raw WHERE {_COMPLETE}),
               (SELECT count(*) FROM triples),
               (SELECT count(*) FROM entities),
               (SELECT count(DISTINCT relation) FROM triples)
        """
    ).fetchall()[0]
    raw, complete, triples, entities, relations = row
    return Counts(
        records=raw + skipped_lines,
        triples=triples,
        duplicates=complete - triples,
        skipped=raw - complete + skipped_lines,
        entities=entities,
        relations=relations,
    )


def _check(
    connection: duckdb.DuckDBPyConnection,
    spec: LoaderSpec,
    path: Path,
    counts: Counts,
    malformed: tuple[Malformed, ...],
    max_errors: int,
) -> None:
    shown = "".join(f"\n  line {m.line}: {m.problem}: {m.text!r}" for m in malformed)
    if not counts.triples:
        raise LoadError(
            f"{path} holds no triple that the loader {spec.name!r} can read "
            f"({counts.skipped} of {counts.records} records skipped).{shown}",
            hint=f"Expected {_expected(spec)}.",
        )
    if counts.skipped > max_errors:
        raise LoadError(
            f"{path}: {counts.skipped} of {counts.records} records are malformed, and at most "
            f"{max_errors} may be skipped; nothing was loaded.{shown}",
            hint=f"Expected {_expected(spec)}. Mend the source, or allow more with --max-errors.",
        )
    if counts.relations > MAX_RELATIONS:
        raise LoadError(
            f"{path} has {counts.relations:,} relations; a Neo4j database holds at most "
            f"{MAX_RELATIONS:,} relationship types.",
            hint="Leave some out in the loader's `tables.triples`.",
        )
    too_long = connection.execute(
        "SELECT 'id', id FROM entities WHERE strlen(id) > $1 "
        "UNION SELECT 'relation', relation FROM triples WHERE strlen(relation) > $1 LIMIT 1",
        [MAX_ID_BYTES],
    ).fetchall()
    if too_long:
        kind, text = too_long[0]
        raise LoadError(
            f"{path} has the {kind} {text[:60] + '…'!r} of {len(text.encode()):,} bytes; Neo4j "
            f"indexes at most {MAX_ID_BYTES:,}.",
            hint="Shorten it, or leave it out, in the loader's `tables`.",
        )
    orphans = connection.execute(
        "SELECT head FROM triples ANTI JOIN entities ON head = id "
        "UNION SELECT tail FROM triples ANTI JOIN entities ON tail = id LIMIT 3"
    ).fetchall()
    if orphans:
        names = ", ".join(repr(row[0]) for row in orphans)
        raise LoadError(
            f"The loader {spec.name!r} makes triples about entities it does not list: {names}.",
            hint="Its `tables.entities` must select every head and tail of `tables.triples`.",
        )


def _expected(spec: LoaderSpec) -> str:
    delimiter = "TAB" if spec.delimiter == "\t" else spec.delimiter
    return f"UTF-8 lines of {len(spec.columns)} fields: {f' {delimiter} '.join(spec.columns)}"


def _first_line(error: duckdb.Error) -> str:
    return str(error).split("\n")[0]
