"""Reads a source with its loader into checked tables, before any database is touched.

DuckDB reads, joins and counts; it spills to the disk beyond its memory limit.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path

import duckdb

from kgdb.errors import LoadError
from kgdb.graph.option_values import integer
from kgdb.loading import reading
from kgdb.loading.loaders.loader_spec import LoaderSpec, Tables
from kgdb.loading.loaders.source_files import (
    SourceFiles,
    content_hash,
    find,
    require_disk_space,
    stamps,
    with_source_metadata,
)
from kgdb.loading.loaders.templating import require_select, select_text, substitute_source
from kgdb.loading.preparing import near_duplicates, numbering, tables
from kgdb.loading.preparing.prepared_source import PreparedSource, SkippedRecord
from kgdb.loading.preparing.relationship_properties import Qualifier, column_types
from kgdb.loading.preparing.source_checks import require_usable, unread_columns, unread_files
from kgdb.loading.scratch.disk_space import (
    MEMORY,
    explaining_full_disk,
    is_out_of_space,
    memory_limit,
)
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.loading.scratch.statement_progress import enable_progress, interruptible
from kgdb.loading.scratch.temp_folder import new_temp_folder
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import counted, listed, plural, short

LARGE = 2_000_000_000
"""For a source of this many bytes or more, the tables lie in a file from the beginning.

