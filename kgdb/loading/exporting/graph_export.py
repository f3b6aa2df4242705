"""Exports a graph from the database to files that kgdb and other programs can read.

The rows stream from the server into DuckDB, which sorts them and spills to the disk if needed. So
the same graph always gives the same rows in the same order, whatever its size.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from kgdb import text_arguments
from kgdb._version import __version__
from kgdb.errors import LoadError, UsageError
from kgdb.graph import Database, GraphInfo
from kgdb.graph.retrieval.results import RelationInfo
from kgdb.loading.exporting.ntriples_writer import write_ntriples
from kgdb.loading.exporting.qualified_rows import COLUMN, Qualifiers
from kgdb.loading.loaders.loader_spec import RESERVED_LABELS
from kgdb.loading.scratch.disk_space import MEMORY
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.loading.scratch.temp_folder import new_temp_folder
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import short

BATCH = 10_000
"""Rows per batch from the server."""

_LIST = "VARCHAR[]"
_ARRAYS = {"BOOLEAN": np.bool_, "BIGINT": np.int64}

_TABLES = {
    "entities": {
        "id": "VARCHAR",
        "name": "VARCHAR",
        "aliases": _LIST,
        "labels": _LIST,
        "mediator": "BOOLEAN",
    },
    "literals": {
        "head": "VARCHAR",
        "relation": "VARCHAR",
        "value": "VARCHAR",
        "datatype": "VARCHAR",
        "language": "VARCHAR",
        COLUMN: "VARCHAR",
    },
    "triples": {
        "head": "VARCHAR",
        "relation": "VARCHAR",
        "tail": "VARCHAR",
        COLUMN: "VARCHAR",
    },
    "relations": {
        "id": "VARCHAR",
        "text": "VARCHAR",
        "inverse": "VARCHAR",
        "question": "VARCHAR",
        "inverse_question": "VARCHAR",
        "count": "BIGINT",
    },
}
"""The tables of an export, sorted by their columns in this order."""

_FORMATS = ("parquet", "ntriples")


@dataclass(frozen=True, slots=True)
class ExportResult:
    """The counts of an export; ``triples`` counts the triples between entities."""

    folder: Path
    entities: int
    literals: int
    triples: int
    relations: int


def export(
    database: Database,
    graph: GraphInfo,
    folder: Path,
    *,
    file_format: str = "parquet",
    report: Report = silent,
) -> ExportResult:
    """Write the whole graph into the new ``folder``, as ``"parquet"`` or ``"ntriples"``.

    The folder appears when it is complete. Of the nodes of an adopted graph, only ids, names and
    aliases are exported, no other properties. Raises :class:`UsageError` if the folder is not
    empty, and :class:`LoadError` if the files cannot be written.
    """
    if text_arguments.text("file_format", file_format, " or ".join(_FORMATS)) not in _FORMATS:
        raise UsageError(
            f"A graph cannot be exported as {short(file_format)}.",
            hint=f"Expected {' or '.join(_FORMATS)}.",
        )
    with _explaining_errors(graph), _new_folder(folder) as partial, _sort_tables() as tables:
        qualifiers = Qualifiers()
        _read(database, graph, tables, qualifiers, report)
        counts = {
            name: tables.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
            for name in _TABLES
        }
        # Only an adopted graph can have such an entity.
        if tables.execute("SELECT 1 FROM entities WHERE id = ''").fetchall():
            report(
                Message(
                    "An entity has the empty text as its id: it is exported, but kgdb load "
                    "will skip it and its triples"
                )
            )
        report(Message("Writing the files …"))
        if file_format == "parquet":
            _write_parquet(tables, qualifiers, partial)
        else:
            write_ntriples(tables, graph, qualifiers, partial)
        metadata = {
            "format": 1,
            "name": graph.name,
            "labels": list(graph.labels),
            "title": graph.title,
            "licence": graph.licence,
            "source": graph.source,
            "counts": counts,
            "kgdb_version": __version__,
        }
        text = json.dumps(metadata, ensure_ascii=False, indent=2) + "\n"
        (partial / "graph.json").write_text(text, encoding="utf-8")
    return ExportResult(folder, **counts)


def _read(
    database: Database,
    graph: GraphInfo,
    tables: duckdb.DuckDBPyConnection,
    qualifiers: Qualifiers,
    report: Report,
) -> None:
    """Stream the graph into the tables."""
    # In an adopted graph, a node labelled Literal by its owner is an entity.
    literals = not graph.adopted
    own = [*RESERVED_LABELS, *([] if graph.adopted and len(graph.labels) > 1 else graph.labels)]
    values = {"literals": literals, "aliases": list(graph.alias_properties), "own": own}
    entities = database.stream("export/entities", BATCH, values, **graph.places)
    _fill(tables, "entities", entities, graph.entities, report)
    if literals:
        _fill(
            tables,
            "literals",
            _encoded(database.stream("export/literals", BATCH, **graph.places), qualifiers),
            None,
            report,
        )
    triples = database.stream("export/triples", BATCH, {"literals": literals}, **graph.places)
    _fill(tables, "triples", _encoded(triples, qualifiers), graph.triples, report)
    rows = database.run("relations", {"kg": graph.name})
    _insert(tables, "relations", [asdict(RelationInfo.of(row)) for row in rows])


def _encoded(
    batches: Iterator[list[dict[str, Any]]], qualifiers: Qualifiers
) -> Iterator[list[dict[str, Any]]]:
    """The facts with the properties of their relationships as JSON."""
    with closing(batches):  # type: ignore[type-var]
        for rows in batches:
            yield [{**row, COLUMN: qualifiers.encode(row[COLUMN])} for row in rows]


def _fill(
    tables: duckdb.DuckDBPyConnection,
    table: str,
    batches: Iterator[list[dict[str, Any]]],
    total: int | None,
    report: Report,
) -> None:
    done = 0
    with closing(batches):  # type: ignore[type-var]
        for rows in batches:
            _insert(tables, table, rows)
            done += len(rows)
            report(Progress(f"exporting {table}", done, total, table))
    report(Progress(f"exporting {table}", done, done, table))


def _insert(
    tables: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    columns = _TABLES[table]
    # Arrays are ten times as fast as parameters, but hold no lists: lists are passed as JSON.
    arrays: dict[str, npt.NDArray[Any]] = {
        column: np.array(
            [json.dumps(row[column]) for row in rows]
            if kind == _LIST
            else [row[column] for row in rows],
            dtype=_ARRAYS.get(kind, np.object_),
        )
        for column, kind in columns.items()
    }
    values = ", ".join(
        f"""from_json({column}, '["VARCHAR"]')""" if kind == _LIST else column
        for column, kind in columns.items()
    )
    tables.register("batch", arrays)
    tables.execute(f"INSERT INTO {table} SELECT {values} FROM batch")
    tables.unregister("batch")


@contextmanager
def _explaining_errors(graph: GraphInfo) -> Iterator[None]:
    """Turn errors of the disk into a :class:`LoadError`."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        raise LoadError(
            f"Exporting {short(graph.name)} stopped: {str(error).splitlines()[0]}",
            hint="No files were left behind. Check the free space of the disk and the "
            "permissions of the folder.",
        ) from error


