"""The checked tables of a graph, made from what a loader's SQL selects.

After :func:`make` the connection holds, with numbers that are dense and the same on every run:

- ``entities (number, id, name, aliases, labels, mediator, mentions)``, numbered from 0; each is an
  end of at most ``mentions`` triples;
- ``literals (number, id, name, value, datatype, language)``, numbered on from there;
- ``relation_types (number, id, count)``;
- ``triples (relation, head, tail)``, all numbers, each row once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.loaders.spec import Tables
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.wording import listed, short

MAX_ID_BYTES = 7_000
"""Bytes of an id or a relation: a little under the longest key of a Neo4j index."""

NAME_LENGTH = 200
"""Characters of a literal's value that serve as its name."""

STEPS = 5
"""Steps of :func:`gather` and :func:`make`, of which most takes the last."""

# NUL comes from files that are not UTF-8; no name has it.
_USABLE_ID = f"({{0}} <> '' AND strlen({{0}}) <= {MAX_ID_BYTES} AND NOT contains({{0}}, chr(0)))"
# What makes a row a fact.
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
    "other": ("why", "records"),
}
_TOO_LONG = f"an id longer than {MAX_ID_BYTES:,} bytes"
_NUL = "holds a NUL character"
_SHOWN = 60  # characters of each part of a row that is no fact
_READABLE = 1_000  # characters, so that no literal's id is longer than an id may be
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


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the source: ``records = triples + duplicates + skipped + other``.

    ``records`` counts the rows of the loader's ``tables.triples`` and ``tables.literals``, the
    lines that could not be read, and what the loader says it read for other purposes, ``other``:
    names, types, what its options leave out. ``triples`` includes those that lead to one of the
    ``literals``; ``entities`` includes the ``mediators`` and not the literals.
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


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the source that is not among the triples: how many records, and why."""

    why: str
    records: int


def require_columns(connection: duckdb.DuckDBPyConnection, tables: Tables) -> None:
    """Raise :class:`LoadError` where a SELECT of the loader lacks a column that it needs."""
    for table, needed in _NEEDED.items():
        query = getattr(tables, table)
        if query is not None:
            _require(connection, table, query, needed)


def _require(
    connection: duckdb.DuckDBPyConnection, table: str, query: str, needed: Sequence[str]
) -> None:
    found = [row[0] for row in connection.execute(f"DESCRIBE {query}").fetchall()]
    if missing := [column for column in needed if column not in map(str.casefold, found)]:
        raise LoadError(
            f"The loader's `tables.{table}` has no column {short(missing[0])}; "
            f"it has: {listed(found)}.",
            hint=f"It needs {', '.join(needed)} (docs/loaders.md).",
        )


def gather(connection: duckdb.DuckDBPyConnection, tables: Tables, step: Callable[[], None]) -> int:
    """Run the loader's SQL, for :func:`make`; raises ``duckdb.Error`` where it fails.

    Returns how many entities that the loader lists are left out, because their ids are too long or
    hold NUL. This and :func:`make` call ``step`` :data:`STEPS` times together.
    """
    connection.execute(
        f"CREATE TABLE raw_triples AS SELECT *, {_COMPLETE['raw_triples']} AS complete FROM ("
        "SELECT head::VARCHAR AS head, relation::VARCHAR AS relation, tail::VARCHAR AS tail "
        f"FROM ({tables.triples}))"
    )
    step()
    literals = tables.literals or (
        "SELECT NULL AS head, NULL AS relation, NULL AS value, NULL AS datatype, "
        "NULL AS language WHERE false"
    )
    connection.execute(
        f"CREATE TABLE raw_literals AS SELECT *, {_COMPLETE['raw_literals']} AS complete FROM ("
        "SELECT head::VARCHAR AS head, relation::VARCHAR AS relation, value::VARCHAR AS value, "
        "nullif(datatype::VARCHAR, '') AS datatype, nullif(language::VARCHAR, '') AS language "
        f"FROM ({literals}))"
    )
    step()
    left_out = _name_entities(connection, tables.entities)
    step()
    return left_out


def make(connection: duckdb.DuckDBPyConnection, label: str, step: Callable[[], None]) -> None:
    """Number what :func:`gather` gave; ``label`` is the graph's own, and no further one of any."""
    _number(connection, label)
    step()
    _link(connection)
    step()


