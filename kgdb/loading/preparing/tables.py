"""The checked tables of a graph, built from the rows of a loader's SQL.

After ``run_loader_sql``, and ``build`` of :mod:`kgdb.loading.preparing.numbering`, the connection
holds, with numbers that are dense and the same on every run:

- ``entities (number, id, name, aliases, labels, mediator, mentions)``, numbered from 0; each is
  head or tail of at most ``mentions`` triples;
- ``literals (number, id, name, value, datatype, language)``, numbered on from there;
- ``relation_types (number, id, count)``;
- ``triples (relation, head, tail, …)``, all numbers, and the properties of the relationship (see
  :mod:`kgdb.loading.preparing.relationship_properties`); each row once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.loaders.loader_spec import RELATION_TEXTS, Tables
from kgdb.loading.preparing.nested_values import nested, resolve_nested_ends, with_leaves
from kgdb.loading.preparing.relationship_properties import (
    Qualifier,
    column_types,
    qualifier_columns,
    with_keys,
    with_types,
)
from kgdb.wording import listed, short

MAX_ID_BYTES = 7_000
"""Bytes of the longest id or relation: a little less than the longest key of a Neo4j index."""

STEPS = 5
"""Progress steps of :func:`run_loader_sql` and ``build``; the last takes longest."""

# Files that are not UTF-8 bring NUL characters; no name contains one.
_USABLE_ID = f"({{0}} <> '' AND strlen({{0}}) <= {MAX_ID_BYTES} AND NOT contains({{0}}, chr(0)))"
# The condition for a row to be a fact.
_COMPLETE = {
    "raw_triples": " AND ".join(map(_USABLE_ID.format, ("head", "relation", "tail"))),
    "raw_literals": " AND ".join(map(_USABLE_ID.format, ("head", "relation")))
    + " AND value <> '' AND NOT contains(concat(value, datatype, language), chr(0))",
}
_NEEDED = {
    "triples": ("head", "relation", "tail"),
    "literals": ("head", "relation", "value", "datatype", "language"),
    "entities": ("id",),
    "relations": ("id",),
    "other": ("reason", "records"),
}
_TOO_LONG = f"an id longer than {MAX_ID_BYTES:,} bytes"
_NUL = "holds a NUL character"
_NESTED = "an object or a list instead of an id"
_SHOWN = 60  # characters shown of each part of a row that is not a fact
_ENTITY_COLUMNS = {
    "name": "min(nullif(replace(name::VARCHAR, chr(0), ''), ''))",
    "aliases": "flatten(list(aliases::VARCHAR[]))",
    "labels": "flatten(list(labels::VARCHAR[]))",
    "mediator": "coalesce(bool_or(mediator::BOOLEAN), false)",
}
_WITHOUT = {
    "name": "NULL::VARCHAR",
    "aliases": "NULL::VARCHAR[]",
    "labels": "NULL::VARCHAR[]",
    "mediator": "false",
}


MENTIONS = """
    SELECT id, count(*) AS mentions FROM (
        SELECT head AS id FROM raw_triples WHERE complete
        UNION ALL SELECT tail FROM raw_triples WHERE complete
        UNION ALL SELECT head FROM raw_literals WHERE complete
        UNION ALL SELECT id FROM named)
    GROUP BY id"""
"""A SELECT of the entities in the tables of :func:`run_loader_sql`: how often each occurs."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The records of a source: ``records + mirrored = triples + duplicates + skipped + other``.

    ``records`` counts the rows of the loader's ``tables.triples`` and ``tables.literals``, the
    unreadable lines, and the records that the loader reads for another purpose, ``other``: names,
    types, everything its options exclude. ``triples`` includes the triples with a literal as tail;
    ``entities`` includes the ``mediators`` but not the literals. ``mirrored`` are the triples that
    state an undirected fact the other way round.
    """

    records: int
    triples: int
    duplicates: int
    skipped: int
    entities: int
    relations: int
    other: int = 0
    mediators: int = 0
    literals: int = 0
    mirrored: int = 0


@dataclass(frozen=True, slots=True)
class OtherRecords:
    """Records that the loader reads for another purpose than triples, by reason."""

    reason: str
    records: int


def require_columns(connection: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    """Raise :class:`LoadError` if a SELECT of the loader lacks a required column."""
    for table, needed in _NEEDED.items():
        query = getattr(tables, table)
        if query is not None:
            _require(connection, table, query, needed)


def _require(
    connection: duckdb.DuckDBPyConnection, table: str, query: str, needed: Sequence[str]
) -> None:
    columns = column_types(connection, query)
    if missing := [column for column in needed if column not in map(str.casefold, columns)]:
        raise LoadError(
            f"The loader's `tables.{table}` has no column {short(missing[0])}; "
            f"it has: {listed(columns)}.",
            hint=f"It needs {', '.join(needed)} (docs/reference/loaders.md).",
        )


def run_loader_sql(
    connection: duckdb.DuckDBPyConnection,
    tables: Tables,
    step: Callable[[], None],
    *,
    untyped: bool = True,
    may_nest: bool = False,
) -> tuple[int, tuple[Qualifier, ...]]:
    """Run the loader's SQL, for ``build``; raises ``duckdb.Error`` if it fails.

    Returns the number of listed entities that are dropped because their ids are too long or contain
    NUL, and the properties of the relationships. These get the types of their values if the files
    are ``untyped``; ``may_nest`` says that texts may be objects and lists of JSON. This function
    and ``build`` together call ``step`` :data:`STEPS` times.
    """
    literals = tables.literals or (
        "SELECT NULL AS head, NULL AS relation, NULL AS value, NULL AS datatype, "
        "NULL AS language WHERE false"
    )
    facts = {"triples": tables.triples, "literals": literals}
    qualifiers, further = qualifier_columns(connection, facts)
    undirected = "false"
    if "undirected" in column_types(connection, tables.triples):
        undirected = "coalesce(undirected::BOOLEAN, false)"
    connection.execute(
        f"CREATE TABLE raw_triples AS SELECT *, {_COMPLETE['raw_triples']} AS complete FROM ("
        f"SELECT {undirected} AS undirected, head::VARCHAR AS head, "
        "relation::VARCHAR AS relation, tail::VARCHAR AS tail"
        f"{further['triples']} FROM ({tables.triples}))"
    )
    if may_nest:
        resolve_nested_ends(connection)
    step()
    connection.execute(
        f"CREATE TABLE raw_literals AS SELECT *, {_COMPLETE['raw_literals']} AS complete FROM ("
        "SELECT head::VARCHAR AS head, relation::VARCHAR AS relation, value::VARCHAR AS value, "
        "nullif(datatype::VARCHAR, '') AS datatype, nullif(language::VARCHAR, '') AS language"
        f"{further['literals']} FROM ({literals}))"
    )
    raw = ("raw_triples", "raw_literals")
    qualifiers = with_keys(connection, raw, qualifiers)
    if may_nest:
        qualifiers = with_leaves(connection, raw, qualifiers)
    qualifiers = with_types(connection, raw, qualifiers, untyped=untyped)
    step()
    dropped = _name_entities(connection, tables.entities)
    step()
    return dropped, qualifiers


def describe_relations(connection: duckdb.DuckDBPyConnection, query: str | None) -> None:
    """Make ``relation_texts (id, text, inverse, question, inverse_question)``, each id once."""
    query = query or "SELECT NULL AS id WHERE false"
    columns_found = set(map(str.casefold, column_types(connection, query)))
    texts = ", ".join(
        f"{f'min({text}::VARCHAR)' if text in columns_found else 'NULL::VARCHAR'} AS {text}"
        for text in RELATION_TEXTS
    )
    connection.execute(
        f"CREATE TABLE relation_texts AS SELECT id::VARCHAR AS id, {texts} "
        f"FROM ({query}) GROUP BY 1"
    )


def reject_incomplete(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the rows that are not facts to ``rejected``; their lines are unknown."""
    for table, last in (("raw_triples", "tail"), ("raw_literals", "value")):
        parts = ("head", "relation", last)
        missing = ", ".join(
            f"CASE WHEN {part} <> '' THEN NULL ELSE 'no {part}' END" for part in parts
        )
        ids = parts if last == "tail" else parts[:2]
        too_long = f"greatest({', '.join(f'strlen({part})' for part in ids)}) > {MAX_ID_BYTES}"
        is_nested = " OR ".join(map(nested, ids))
        text = " || ' | ' || ".join(
            f"CASE WHEN length({part}) > {_SHOWN} THEN left({part}, {_SHOWN}) || '…' "
            f"ELSE coalesce({part}, '') END"
            for part in parts
        )
        connection.execute(
            f"INSERT INTO rejected SELECT '{table}', NULL, NULL, "
            f"coalesce(nullif(concat_ws(', ', {missing}), ''), "
            f"CASE WHEN {too_long} THEN '{_TOO_LONG}' WHEN {is_nested} THEN '{_NESTED}' "
            f"ELSE '{_NUL}' END), {text} "
            f"FROM {table} WHERE complete IS NOT TRUE"
        )