@contextmanager
def _sort_tables() -> Iterator[duckdb.DuckDBPyConnection]:
    """Empty tables in a temporary file, deleted at the end."""
    with (
        new_temp_folder() as folder,
        duckdb.connect(folder / "tables.duckdb") as connection,
    ):
        connection.execute(f"SET memory_limit = '{MEMORY}'")
        # Arrays of objects hold texts only: DuckDB need not sample them for other types.
        connection.execute("SET pandas_analyze_sample = 0")
        for table, columns in _TABLES.items():
            listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {table} ({listed})")
        yield connection


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """A folder to write into, renamed to ``folder`` when it is complete."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(
            f"{folder} already exists and is not an empty folder.",
            hint="Name a new folder for the export.",
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with new_temp_folder(folder.parent) as beside:
        partial = beside / folder.name
        partial.mkdir()
        yield partial
        partial.replace(folder)


def _write_parquet(tables: duckdb.DuckDBPyConnection, qualifiers: Qualifiers, folder: Path) -> None:
    for table, columns in _TABLES.items():
        target = literal(str(folder / f"{table}.parquet"))
        own = [column for column in columns if column != COLUMN]
        further = qualifiers.select(own) if COLUMN in columns else ""
        tables.execute(
            f"COPY (SELECT {', '.join(own)}{further} FROM {table} "
            f"ORDER BY {', '.join(columns)}) "
            f"TO {target} (FORMAT parquet, COMPRESSION zstd)"
        )
