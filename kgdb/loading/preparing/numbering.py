"""The rows of a loader's SQL numbered, and linked by these numbers, as an import needs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import duckdb

from kgdb.loading.preparing.relationship_properties import Qualifier, columns_of, replace_table
from kgdb.loading.preparing.tables import MENTIONS
from kgdb.loading.scratch.sql_quoting import literal

NAME_LENGTH = 200
"""The name of a literal is this many characters of its value."""

_READABLE = 1_000  # characters, which keep the id of a literal below the limit


def build(
    connection: duckdb.DuckDBPyConnection,
    label: str,
    qualifiers: Sequence[Qualifier],
    step: Callable[[], None],
) -> int:
    """Number the rows of :func:`kgdb.loading.preparing.tables.run_loader_sql`.

    No entity keeps ``label``, the graph's own. Returns how many triples state an undirected fact
    the other way round.
    """
    _number(connection, label)
    step()
    _link(connection, qualifiers)
    mirrored = _mirror(connection, qualifiers)
    _count_relations(connection)
    step()
    return mirrored


def _number(connection: duckdb.DuckDBPyConnection, label: str) -> None:
    """The entities and the relations, numbered."""
    connection.execute(
        "CREATE TABLE ids AS "
        f"SELECT row_number() OVER (ORDER BY id) - 1 AS number, id, mentions FROM ({MENTIONS})"
    )
    connection.execute(
        """
        CREATE TABLE relation_types AS
        SELECT (row_number() OVER (ORDER BY id) - 1)::INTEGER AS number, id, 0::BIGINT AS count
        FROM (SELECT DISTINCT relation AS id FROM raw_triples WHERE complete
              UNION SELECT DISTINCT relation FROM raw_literals WHERE complete)
        """
    )
    # People write the names of an encyclopedia's pages (Barack_Obama) with spaces.
    spaced = (
        "CASE WHEN NOT contains(name, '_') THEN [] "
        "WHEN regexp_full_match(name, '[\\pL\\pM''’.,-]+(_[^\\s_]+)+') "
        "THEN [replace(name, '_', ' ')] ELSE [] END"
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
               nullif(list_sort(list_distinct(list_concat({aliases}, {spaced}))), []) AS aliases,
               nullif(list_sort(list_distinct({labels})), []) AS labels, mediator, mentions
        FROM (SELECT number, id, coalesce(name, id) AS name, aliases, labels,
                     coalesce(mediator, false) AS mediator, mentions
              FROM ids LEFT JOIN named USING (id))
        """
    )
    connection.execute("DROP TABLE named")


def _link(connection: duckdb.DuckDBPyConnection, qualifiers: Sequence[Qualifier]) -> None:
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
    # A literal is one node, however many facts give it different properties.
    of_literals = "literals"
    if qualifiers:
        of_literals = f"""
            (SELECT DISTINCT literals.number, literals.relation, literals.head
                    {columns_of(qualifiers, "raw.")}
             FROM literals JOIN raw_literals AS raw
             ON raw.complete AND raw.head = literals.head AND raw.relation = literals.relation
             AND raw.value = literals.value
             AND raw.datatype IS NOT DISTINCT FROM literals.datatype
             AND raw.language IS NOT DISTINCT FROM literals.language)"""
    connection.execute(
        f"""
        CREATE TABLE triples AS
        {_numbered("FROM raw_triples WHERE complete", "ids", qualifiers)}
        UNION ALL
        SELECT types.number, heads.number, facts.number {columns_of(qualifiers, "facts.")}
        FROM {of_literals} AS facts
        JOIN relation_types AS types ON types.id = facts.relation
        JOIN ids AS heads ON heads.id = facts.head
        """
    )
    connection.execute("ALTER TABLE literals DROP COLUMN head")
    connection.execute("ALTER TABLE literals DROP COLUMN relation")
    connection.execute("DROP TABLE ids")


def _numbered(rows: str, nodes: str, qualifiers: Sequence[Qualifier]) -> str:
    """A SELECT of rows like those of ``raw_triples`` by numbers, each once."""
    return f"""
        SELECT DISTINCT types.number AS relation, heads.number AS head, tails.number AS tail
               {columns_of(qualifiers)}
        FROM ({rows}) AS raw
        JOIN relation_types AS types ON types.id = raw.relation
        JOIN {nodes} AS heads ON heads.id = raw.head
        JOIN {nodes} AS tails ON tails.id = raw.tail"""


def _mirror(connection: duckdb.DuckDBPyConnection, qualifiers: Sequence[Qualifier]) -> int:
    """State every undirected fact the other way round, too, where the source does not."""
    if not connection.execute("SELECT 1 FROM raw_triples WHERE undirected LIMIT 1").fetchall():
        return 0
    turned = "SELECT * REPLACE (head AS tail, tail AS head) FROM raw_triples "
    turned += "WHERE complete AND undirected"
    added = connection.execute(
        f"""
        INSERT INTO triples BY NAME
        {_numbered(turned, "entities", qualifiers)}
        EXCEPT SELECT relation, head, tail{columns_of(qualifiers)} FROM triples
        """
    )
    return int(added.fetchall()[0][0])


def _count_relations(connection: duckdb.DuckDBPyConnection) -> None:
    replace_table(
        connection,
        "relation_types",
        "SELECT number, id, counted.count AS count FROM relation_types JOIN "
        "(SELECT relation, count(*) AS count FROM triples GROUP BY relation) AS counted "
        "ON counted.relation = number",
    )
