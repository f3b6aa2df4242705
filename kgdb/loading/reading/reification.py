"""Nodes that stand for a triple: what is said about them becomes annotations of the triple.

RDF 1.2 names triples by ``rdf:reifies``. Older files have a node with the three parts of a triple:
an ``rdf:Statement``, or an ``owl:Axiom``.
"""

from __future__ import annotations

import duckdb

from kgdb.loading.scratch.sql_quoting import identifier, literal

REIFIES = "http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies"
"""RDF 1.2 says by this predicate which triple a node stands for."""

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_OWL = "http://www.w3.org/2002/07/owl#"
_PARTS = (
    tuple(_RDF + part for part in ("subject", "predicate", "object")),
    tuple(_OWL + part for part in ("annotatedSource", "annotatedProperty", "annotatedTarget")),
)
"""The predicates that name the parts of a triple, in their order."""

_CLASSES = (f"{_RDF}Statement", f"{_OWL}Axiom", f"{_OWL}Annotation")
_TRIPLE = ("subject", "predicate", "object", "kind", "datatype", "language")


def annotate(connection: duckdb.DuckDBPyConnection, table: str, notes: str) -> None:
    """Move what is said about nodes that stand for triples to the annotations of these triples.

    ``reading_reifiers`` has the nodes of RDF 1.2, with the columns ``reifier`` and those of the
    triple; this adds the others. A triple of theirs that ``table`` lacks is added to it. A node
    without all three parts, or with several of one kind, stays what it is.
    """
    for parts in _used_parts(connection, table):
        _add_statements(connection, table, parts)
    if not connection.execute("SELECT count(*) FROM reading_reifiers").fetchall()[0][0]:
        return
    name, about = identifier(table), ", ".join(f"reading_reifiers.{each}" for each in _TRIPLE)
    value = ", ".join(f"said.{each}" for each in _TRIPLE[1:])
    connection.execute(
        f"INSERT INTO {identifier(notes)} SELECT {about}, {value}, reifier FROM {name} AS said "
        "JOIN reading_reifiers ON said.subject = reifier ORDER BY said.rowid"
    )
    connection.execute(
        f"DELETE FROM {name} WHERE subject IN (SELECT reifier FROM reading_reifiers)"
    )


def _used_parts(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[str, ...]]:
    subjects = ", ".join(literal(parts[0]) for parts in _PARTS)
    rows = connection.execute(
        f"SELECT DISTINCT predicate FROM {identifier(table)} WHERE predicate IN ({subjects})"
    ).fetchall()
    return [parts for parts in _PARTS if (parts[0],) in rows]


def _add_statements(
    connection: duckdb.DuckDBPyConnection, table: str, parts: tuple[str, ...]
) -> None:
    """Add the nodes with these parts to ``reading_reifiers``, and take the parts from the table."""
    name = identifier(table)
    of_part = [f"FILTER (predicate = {literal(part)})" for part in parts]
    value = ", ".join(f"{column} := {column}" for column in _TRIPLE[2:])
    connection.execute(
        f"""
        CREATE OR REPLACE TEMP TABLE reading_statements AS
        SELECT reifier, head.object AS subject, property.object AS predicate,
               {", ".join(f"value.{column} AS {column}" for column in _TRIPLE[2:])}
        FROM (
            SELECT subject AS reifier, min(rowid) AS place,
                   list(DISTINCT struct_pack({value})) {of_part[0]} AS heads,
                   list(DISTINCT struct_pack({value})) {of_part[1]} AS properties,
                   list(DISTINCT struct_pack({value})) {of_part[2]} AS targets,
                   heads[1] AS head, properties[1] AS property, targets[1] AS value
            FROM {name} WHERE predicate IN ({", ".join(map(literal, parts))}) GROUP BY subject)
        WHERE len(heads) = 1 AND len(properties) = 1 AND len(targets) = 1
          AND head.kind IN ('iri', 'blank') AND property.kind = 'iri'
        ORDER BY place
        """
    )
    connection.execute(
        f"DELETE FROM {name} WHERE subject IN (SELECT reifier FROM reading_statements) "
        f"AND (predicate IN ({', '.join(map(literal, parts))}) OR "
        f"predicate = '{_RDF}type' AND object IN ({', '.join(map(literal, _CLASSES))}))"
    )
    same = " AND ".join(f"known.{each} IS NOT DISTINCT FROM new.{each}" for each in _TRIPLE)
    connection.execute(
        f"INSERT INTO {name} SELECT {', '.join(_TRIPLE)} FROM (SELECT "
        f"{', '.join(_TRIPLE)}, min(rowid) AS place FROM reading_statements GROUP BY ALL) AS new "
        f"WHERE NOT EXISTS (FROM {name} AS known WHERE {same}) ORDER BY place"
    )
    connection.execute("INSERT INTO reading_reifiers FROM reading_statements")
    connection.execute("DROP TABLE reading_statements")
