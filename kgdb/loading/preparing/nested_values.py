"""Objects and lists inside the objects of JSON lines, which no property and no id can hold.

A property that is an object becomes one for each of its keys (``where.city``), and a list one value
each. A list of tails is a fact each; any other end that is an object or a list is no fact.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from kgdb.errors import LoadError
from kgdb.loading.preparing.relationship_properties import Qualifier, property_names, replace_table
from kgdb.loading.scratch.sql_quoting import literal
from kgdb.wording import short

MAX_KEYS = 1_000
"""The limit for the keys of a property: with more, the keys are data."""

# Cases, because DuckDB may evaluate both sides of an AND, and most texts are no JSON.
_NESTED = (
    "CASE WHEN regexp_matches({0}, '^\\s*[\\[{{]') "
    "THEN coalesce(json_type(TRY_CAST({0} AS JSON)) IN ('OBJECT', 'ARRAY'), false) ELSE false END"
)
_PLAIN_LIST = (
    "CASE WHEN regexp_matches({0}, '(?s)^\\s*\\[[^\\[{{]*$') "
    "THEN coalesce(json_type(TRY_CAST({0} AS JSON)) = 'ARRAY', false) ELSE false END"
)
_ENDS = ("head", "relation", "tail")


def nested(column: str) -> str:
    """The SQL condition that a text is a JSON object or list; false for no text."""
    return _NESTED.format(column)


def resolve_nested_ends(connection: duckdb.DuckDBPyConnection) -> None:
    """State the fact of each item of a list of tails, and reject all other ends that are nested."""
    any_nested = " OR ".join(map(nested, _ENDS))
    if not connection.execute(f"SELECT 1 FROM raw_triples WHERE {any_nested} LIMIT 1").fetchall():
        return
    is_list = _PLAIN_LIST.format("tail")
    replace_table(
        connection,
        "raw_triples",
        f"SELECT * FROM raw_triples WHERE NOT ({is_list}) "
        "UNION ALL BY NAME SELECT * REPLACE (unnest(from_json(tail, '[\"VARCHAR\"]')) AS tail) "
        f"FROM (FROM raw_triples WHERE {is_list})",
    )
    connection.execute(f"UPDATE raw_triples SET complete = false WHERE {any_nested}")


def with_leaves(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[str], qualifiers: Sequence[Qualifier]
) -> tuple[Qualifier, ...]:
    """The qualifiers with one for each key of an object inside, and lists of texts for lists."""
    found: list[Qualifier] = []
    for each in qualifiers:
        if each.type == "VARCHAR" and not each.of_object and _is_nested(connection, tables, each):
            number = len(qualifiers) + len(found)
            found += _leaves_of(connection, tables, each, number)
        else:
            found.append(each)
    names = property_names([each.name for each in found])
    return tuple(
        Qualifier(names[each.name], each.column, each.type, each.of_object) for each in found
    )


def _is_nested(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[str], qualifier: Qualifier
) -> bool:
    test = nested(qualifier.column)
    return any(
        connection.execute(f"SELECT 1 FROM {table} WHERE {test} LIMIT 1").fetchall()
        for table in tables
    )


def _leaves_of(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[str],
    qualifier: Qualifier,
    number: int,
) -> list[Qualifier]:
    """One property for each path to a value, with the values of every row."""
    column = qualifier.column
    leaves = " UNION ALL ".join(_leaves(table, column) for table in tables)
    connection.execute(
        f"CREATE TEMP TABLE leaves AS SELECT of, row, path, list(value ORDER BY place) AS items "
        f"FROM ({leaves}) GROUP BY ALL"
    )
    paths = connection.execute(
        "SELECT path, max(len(items)) FROM leaves GROUP BY path ORDER BY path"
    ).fetchall()
    if len(paths) > MAX_KEYS:
        raise LoadError(
            f"The objects in {short(qualifier.name)} have more than {MAX_KEYS:,} different keys.",
            hint="Keys become properties: store data in values, not in keys.",
        )
    made = [
        Qualifier(
            f"{qualifier.name}{path}", f"q{number}_{at}", "VARCHAR[]" if most > 1 else "VARCHAR"
        )
        for at, (path, most) in enumerate(paths)
    ]
    columns = "".join(
        f", any_value({'items' if most > 1 else 'items[1]'}) FILTER (path = {literal(path)}) "
        f"AS {leaf.column}"
        for leaf, (path, most) in zip(made, paths, strict=True)
    )
    for table in tables:
        replace_table(
            connection,
            table,
            f"SELECT facts.* EXCLUDE ({column}), found.* EXCLUDE (row) "
            f"FROM {table} AS facts LEFT JOIN (SELECT row{columns} FROM leaves "
            f"WHERE of = '{table}' GROUP BY row) AS found ON found.row = facts.rowid",
        )
    connection.execute("DROP TABLE leaves")
    return made


def _leaves(table: str, column: str) -> str:
    """The values of a property in a table: of what is nested all, else itself."""
    path = "regexp_replace(replace(substr(tree.fullkey, 2), '\"', ''), '\\[[0-9]+\\]', '', 'g')"
    return (
        f"SELECT '{table}' AS of, row, {path} AS path, tree.id AS place, "
        "tree.atom ->> '$' AS value "
        f"FROM (SELECT rowid AS row, {column} AS object FROM {table} WHERE {nested(column)}) "
        "AS nested, json_tree(nested.object) AS tree "
        "WHERE tree.atom IS NOT NULL AND tree.type <> 'NULL' "
        f"UNION ALL SELECT '{table}', rowid, '', 0, {column} FROM {table} "
        f"WHERE NOT ({nested(column)}) AND {column} IS NOT NULL"
    )