def drop_raw(connection: duckdb.DuckDBPyConnection) -> None:
    """Drop the raw tables, which the built tables no longer need."""
    for table in ("raw_triples", "raw_literals"):
        connection.execute(f"DROP TABLE {table}")


def other(connection: duckdb.DuckDBPyConnection, tables: Tables) -> tuple[OtherRecords, ...]:
    """The records that the loader reads for other purposes, largest groups first."""
    if tables.other is None:
        return ()
    rows = connection.execute(
        f"SELECT reason::VARCHAR, sum(records)::BIGINT FROM ({tables.other}) "
        "GROUP BY 1 HAVING sum(records) > 0 ORDER BY 2 DESC, 1"
    ).fetchall()
    return tuple(OtherRecords(*row) for row in rows)


def notes(connection: duckdb.DuckDBPyConnection, query: str) -> tuple[str, ...]:
    """The loader's remarks on the source; its SQL may read the tables of ``build``."""
    _require(connection, "notes", query, ("note",))
    rows = connection.execute(f"SELECT note::VARCHAR AS note FROM ({query}) ORDER BY note")
    return tuple(" ".join(note.split()) for (note,) in rows.fetchall() if note)


def count(
    connection: duckdb.DuckDBPyConnection, rejected: int, other_records: int, mirrored: int
) -> Counts:
    """Count the tables of ``build``, which returned ``mirrored``.

    ``rejected`` is the number of unreadable lines.
    """
    row = connection.execute(
        """
        SELECT (SELECT count(*) FROM raw_triples), (SELECT count(*) FROM raw_literals),
               (SELECT count(*) FROM raw_triples WHERE complete),
               (SELECT count(*) FROM raw_literals WHERE complete),
               (SELECT count(*) FROM triples), (SELECT count(*) FROM entities),
               (SELECT count(*) FROM entities WHERE mediator), (SELECT count(*) FROM literals),
               (SELECT count(*) FROM relation_types)
        """
    ).fetchall()[0]
    raw, raw_literals, whole, whole_literals, triples, entities, mediators, literals, relations = (
        row
    )
    complete = whole + whole_literals
    return Counts(
        records=raw + raw_literals + rejected + other_records,
        triples=triples,
        duplicates=complete - (triples - mirrored),
        skipped=raw + raw_literals - complete + rejected,
        other=other_records,
        entities=entities,
        mediators=mediators,
        literals=literals,
        relations=relations,
        mirrored=mirrored,
    )


def _name_entities(connection: duckdb.DuckDBPyConnection, query: str | None) -> int:
    """The loader's rows about entities, one per id; returns the number of unusable ids."""
    if query is None:
        columns = ", ".join(f"{text} AS {column}" for column, text in _WITHOUT.items())
        connection.execute(
            f"CREATE TABLE named AS SELECT NULL::VARCHAR AS id, {columns} WHERE false"
        )
        return 0
    columns_found = set(map(str.casefold, column_types(connection, query)))
    columns = ", ".join(
        f"{text if column in columns_found else _WITHOUT[column]} AS {column}"
        for column, text in _ENTITY_COLUMNS.items()
    )
    connection.execute(
        f"CREATE TABLE named AS SELECT id, {columns} FROM "
        f"(SELECT * REPLACE (id::VARCHAR AS id) FROM ({query})) WHERE id <> '' GROUP BY id"
    )
    deleted = connection.execute(f"DELETE FROM named WHERE NOT {_USABLE_ID.format('id')}")
    return int(deleted.fetchall()[0][0])
