"""Loads facts that a Python program holds: rows of an iterator, or a data frame."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from kgdb.errors import UsageError
from kgdb.graph.connection.database import Database
from kgdb.loading.loaders.loader_files import read_spec
from kgdb.loading.preparing.prepare import prepare
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.loading.scratch.temp_folder import new_temp_folder
from kgdb.loading.writing.graph_load import LoadResult, load
from kgdb.progress import Report, silent
from kgdb.wording import short

_FRAMES = ("pandas", "polars", "pyarrow")
_PARTS = ("head", "relation", "tail")


def load_facts(
    database: Database,
    facts: object,
    name: str,
    *,
    nodes: object = None,
    replace: bool = False,
    pagerank: bool = True,
    report: Report = silent,
) -> LoadResult:
    """Load facts into the database of an open connection, as the graph ``name``.

    >>> load_facts(db, [("Ada", "knows", "Bo", {"since": 1999})], "friends")  # doctest: +SKIP

    ``facts`` is a frame of pandas, polars or pyarrow with the columns ``head``, ``relation`` and
    ``tail``, or an iterable of rows: tuples of these three, perhaps with the properties of the
    relationship behind them, or mappings with these keys. Further columns are properties of the
    relationship. ``nodes`` are the entities in the same ways, with the columns ``id``, ``name``,
    ``aliases``, ``labels``; further ones are values of the entity. An iterator is read once, and
    not held in memory. The rest is as in :func:`kgdb.loading.load`.

    Raises :class:`UsageError` for rows that are none, and as :func:`kgdb.loading.load`.
    """
    framed = _is_frame(facts)
    if nodes is not None and _is_frame(nodes) is not framed:
        raise UsageError(
            "The facts and the nodes come in two ways: one is a data frame, the other is not.",
            hint="Give both as frames, or both as rows.",
        )
    loader = "parquet" if framed else "jsonl"
    write = _write_frame if framed else _write_rows
    with new_temp_folder() as folder:
        source = folder / "facts"
        source.mkdir()
        write(source / f"edges.{loader}", facts, _fact)
        if nodes is not None:
            write(source / f"nodes.{loader}", nodes, _node)
        with prepare(read_spec(loader).renamed(name), source, report=report) as prepared:
            return load(prepared, database, replace=replace, pagerank=pagerank, report=report)


def _is_frame(rows: object) -> bool:
    return type(rows).__module__.partition(".")[0] in _FRAMES


def _write_frame(path: Path, frame: Any, _: object) -> None:
    if type(frame).__module__.startswith("polars"):
        getattr(frame, "collect", lambda: frame)().write_parquet(path)
        return
    with duckdb.connect() as connection:
        connection.register("frame", frame)
        connection.execute(f"COPY (FROM frame) TO {literal(str(path))} (FORMAT parquet)")


def _write_rows(path: Path, rows: Any, as_mapping: Any) -> None:
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise UsageError(
            f"The rows are {short(rows)}.",
            hint="Expected a data frame, or an iterable of tuples or mappings.",
        )
    with path.open("w", encoding="utf-8") as file:
        for number, row in enumerate(rows, start=1):
            file.write(json.dumps(as_mapping(number, row), ensure_ascii=False, default=str) + "\n")


def _fact(number: int, row: object) -> Mapping[str, Any]:
    """A fact as an object."""
    if isinstance(row, Mapping):
        return row
    parts = list(row) if isinstance(row, Sequence) and not isinstance(row, str | bytes) else []
    properties = parts[3] if len(parts) == 4 else {}
    if len(parts) not in (3, 4) or not isinstance(properties, Mapping):
        raise UsageError(
            f"Row {number} of the facts is {short(row)}.",
            hint="Expected (head, relation, tail), perhaps with a mapping of properties behind "
            "them, or a mapping with these keys.",
        )
    if taken := sorted(set(_PARTS) & set(properties)):
        raise UsageError(
            f"Row {number} of the facts has a property {short(taken[0])}.",
            hint="Rename it: head, relation and tail are the fact itself.",
        )
    return {**dict(zip(_PARTS, parts, strict=False)), **properties}


def _node(number: int, row: object) -> Mapping[str, Any]:
    """An entity as an object."""
    if not isinstance(row, Mapping):
        raise UsageError(
            f"Row {number} of the nodes is {short(row)}.",
            hint='Expected a mapping: {"id": "c1", "name": "Porto", "labels": ["City"]}',
        )
    return row
