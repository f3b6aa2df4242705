"""Properties of relationships (qualifiers): the further columns of a loader's facts, typed.

Every column of ``tables.triples`` and ``tables.literals`` that the fact itself does not need is a
property of its relationship. Numbers, dates and truth values that a source writes as texts get
their types here, by looking at all values of the column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from kgdb.loading.scratch.sql_quoting import identifier, literal

_FACT = {
    "triples": ("head", "relation", "tail", "undirected"),
    "literals": ("head", "relation", "value", "datatype", "language"),
}
_WHOLE = frozenset(
    "TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT HUGEINT".split()
)
_SHOWN = {
    "BIGINT": "whole number",
    "DOUBLE": "number",
    "BOOLEAN": "true or false",
    "DATE": "date",
    "TIMESTAMP": "time",
    "VARCHAR": "text",
    "VARCHAR[]": "list of texts",
}
_NULLS = "('', 'NULL', 'null', '\\N', 'NaN', 'nan', 'N/A', 'n/a', 'None')"
# A number with zeros before it is a code, such as a postal code.
_TYPED_TEXTS = {
    "BIGINT": "regexp_full_match({0}, '-?(0|[1-9][0-9]{{0,17}})')",
    "DOUBLE": "regexp_full_match({0}, '[+-]?(0|[1-9][0-9]*)?([.][0-9]+)?([eE][+-]?[0-9]{{1,2}})?') "
    "AND TRY_CAST({0} AS DOUBLE) IS NOT NULL",
    "DATE": "regexp_full_match({0}, '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}') "
    "AND TRY_CAST({0} AS DATE) IS NOT NULL",
    "TIMESTAMP": "regexp_full_match({0}, '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ][0-9:.]{{5,15}}') "
    "AND TRY_CAST({0} AS TIMESTAMP) IS NOT NULL",
    "BOOLEAN": "lower({0}) IN ('true', 'false')",
}


OBJECTS = "objects"
"""The column of facts with properties as one JSON object, until their keys are known."""

_TEXT = "@value"
"""``{"@value": "2020-01-01"}`` in such an object is a text, whatever it looks like."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A property of relationships: its name in Neo4j, its column in ``triples``, its type there."""

    name: str
    column: str
    type: str
    of_object: bool = False
    """Whether its values had types in the source: a text there is no number."""
    declared: bool = False
    """Whether the source declared its values as texts: none is a date either."""

    @property
    def is_text(self) -> bool:
        """Whether its values are texts, which a file must quote."""
        return self.type.startswith("VARCHAR")

    def __str__(self) -> str:
        return f"{self.name} ({_SHOWN[self.type]})"


def column_types(connection: duckdb.DuckDBPyConnection, query: str) -> dict[str, str]:
    """The columns of a table or a SELECT, with their types."""
    rows = connection.execute(f"DESCRIBE {query}").fetchall()
    return {column: kind for column, kind, *_ in rows}


def replace_table(connection: duckdb.DuckDBPyConnection, table: str, query: str) -> None:
    """Replace a table by the rows of a SELECT, which may read it.

    An UPDATE would move a row with a list to another place.
    """
    connection.execute(f"CREATE OR REPLACE TABLE {table} AS {query}")


def qualifier_columns(
    connection: duckdb.DuckDBPyConnection, queries: Mapping[str, str]
) -> tuple[tuple[Qualifier, ...], dict[str, str]]:
    """The properties that the SELECTs of facts have, ``triples`` and ``literals``.

    Both have one column for a property that both have. With them come the further columns of each
    SELECT, each after a comma. Columns of JSON, and maps, become :data:`OBJECTS`, whose keys
    :func:`with_keys` makes properties.
    """
    found = {table: _further_columns(connection, table, query) for table, query in queries.items()}
    types: dict[str, str] = {}
    for columns in found.values():
        for source, kind in columns.items():
            if not _holds_objects(kind):
                types[source] = _wider(types.get(source), _stored_type(kind))
    names = property_names(list(types))
    qualifiers = tuple(
        Qualifier(names[source], f"q{number}", kind)
        for number, (source, kind) in enumerate(types.items())
    )
    selected = {}
    for table, columns in found.items():
        parts = [
            f", {_value(identifier(source), columns[source]) if source in columns else 'NULL'}"
            f"::{each.type} AS {each.column}"
            for source, each in zip(types, qualifiers, strict=True)
        ]
        objects = [identifier(name) for name, kind in columns.items() if _holds_objects(kind)]
        if any(_holds_objects(kind) for each in found.values() for kind in each.values()):
            parts.append(f", {_merged(objects)} AS {OBJECTS}")
        selected[table] = "".join(parts)
    return qualifiers, selected


