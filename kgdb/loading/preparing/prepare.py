"""Reads a source with its loader into checked tables, before any database is touched.

DuckDB does the reading, the joins and the counting, out of core where it must.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.graph.values import integer
from kgdb.loading import reading
from kgdb.loading.loaders.single_select import require_select
from kgdb.loading.loaders.source_files import Files, content_hash, find, require_room, stamps
from kgdb.loading.loaders.source_metadata import with_own_title
from kgdb.loading.loaders.spec import RESERVED_LABELS, LoaderSpec, Tables
from kgdb.loading.loaders.templating import filled_source, select
from kgdb.loading.preparing import tables
from kgdb.loading.preparing.prepared_source import Malformed, Prepared
from kgdb.loading.scratch.disk_space import MEMORY, lacks_room, memory_limit, room_in
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.loading.scratch.statement_progress import interruptible, watch
from kgdb.loading.scratch.temp_folder import workplace
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import counted, listed, plural, short

MAX_RELATIONS = 65_536
"""Relationship types that one Neo4j store can hold."""

LARGE = 2_000_000_000
"""Bytes of a source from which the tables are kept in a file from the beginning.

Compressed there, they take a third of the room that tables spilled from the memory do, and nothing
of theirs has to stay in memory, as it does for columns of lists; but reading takes longer.
"""

_SAMPLE = 5
_INCOMPLETE_SAMPLE = 3
_NO_OPTIONS: Mapping[str, str] = {}


@contextmanager
def prepare(
    spec: LoaderSpec,
    source: Path | None = None,
    *,
    max_errors: int = 100,
    options: Mapping[str, str] = _NO_OPTIONS,
    memory: str | None = None,
    work: Path | None = None,
    on_disk: bool | None = None,
    report: Report = silent,
) -> Iterator[Prepared]:
    """Read ``source`` (default: the file the loader comes with) and check it.

    ``options`` are the loader's own; ``memory`` is what DuckDB may take before it writes to
    ``work``, by default the system's folder for temporary files; ``on_disk`` is whether all tables
    are kept there, as by default those of a source of :data:`LARGE` bytes.

    Raises :class:`UsageError` when there is no such file, and :class:`LoadError` when it is not of
    the loader's format, has more than ``max_errors`` malformed lines, or holds more relations than
    a Neo4j store can.
    """
    integer(0, sys.maxsize)("max_errors", max_errors)
    chosen = spec.chosen(options)
    files = tuple(
        replace(each, source=filled_source(each.source, chosen, options))
        for each in find(spec, source)
    )
    spec = with_own_title(spec, source)
    named = source or files[0].paths[0]
    disk = work or Path(tempfile.gettempdir())
    require_room(files, disk, report)
    written = stamps(files)
    sha256 = content_hash(spec, chosen, files)
    with (
        interruptible(),
        workplace(work) as place,
        duckdb.connect(_database(files, place, on_disk)) as connection,
    ):
        _configure(connection, place, MEMORY if memory is None else memory)
        with room_in(disk):
            _read(connection, files, place, report)
            _require_unchanged(written, files)
            for name, value in chosen.items():
                connection.execute(f"SET VARIABLE {identifier(name)} = ?", [value])
            malformed, rejected = _rejected(connection)
            # From here on the loader's own SQL runs: it reads its sources, never files or the
            # network.
            connection.execute("SET allowed_directories = [?]", [f"{place}/"])
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            report(Message(f"Making the tables of {short(spec.name)} …"))
            counts, shares, notes = _make(connection, spec, chosen, files, rejected, report)
            incomplete = _incomplete(connection)
            expected = files[0].source.reads.expected
            shown = (*malformed, *incomplete)
            _check(connection, spec, named, expected, counts, shown, max_errors)
        # What reads the tables later may need room too; errors of files may be of other disks.
        with room_in(disk, (duckdb.Error,)):
            yield Prepared(
                connection, place, spec, named, sha256, counts, malformed, incomplete, shares, notes
            )


def _database(files: Sequence[Files], work: Path, on_disk: bool | None) -> str:
    if on_disk is None:
        on_disk = sum(path.stat().st_size for each in files for path in each.paths) >= LARGE
    return str(work / "tables.db") if on_disk else ":memory:"


def _configure(connection: duckdb.DuckDBPyConnection, work: Path, memory: str) -> None:
    connection.execute("SET memory_limit = ?", [f"{memory_limit(memory)} B"])
    connection.execute("SET temp_directory = ?", [str(work / "spill")])
    connection.execute("SET preserve_insertion_order = false")
    watch(connection)
    # A file of tables is removed when it is closed.
    connection.execute("PRAGMA disable_checkpoint_on_shutdown")


def _read(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[Files],
    work: Path,
    report: Report,
) -> None:
    reading.create_rejected(connection)
    for each in files:
        source = each.source.reads
        if each.paths:
            folder = work / source.table
            folder.mkdir()
            reading.read(connection, source, each.paths, folder, report=report)
        else:
            columns_of = ", ".join(f"{identifier(column)} VARCHAR" for column in source.columns)
            connection.execute(f"CREATE TABLE {identifier(source.table)} ({columns_of})")


def _require_unchanged(before: Mapping[Path, tuple[int, int]], files: Sequence[Files]) -> None:
    """Raise :class:`LoadError` where the hash may be of another content than what was read."""
    for path, stamp in stamps(files).items():
        if stamp != before[path]:
            raise LoadError(
                f"{path} was written to while it was read; nothing was loaded.",
                hint="Wait until it is complete, and give the same command again.",
            )


def _rejected(connection: duckdb.DuckDBPyConnection) -> tuple[tuple[Malformed, ...], int]:
    """A sample of the malformed lines, and their number."""
    rows = connection.execute(
        "SELECT file, line, problem, text FROM rejected ORDER BY file, line LIMIT ?", [_SAMPLE]
    ).fetchall()
    total = connection.execute("SELECT count(*) FROM rejected").fetchall()
    sample = (Malformed(Path(file).name, *rest) for file, *rest in rows)
    return tuple(sample), total[0][0]


def _incomplete(connection: duckdb.DuckDBPyConnection) -> tuple[Malformed, ...]:
    """A sample of the rows that are no facts, of as many problems as there are."""
    rows = connection.execute(
        "SELECT problem, text FROM rejected WHERE file IS NULL ORDER BY "
        "row_number() OVER (PARTITION BY problem ORDER BY text), problem LIMIT ?",
        [_INCOMPLETE_SAMPLE],
    ).fetchall()
    return tuple(Malformed(None, None, problem, text) for problem, text in rows)


def _make(
    connection: duckdb.DuckDBPyConnection,
    spec: LoaderSpec,
    options: Mapping[str, str],
    files: Sequence[Files],
    rejected: int,
    report: Report,
) -> tuple[tables.Counts, tuple[tables.Share, ...], tuple[str, ...]]:
    views = {name: select(query, options) for name, query in spec.views.items()}
    selects = _selects(spec.tables, options)
    for key, query in _all_sql(views, selects):
        require_select(connection, key, query)
    read = [*(each.source.reads.table for each in files), *spec.views]
    total = len(spec.views) + tables.STEPS
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        report(Progress("making the tables", done, total, "steps"))

    with _explained(connection, spec, files):
        for name, query in views.items():
            connection.execute(f"CREATE TABLE {identifier(name)} AS {query}")
            step()
        tables.require_columns(connection, selects)
        left_out = tables.gather(connection, selects, step)
        tables.describe_relations(connection, selects.relations)
        shares = tables.other(connection, selects)
    # Unless the notes read them, the sources leave their memory to what needs the most.
    if selects.notes is None:
        _drop(connection, read)
    tables.make(connection, spec.label, step)
    notes: list[str] = []
    if selects.notes is not None:
        with _explained(connection, spec, files):
            notes += tables.notes(connection, selects.notes)
        _drop(connection, read)
    counts = tables.count(connection, rejected, sum(share.records for share in shares))
    tables.reject_incomplete(connection)
    tables.drop_raw(connection)
    if left_out:
        notes.append(
            f"{left_out:,} of the entities that are listed {plural(left_out, 'is', 'are')} left "
            f"out: {plural(left_out, 'its id is', 'their ids are')} longer "
            f"than {tables.MAX_ID_BYTES:,} bytes or {plural(left_out, 'holds', 'hold')} a NUL "
            "character"
        )
    for note in notes:
        report(Message(note))
    return counts, shares, tuple(notes)


def _all_sql(views: Mapping[str, str], selects: Tables) -> Iterator[tuple[str, str]]:
    """Every query of a loader, and where in its file it stands."""
    for name, query in views.items():
        yield f"views.{name}", query
    for field in fields(Tables):
        query = getattr(selects, field.name)
        if query is not None:
            yield f"tables.{field.name}", query


@contextmanager
def _explained(
    connection: duckdb.DuckDBPyConnection, spec: LoaderSpec, files: Sequence[Files]
) -> Iterator[None]:
    """Say what the loader's SQL can read where it fails."""
    try:
        yield
    except duckdb.Error as error:
        if lacks_room(error):
            raise
        columns = "; ".join(
            f"{each.source.reads.table}: {listed(_columns(connection, each))}" for each in files
        )
        raise LoadError(
            f"The SQL of the loader {short(spec.name)} failed: {str(error).splitlines()[0]}",
            hint=f"It reads these tables and columns: {columns}.",
        ) from error


