"""Writes a graph out of the database into files that kgdb, or anybody else, can read.

The rows stream from the server into DuckDB, which sorts them, on disk where it must: the same graph
gives the same rows in the same order, however large it is.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from kgdb.graph import Database, GraphInfo, RelationInfo
from kgdb.loading.exporting.ntriples_writer import write_ntriples
from kgdb.loading.loaders.spec import RESERVED_LABELS
from kgdb.loading.scratch.disk_space import MEMORY
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.loading.scratch.temp_folder import workplace
from kgdb.progress import Message, Progress, Report, silent
from kgdb.wording import short

BATCH = 10_000
"""Rows that are taken from the server together."""

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
    },
    "triples": {"head": "VARCHAR", "relation": "VARCHAR", "tail": "VARCHAR"},
    "relations": {
        "id": "VARCHAR",
        "text": "VARCHAR",
        "inverse": "VARCHAR",
        "question": "VARCHAR",
        "inverse_question": "VARCHAR",
        "count": "BIGINT",
    },
}
"""The tables of an export, their columns in the order by which they are sorted."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export has written; ``triples`` are those between entities."""

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
    form: str = "parquet",
    report: Report = silent,
) -> Exported:
    """Write the whole graph into the new ``folder``, as ``"parquet"`` or ``"ntriples"``.

    The folder is there when everything is in it, and not before. Of an adopted graph, other
    properties than the ids and names are left out. Raises :class:`UsageError` when the folder
    holds something, and :class:`LoadError` when the files cannot be written.
    """
    if text_arguments.text("form", form, " or ".join(_FORMS)) not in _FORMS:
        raise UsageError(
            f"A graph cannot be exported as {short(form)}.", hint=f"Expected {' or '.join(_FORMS)}."
        )
    with _told(graph), _appearing(folder) as place, _sorting() as tables:
        _read(database, graph, tables, report)
        counts = {
            name: tables.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
            for name in _TABLES
        }
        # Only an adopted graph can have one.
        if tables.execute("SELECT 1 FROM entities WHERE id = ''").fetchall():
            report(
                Message(
                    "An entity has the empty text as its id: it is exported, but kgdb load "
                    "will leave it out, and skip its triples"
                )
            )
        report(Message("Writing the files …"))
        _FORMS[form](tables, graph, place)
        about = {
            "format": 1,
            "name": graph.name,
            "label": graph.label,
            "title": graph.title,
            "licence": graph.licence,
            "source": graph.source,
            "counts": counts,
            "kgdb_version": __version__,
        }
        text = json.dumps(about, ensure_ascii=False, indent=2) + "\n"
        (place / "graph.json").write_text(text, encoding="utf-8")
    return Exported(folder, **counts)


def _read(
    database: Database, graph: GraphInfo, tables: duckdb.DuckDBPyConnection, report: Report
) -> None:
    """Stream the graph into the tables."""
    places = {"label": graph.label, "id": graph.id_property}
    # What others labelled so are entities as all others.
    literals = not graph.adopted
    own = [*RESERVED_LABELS, graph.label]
    values = {"literals": literals, "aliases": list(graph.alias_properties), "own": own}
    entities = database.stream("export_entities", BATCH, values, name=graph.name_property, **places)
    _fill(tables, "entities", entities, graph.entities, report)
    if literals:
        _fill(tables, "literals", database.stream("export_literals", BATCH, **places), None, report)
    triples = database.stream("export_triples", BATCH, {"literals": literals}, **places)
    _fill(tables, "triples", triples, graph.triples, report)
    rows = database.run("relations", {"kg": graph.name})
    _insert(tables, "relations", [asdict(RelationInfo(**row)) for row in rows])


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
    # Parameters would take ten times as long as arrays, which hold no lists: these go as JSON.
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
def _told(graph: GraphInfo) -> Iterator[None]:
    """Errors of the disk, as what ended the export."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        raise LoadError(
            f"Exporting {short(graph.name)} stopped: {str(error).splitlines()[0]}",
            hint="Nothing was left behind. Is there room on the disk, and may the folder be "
            "written to?",
        ) from error


@contextmanager
def _sorting() -> Iterator[duckdb.DuckDBPyConnection]:
    """Empty tables on disk, gone at the end."""
    with (
        workplace() as folder,
        duckdb.connect(folder / "tables.duckdb") as connection,
    ):
        connection.execute(f"SET memory_limit = '{MEMORY}'")
        # An array of objects holds texts, and is not to be searched for what else it may hold.
        connection.execute("SET pandas_analyze_sample = 0")
        for table, columns in _TABLES.items():
            listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {table} ({listed})")
        yield connection


@contextmanager
def _appearing(folder: Path) -> Iterator[Path]:
    """A folder to write into, which gets its name when everything is in it."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(
            f"{folder} is there already, and not an empty folder.",
            hint="Name a new folder for the export.",
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    place = folder.parent / f".{folder.name}.{uuid.uuid4().hex[:8]}.part"
    place.mkdir()
    try:
        yield place
        place.replace(folder)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _write_parquet(tables: duckdb.DuckDBPyConnection, _: GraphInfo, place: Path) -> None:
    for table, columns in _TABLES.items():
        target = literal(str(place / f"{table}.parquet"))
        tables.execute(
            f"COPY (SELECT * FROM {table} ORDER BY {', '.join(columns)}) TO {target} "
            "(FORMAT parquet, COMPRESSION zstd)"
        )


_FORMS: Mapping[str, Callable[[duckdb.DuckDBPyConnection, GraphInfo, Path], None]] = {
    "parquet": _write_parquet,
    "ntriples": write_ntriples,
}