def with_keys(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[str],
    qualifiers: Sequence[Qualifier],
) -> tuple[Qualifier, ...]:
    """The same with a property for each key of the tables' :data:`OBJECTS`, which they lose."""
    if OBJECTS not in column_types(connection, tables[0]):
        return tuple(qualifiers)
    keys = _keys(connection, tables)
    names = property_names([*(each.name for each in qualifiers), *keys])
    added = [
        Qualifier(names[key], f"q{number}", kind, of_object=True, declared=declared)
        for number, (key, (kind, _, declared)) in enumerate(keys.items(), len(qualifiers))
    ]
    columns = "".join(
        f", {value}::{each.type} AS {each.column}"
        for each, (_, value, _) in zip(added, keys.values(), strict=True)
    )
    for table in tables:
        replace_table(connection, table, f"SELECT * EXCLUDE ({OBJECTS}){columns} FROM {table}")
    return (*qualifiers, *added)


def _further_columns(
    connection: duckdb.DuckDBPyConnection, table: str, query: str
) -> dict[str, str]:
    """The columns of a SELECT that the fact itself does not need, with their types."""
    found = column_types(connection, f"SELECT * FROM ({query})")
    return {name: kind for name, kind in found.items() if name.casefold() not in _FACT[table]}


def _holds_objects(kind: str) -> bool:
    return kind == "JSON" or (kind.startswith(("MAP(", "STRUCT(")) and not kind.endswith("]"))


def _merged(columns: Sequence[str]) -> str:
    """Columns of objects as one, in SQL."""
    objects = [
        f"CASE WHEN json_type(to_json({column})) = 'OBJECT' THEN to_json({column}) END"
        for column in columns
    ]
    merged = "NULL"
    for each in objects:
        merged = each if merged == "NULL" else f"json_merge_patch({merged}, {each})"
    return f"({merged})::JSON"


def _keys(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[str]
) -> dict[str, tuple[str, str, bool]]:
    """For each key of the objects the type that all its values have, and its value in SQL.

    Third comes whether some of its values are declared as texts.
    """
    # A JSON pointer, unlike a path, has a place for every sign in a key.
    path = "'/' || replace(replace(key, '~', '~0'), '/', '~1')"
    is_text = f"json_exists({OBJECTS}, {path} || '/{_TEXT}')"
    kind_of = f"CASE WHEN {is_text} THEN '{_TEXT}' ELSE json_type({OBJECTS}, {path}) END"
    rows = " UNION ALL ".join(
        f"SELECT {OBJECTS} FROM {table} WHERE {OBJECTS} IS NOT NULL" for table in tables
    )
    keys = connection.execute(
        f"""
        SELECT key, list(DISTINCT {kind_of}) FROM (
            SELECT {OBJECTS}, unnest(json_keys({OBJECTS})) AS key FROM ({rows}))
        WHERE key <> '' AND {kind_of} <> 'NULL'
        GROUP BY key ORDER BY key
        """
    ).fetchall()
    found = {}
    for key, kinds in keys:
        pointer = "/" + key.replace("~", "~0").replace("/", "~1")
        path = literal(pointer)
        value = f"({OBJECTS} ->> {path})"
        if declared := _TEXT in kinds:
            text = literal(f"{pointer}/{_TEXT}")
            value = f"coalesce({OBJECTS} ->> {text}, {value})"
        if "ARRAY" in kinds:
            listed = f"""from_json({OBJECTS} -> {path}, '["VARCHAR"]')"""
            of_one = f"CASE WHEN {value} IS NOT NULL THEN [{value}] END"
            is_array = f"json_type({OBJECTS}, {path}) = 'ARRAY'"
            found[key] = (
                "VARCHAR[]",
                f"CASE WHEN {is_array} THEN {listed} ELSE {of_one} END",
                declared,
            )
        elif set(kinds) <= {"BIGINT", "UBIGINT"}:
            found[key] = ("BIGINT", f"TRY_CAST({value} AS BIGINT)", declared)
        elif set(kinds) <= {"BIGINT", "UBIGINT", "HUGEINT", "DOUBLE"}:
            found[key] = ("DOUBLE", _value(value, "DOUBLE"), declared)
        elif set(kinds) == {"BOOLEAN"}:
            found[key] = ("BOOLEAN", f"{value}::BOOLEAN", declared)
        else:
            found[key] = ("VARCHAR", _value(value, "VARCHAR"), declared)
    return found