def describe_relations(connection: duckdb.DuckDBPyConnection, query: str | None) -> None:
    """Make ``relation_texts (id, text, inverse, question, inverse_question)``, each id once."""
    query = query or "SELECT NULL AS id WHERE false"
    given = {column[0].casefold() for column in connection.execute(f"DESCRIBE {query}").fetchall()}
    texts = ", ".join(
        f"{f'min({text}::VARCHAR)' if text in given else 'NULL::VARCHAR'} AS {text}"
        for text in ("text", "inverse", "question", "inverse_question")
    )
    connection.execute(
        f"CREATE TABLE relation_texts AS SELECT id::VARCHAR AS id, {texts} "
        f"FROM ({query}) GROUP BY 1"
    )


def reject_incomplete(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the rows that are no facts to ``rejected``: which, and why. Their lines are unknown."""
    for table, last in (("raw_triples", "tail"), ("raw_literals", "value")):
        parts = ("head", "relation", last)
        missing = ", ".join(
            f"CASE WHEN {part} <> '' THEN NULL ELSE 'no {part}' END" for part in parts
        )
        ids = parts if last == "tail" else parts[:2]
        too_long = f"greatest({', '.join(f'strlen({part})' for part in ids)}) > {MAX_ID_BYTES}"
        text = " || ' | ' || ".join(
            f"CASE WHEN length({part}) > {_SHOWN} THEN left({part}, {_SHOWN}) || '…' "
            f"ELSE coalesce({part}, '') END"
            for part in parts
        )
        connection.execute(
            f"INSERT INTO rejected SELECT '{table}', NULL, NULL, "
            f"coalesce(nullif(concat_ws(', ', {missing}), ''), "
            f"CASE WHEN {too_long} THEN '{_TOO_LONG}' ELSE '{_NUL}' END), {text} "
            f"FROM {table} WHERE complete IS NOT TRUE"
        )


def drop_raw(connection: duckdb.DuckDBPyConnection) -> None:
    """Give back the room of what the tables were made from."""
    for table in ("raw_triples", "raw_literals"):
        connection.execute(f"DROP TABLE {table}")


def other(connection: duckdb.DuckDBPyConnection, tables: Tables) -> tuple[Share, ...]:
    """What the loader says it read for other purposes, the most first."""
    if tables.other is None:
        return ()
    rows = connection.execute(
        f"SELECT why::VARCHAR, sum(records)::BIGINT FROM ({tables.other}) "
        "GROUP BY 1 HAVING sum(records) > 0 ORDER BY 2 DESC, 1"
    ).fetchall()
    return tuple(Share(*row) for row in rows)


def notes(connection: duckdb.DuckDBPyConnection, query: str) -> tuple[str, ...]:
    """What the loader has to say about the source; the tables of :func:`make` are there."""
    _require(connection, "notes", query, ("note",))
    rows = connection.execute(f"SELECT note::VARCHAR AS note FROM ({query}) ORDER BY note")
    return tuple(" ".join(note.split()) for (note,) in rows.fetchall() if note)


def count(connection: duckdb.DuckDBPyConnection, rejected: int, other_records: int) -> Counts:
    """Count what :func:`make` has made; ``rejected`` lines could not be read."""
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
        duplicates=complete - triples,
        skipped=raw + raw_literals - complete + rejected,
        other=other_records,
        entities=entities,
        mediators=mediators,
        literals=literals,
        relations=relations,
    )


def _name_entities(connection: duckdb.DuckDBPyConnection, query: str | None) -> int:
    """What the loader says of entities, each once; how many ids cannot be used."""
    if query is None:
        columns = ", ".join(f"{text} AS {column}" for column, text in _WITHOUT.items())
        connection.execute(
            f"CREATE TABLE named AS SELECT NULL::VARCHAR AS id, {columns} WHERE false"
        )
        return 0
    given = {column[0].casefold() for column in connection.execute(f"DESCRIBE {query}").fetchall()}
    columns = ", ".join(
        f"{text if column in given else _WITHOUT[column]} AS {column}"
        for column, text in _ENTITY_COLUMNS.items()
    )
    connection.execute(
        f"CREATE TABLE named AS SELECT id, {columns} FROM "
        f"(SELECT * REPLACE (id::VARCHAR AS id) FROM ({query})) WHERE id <> '' GROUP BY id"
    )
    deleted = connection.execute(f"DELETE FROM named WHERE NOT {_USABLE_ID.format('id')}")
    return int(deleted.fetchall()[0][0])


def _number(connection: duckdb.DuckDBPyConnection, label: str) -> None:
    """The entities and the relations, numbered."""
    connection.execute(
        """
        CREATE TABLE ids AS
        SELECT row_number() OVER (ORDER BY id) - 1 AS number, id, mentions FROM (
            SELECT id, count(*) AS mentions FROM (
                SELECT head AS id FROM raw_triples WHERE complete
                UNION ALL SELECT tail FROM raw_triples WHERE complete
                UNION ALL SELECT head FROM raw_literals WHERE complete
                UNION ALL SELECT id FROM named)
            GROUP BY id)
        """
    )
    connection.execute(
        """
        CREATE TABLE relation_types AS
        SELECT (row_number() OVER (ORDER BY id) - 1)::INTEGER AS number, id, 0::BIGINT AS count
        FROM (SELECT DISTINCT relation AS id FROM raw_triples WHERE complete
              UNION SELECT DISTINCT relation FROM raw_literals WHERE complete)
        """
    )
    aliases = (
        "[each FOR each IN aliases IF each <> '' AND each <> name AND NOT contains(each, chr(0))]"
    )
    labels = (
        f"[each FOR each IN labels IF each NOT IN ('', {literal(label)}) "
        "AND NOT contains(each, chr(0))]"
    )
    connection.execute(
        f"""
        CREATE TABLE entities AS
        SELECT number, id, name,
               nullif(list_sort(list_distinct({aliases})), []) AS aliases,
               nullif(list_sort(list_distinct({labels})), []) AS labels, mediator, mentions
        FROM (SELECT number, id, coalesce(name, id) AS name, aliases, labels,
                     coalesce(mediator, false) AS mediator, mentions
              FROM ids LEFT JOIN named USING (id))
        """
    )
    connection.execute("DROP TABLE named")


def _link(connection: duckdb.DuckDBPyConnection) -> None:
    """The literals and the triples, by numbers."""
    connection.execute(
        f"""
        CREATE TABLE literals AS
        SELECT (SELECT count(*) FROM ids) + row_number() OVER (ORDER BY id) - 1 AS number,
               id, head, relation, value, datatype, language,
               CASE WHEN length(value) > {NAME_LENGTH}
                    THEN left(value, {NAME_LENGTH}) || '…' ELSE value END AS name
        FROM (SELECT DISTINCT
                     concat(left(concat(head, ' ', relation), {_READABLE}), ' ',
                            left(md5(concat_ws(chr(0), head, relation, value,
                                               coalesce(datatype, ''),
                                               coalesce(language, ''))), 16)) AS id,
                     head, relation, value, datatype, language
              FROM raw_literals WHERE complete)
        """
    )
    connection.execute(
        """
        CREATE TABLE triples AS
        SELECT DISTINCT types.number AS relation, heads.number AS head, tails.number AS tail
        FROM (FROM raw_triples WHERE complete) AS raw
        JOIN relation_types AS types ON types.id = raw.relation
        JOIN ids AS heads ON heads.id = raw.head
        JOIN ids AS tails ON tails.id = raw.tail
        UNION ALL
        SELECT types.number, heads.number, literals.number
        FROM literals
        JOIN relation_types AS types ON types.id = literals.relation
        JOIN ids AS heads ON heads.id = literals.head
        """
    )
    connection.execute("ALTER TABLE literals DROP COLUMN head")
    connection.execute("ALTER TABLE literals DROP COLUMN relation")
    connection.execute("DROP TABLE ids")
    connection.execute(
        """
        UPDATE relation_types SET count = counted.count
        FROM (SELECT relation, count(*) AS count FROM triples GROUP BY relation) AS counted
        WHERE relation_types.number = counted.relation
        """
    )