A file compresses them to a third of the space of spilled tables and frees all their memory, which
spilling does not for columns of lists; but reading takes longer.
"""

_PAUSES = (0.01, 0.05, 0.2, 1.0, 3.0)
"""Seconds to wait for another thread to end its call, again and again."""

_SAMPLE = 5
_INCOMPLETE_SAMPLE = 3
_NO_OPTIONS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Reading:
    """A source to read: the loader, its files, an empty folder, and limits of the engine."""

    spec: LoaderSpec
    files: tuple[SourceFiles, ...]
    folder: Path
    memory: str | None
    on_disk: bool | None
    report: Report


@dataclass(frozen=True, slots=True)
class Engine:
    """What runs the SQL: ``read`` opens a connection with the tables of the source."""

    read: Callable[[Reading], AbstractContextManager[duckdb.DuckDBPyConnection]]
    compares_names: bool = True
    """Whether it finds names that are one name written in different ways."""


@contextmanager
def _read_by_duckdb(reading_of: Reading) -> Iterator[duckdb.DuckDBPyConnection]:
    folder, memory = reading_of.folder, reading_of.memory
    with _connected(_database(reading_of.files, folder, reading_of.on_disk)) as connection:
        _configure(connection, folder, MEMORY if memory is None else memory)
        _read(connection, reading_of.files, folder, reading_of.report)
        yield connection


DUCKDB = Engine(_read_by_duckdb)


@contextmanager
def prepare(
    spec: LoaderSpec,
    source: Path | None = None,
    *,
    engine: Engine = DUCKDB,
    max_errors: int = 100,
    options: Mapping[str, str] = _NO_OPTIONS,
    memory: str | None = None,
    temp_folder: Path | None = None,
    on_disk: bool | None = None,
    report: Report = silent,
) -> Iterator[PreparedSource]:
    """Read ``source`` (default: the file that ships with the loader) and check it.

    ``engine`` runs the SQL; ``options`` are the loader's own; ``memory`` limits DuckDB's memory,
    beyond which it writes to ``temp_folder`` (default: the system's temporary folder). With
    ``on_disk`` all tables lie there, by default from :data:`LARGE` bytes of source on.

    Raises :class:`UsageError` if a file is missing, and :class:`LoadError` if the source does not
    have the loader's format, has more than ``max_errors`` malformed records, or has more relations
    than a Neo4j store can hold.
    """
    integer(0, sys.maxsize)("max_errors", max_errors)
    values = spec.option_values(options)
    if near_duplicates.are_merged(values) and not engine.compares_names:
        raise LoadError(
            f"Apache Spark does not compare names, as {near_duplicates.OPTION}=yes asks.",
            hint=f"Omit --set {near_duplicates.OPTION}=yes, or --engine spark.",
        )
    disk = temp_folder or Path(tempfile.gettempdir())
    with ExitStack() as stack:
        path = stack.enter_context(reading.unpacked_archive(source, temp_folder, report))
        if source is not None and len(spec.sources) == 1 and spec.sources[0].file is None:
            reading.require_one_file(source, path)
        files = tuple(
            replace(each, source=substitute_source(each.source, values, options))
            for each in find(spec, path)
        )
        unread = unread_files(path, files, [spec.metadata])
        spec = with_source_metadata(spec, path)
        named = source or files[0].paths[0]
        require_disk_space(files, disk, report)
        written = stamps(files)
        sha256 = content_hash(spec, values, files)
        stack.enter_context(interruptible())
        folder = stack.enter_context(new_temp_folder(temp_folder))
        with explaining_full_disk(disk):
            connection = stack.enter_context(
                engine.read(Reading(spec, files, folder, memory, on_disk, report))
            )
            _require_unchanged(written, files)
            for name, value in values.items():
                connection.execute(f"SET VARIABLE {identifier(name)} = ?", [value])
            malformed, rejected = _rejected(connection)
            # The loader's own SQL runs from here on. It may read its tables, but no file and no
            # network address.
            connection.execute("SET allowed_directories = [?]", [f"{folder}/"])
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            report(Message(f"Making the tables of {short(spec.name)} …"))
            counts, other_records, notes, qualifiers = _make(
                connection,
                engine,
                spec,
                values,
                files,
                rejected,
                [unread] if unread else [],
                report,
            )
            incomplete = _incomplete(connection)
            expected = files[0].source.input.expected
            shown = (*malformed, *incomplete)
            require_usable(connection, spec, named, expected, counts, shown, max_errors)
        # Later readers of the tables may fill the disk too. An OSError may concern another disk.
        with explaining_full_disk(disk, (duckdb.Error,)):
            yield PreparedSource(
                connection,
                folder,
                spec,
                named,
                sha256,
                counts,
                malformed,
                incomplete,
                other_records,
                notes,
                qualifiers,
            )


def _database(files: Sequence[SourceFiles], temp_folder: Path, on_disk: bool | None) -> str:
    if on_disk is None:
        on_disk = sum(path.stat().st_size for each in files for path in each.paths) >= LARGE
    return str(temp_folder / "tables.db") if on_disk else ":memory:"


@contextmanager
def _connected(database: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that is closed even where another thread still reads from it.

    A load that fails leaves its reader in the middle of a call, which is interrupted.
    """
    connection = duckdb.connect(database)
    try:
        yield connection
    finally:
        for pause in _PAUSES:
            try:
                connection.close()
                break
            except duckdb.Error:
                with suppress(duckdb.Error):  # the other thread's call ended, and closed it
                    connection.interrupt()
                time.sleep(pause)


def _configure(connection: duckdb.DuckDBPyConnection, temp_folder: Path, memory: str) -> None:
    connection.execute("SET memory_limit = ?", [f"{memory_limit(memory)} B"])
    connection.execute("SET temp_directory = ?", [str(temp_folder / "spill")])
    connection.execute("SET preserve_insertion_order = false")
    enable_progress(connection)
    # The table file is deleted after closing: a checkpoint would be wasted.
    connection.execute("PRAGMA disable_checkpoint_on_shutdown")


def _read(
    connection: duckdb.DuckDBPyConnection,
    files: Sequence[SourceFiles],
    temp_folder: Path,
    report: Report,
) -> None:
    reading.create_rejected(connection)
    for each in files:
        source = each.source.input
        if each.paths:
            folder = temp_folder / source.table
            folder.mkdir()
            reading.read(connection, source, each.paths, folder, report=report)
        else:
            columns_of = ", ".join(f"{identifier(column)} VARCHAR" for column in source.columns)
            connection.execute(f"CREATE TABLE {identifier(source.table)} ({columns_of})")


def _require_unchanged(
    before: Mapping[Path, tuple[int, int]], files: Sequence[SourceFiles]
) -> None:
    """Raise :class:`LoadError` if a file changed after it was hashed."""
    for path, stamp in stamps(files).items():
        if stamp != before[path]:
            raise LoadError(
                f"{path} changed while kgdb read it; nothing was loaded.",
                hint="Wait until the file is complete, then run the same command again.",
            )


def _rejected(connection: duckdb.DuckDBPyConnection) -> tuple[tuple[SkippedRecord, ...], int]:
    """A sample of the malformed lines, and the number of all."""
    rows = connection.execute(
        "SELECT file, line, problem, text FROM rejected ORDER BY file, line LIMIT ?", [_SAMPLE]
    ).fetchall()
    total = connection.execute("SELECT count(*) FROM rejected").fetchall()
    sample = (SkippedRecord(Path(file).name, *rest) for file, *rest in rows)
    return tuple(sample), total[0][0]


def _incomplete(connection: duckdb.DuckDBPyConnection) -> tuple[SkippedRecord, ...]:
    """A sample of the rows that are not facts, with as many different problems as possible."""
    rows = connection.execute(
        "SELECT problem, text FROM (SELECT problem, text, "
        "row_number() OVER (PARTITION BY problem ORDER BY text) AS place "
        "FROM rejected WHERE file IS NULL) ORDER BY place, problem LIMIT ?",
        [_INCOMPLETE_SAMPLE],
    ).fetchall()
    return tuple(SkippedRecord(None, None, problem, text) for problem, text in rows)


def _make(
    connection: duckdb.DuckDBPyConnection,
    engine: Engine,
    spec: LoaderSpec,
    options: Mapping[str, str],
    files: Sequence[SourceFiles],
    rejected: int,
    further: Sequence[str],
    report: Report,
) -> tuple[tables.Counts, tuple[tables.OtherRecords, ...], tuple[str, ...], tuple[Qualifier, ...]]:
    views = {name: select_text(query, options) for name, query in spec.views.items()}
    selects = _selects(spec.tables, options)
    for key, query in _all_sql(views, selects):
        require_select(connection, key, query)
    sources = [reading.tables_of(each.source.input) for each in files if each.paths]
    optional = [each.source.input.table for each in files if not each.paths]
    read = [*(table for tables_read in sources for table in tables_read), *optional, *spec.views]
    total = len(spec.views) + tables.STEPS
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        report(Progress("making the tables", done, total, "steps"))

    with _explaining_errors(connection, spec, files):
        for name, query in views.items():
            connection.execute(f"CREATE TABLE {identifier(name)} AS {query}")
            step()
        tables.require_columns(connection, selects)
        formats = {each.source.input.format for each in files}
        untyped, may_nest = formats != {"parquet"}, "jsonl" in formats
        dropped, qualifiers = tables.run_loader_sql(
            connection, selects, step, untyped=untyped, may_nest=may_nest
        )
        tables.describe_relations(connection, selects.relations)
        other_records = tables.other(connection, selects)
    sql = [query for _, query in _all_sql(views, selects)]
    not_taken = [*unread_columns(connection, files, sql)]
    merges = near_duplicates.are_merged(options)
    same_names = near_duplicates.merge_near_duplicates(connection) if merges else None
    # The next step needs the most memory. The sources are dropped before it, unless notes read
    # them.
    if selects.notes is None:
        _drop(connection, read)
    mirrored = numbering.build(connection, spec.label, qualifiers, step)
    notes: list[str] = []
    if qualifiers:
        notes.append(f"Properties of the relationships: {listed(map(str, qualifiers))}")
    if selects.notes is not None:
        with _explaining_errors(connection, spec, files):
            notes += tables.notes(connection, selects.notes)
        _drop(connection, read)
    if not merges and engine.compares_names:
        same_names = near_duplicates.count_near_duplicates(connection, options)
    notes += [*([same_names] if same_names else []), *not_taken, *further]
    others = sum(other.records for other in other_records)
    counts = tables.count(connection, rejected, others, mirrored)
    tables.reject_incomplete(connection)
    tables.drop_raw(connection)
    if dropped:
        notes.append(
            f"Left out {counted(dropped, 'listed entity', 'listed entities')}: "
            f"{plural(dropped, 'its id is', 'their ids are')} longer than "
            f"{tables.MAX_ID_BYTES:,} bytes or {plural(dropped, 'contains', 'contain')} a NUL "
            "character"
        )
    for note in notes:
        report(Message(note))
    return counts, other_records, tuple(notes), qualifiers


def _all_sql(views: Mapping[str, str], selects: Tables) -> Iterator[tuple[str, str]]:
    """Every query of a loader, with its key in the loader file."""
    for name, query in views.items():
        yield f"views.{name}", query
    for field in fields(Tables):
        query = getattr(selects, field.name)
        if query is not None:
            yield f"tables.{field.name}", query


@contextmanager
def _explaining_errors(
    connection: duckdb.DuckDBPyConnection, spec: LoaderSpec, files: Sequence[SourceFiles]
) -> Iterator[None]:
    """Turn a failure of the loader's SQL into an error that lists the tables it can read."""
    try:
        yield
    except duckdb.Error as error:
        if is_out_of_space(error):
            raise
        tables = [each.source.input.table for each in files]
        columns = "; ".join(f"{one}: {listed(column_types(connection, one))}" for one in tables)
        raise LoadError(
            f"The SQL of the loader {short(spec.name)} failed: {str(error).splitlines()[0]}",
            hint=f"It can read these tables and columns: {columns}.",
        ) from error


def _drop(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
    for name in names:
        connection.execute(f"DROP TABLE {identifier(name)}")


def _selects(given: Tables, options: Mapping[str, str]) -> Tables:
    texts = {field.name: getattr(given, field.name) for field in fields(Tables)}
    return Tables(**{name: query and select_text(query, options) for name, query in texts.items()})