def with_types(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[str],
    qualifiers: Sequence[Qualifier],
    *,
    untyped: bool,
) -> tuple[Qualifier, ...]:
    """The same with the types that all their texts have; the columns of the tables change.

    A column without any value is left out. Texts stay what they are, if not ``untyped``: of files
    whose columns have types.
    """
    found = []
    for each in qualifiers:
        kind = each.type
        filled = " UNION ALL ".join(
            f"SELECT {each.column} AS x FROM {table} WHERE {each.column} IS NOT NULL"
            for table in tables
        )
        types = {
            name: test
            for name, test in _TYPED_TEXTS.items()
            if not each.of_object or name in ("DATE", "TIMESTAMP")
        }
        tests = ", ".join(f"bool_and({test.format('x')})" for test in types.values())
        if kind == "VARCHAR" and untyped and not each.declared:
            row = connection.execute(f"SELECT count(*), {tests} FROM ({filled})").fetchall()[0]
            count, *fits = row
            kind = next((name for name, fit in zip(types, fits, strict=True) if fit), "VARCHAR")
        else:
            count = connection.execute(f"SELECT count(*) FROM ({filled})").fetchall()[0][0]
        for table in tables:
            if not count:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {each.column}")
            elif kind != each.type:
                connection.execute(f"ALTER TABLE {table} ALTER COLUMN {each.column} TYPE {kind}")
        if count:
            found.append(replace(each, type=kind))
    return tuple(found)


def columns_of(qualifiers: Sequence[Qualifier], prefix: str = "") -> str:
    """Their columns for a SELECT or ORDER BY, each after a comma."""
    return "".join(f", {prefix}{each.column}" for each in qualifiers)


def _stored_type(kind: str) -> str:
    """The type that a column of the loader's SQL is kept as."""
    if kind in _WHOLE:
        return "BIGINT"
    if kind in ("FLOAT", "DOUBLE") or kind.startswith("DECIMAL"):
        return "DOUBLE"
    if kind in ("BOOLEAN", "DATE"):
        return kind
    if kind.startswith("TIMESTAMP"):
        return "TIMESTAMP"
    return "VARCHAR[]" if kind.endswith("[]") else "VARCHAR"


def _value(column: str, kind: str) -> str:
    """A value that Neo4j can hold; NULL for what stands for no value."""
    stored = _stored_type(kind)
    if stored == "DOUBLE":
        return f"CASE WHEN isfinite({column}::DOUBLE) THEN {column}::DOUBLE END"
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"make_timestamp(epoch_us({column}))"  # in UTC
    if stored == "BIGINT":
        return f"TRY_CAST({column} AS BIGINT)"
    if stored == "VARCHAR":
        text = f"replace({column}::VARCHAR, chr(0), '')"
        return f"CASE WHEN trim({text}) NOT IN {_NULLS} THEN {text} END"
    return column


def _wider(one: str | None, other: str) -> str:
    """The type that holds the values of both."""
    if one is None or one == other:
        return other
    return "DOUBLE" if {one, other} == {"BIGINT", "DOUBLE"} else "VARCHAR"


def property_names(columns: Sequence[str]) -> dict[str, str]:
    """Names of properties: those of columns, without what an import file cannot hold."""
    names: dict[str, str] = {}
    for column in columns:
        name = re.sub(r'[\s:,"\x00{}]+', "_", column.strip()) or "property"
        while name in names.values():
            name += "_"
        names[column] = name
    return names