def _drop(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
    for name in names:
        connection.execute(f"DROP TABLE {identifier(name)}")


def _columns(connection: duckdb.DuckDBPyConnection, files: Files) -> list[str]:
    rows = connection.execute(f"DESCRIBE {files.source.reads.table}").fetchall()
    return [str(row[0]) for row in rows]


def _selects(given: Tables, options: Mapping[str, str]) -> Tables:
    return Tables(
        select(given.triples, options),
        *(
            None if query is None else select(query, options)
            for query in (
                given.literals,
                given.entities,
                given.relations,
                given.other,
                given.notes,
            )
        ),
    )


def _check(
    connection: duckdb.DuckDBPyConnection,
    spec: LoaderSpec,
    path: Path,
    expected: str,
    counts: tables.Counts,
    skipped: tuple[Malformed, ...],
    max_errors: int,
) -> None:
    shown = "".join(f"\n  {each}" for each in skipped)
    if not counts.triples:
        raise LoadError(
            f"{path} holds no triple that the loader can read "
            f"({counts.skipped:,} of {counted(counts.records, 'record')} skipped, "
            f"{counts.other:,} read for names, types or nothing).{shown}",
            hint=f"Expected {expected}.",
        )
    if counts.skipped > max_errors:
        raise LoadError(
            f"{path}: {counts.skipped:,} of {counted(counts.records, 'record')} "
            f"{plural(counts.skipped, 'is', 'are')} malformed, and at most "
            f"{max_errors:,} may be skipped; nothing was loaded.{shown}",
            hint=f"Expected {expected}. Mend the source, or allow more with --max-errors.",
        )
    if counts.relations > MAX_RELATIONS:
        raise LoadError(
            f"{path} has {counted(counts.relations, 'relation')}; a Neo4j database holds at most "
            f"{MAX_RELATIONS:,} relationship types.",
            hint="Leave some out in the loader's `tables.triples`.",
        )
    taken = connection.execute(
        "SELECT DISTINCT label FROM (SELECT unnest(labels) AS label FROM entities) "
        "WHERE label IN (SELECT unnest(?)) ORDER BY 1",
        [list(RESERVED_LABELS)],
    ).fetchall()
    if taken:
        raise LoadError(
            f"The loader {short(spec.name)} gives entities the label {short(taken[0][0])}, which "
            "has a meaning of its own in kgdb.",
            hint="Rename it in the source, or in the loader's `tables.entities`.",
        )
