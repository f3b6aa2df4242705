"""Generated dumps, and the same graph as the files that an import reads by its manual."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np

from benchmarks import powerlaw
from benchmarks.powerlaw import Shape

LOADER = Path(__file__).with_name("dump.toml")

_BASE = "http://example.org/"
_NAME = "http://www.w3.org/2000/01/rdf-schema#label"


@dataclass(frozen=True, slots=True)
class Dump:
    """One graph twice: as a gzip dump, and as ready CSV with ids as text, in the dump's order."""

    source: Path
    nodes: Path
    relationships: Path
    lines: int


def write(shape: Shape, folder: Path) -> Dump:
    """Write the dump and the CSV of a graph of that shape below ``folder``."""
    rng = np.random.default_rng(shape.seed)
    heads, tails, relations = powerlaw.relationships(shape, rng)
    numbers = np.arange(shape.entities)
    dump = Dump(
        folder / "dump.nt.gz",
        folder / "nodes.csv",
        folder / "relationships.csv",
        len(heads) + len(numbers),
    )
    with duckdb.connect() as connection:
        connection.register("given", {"number": numbers, "name": powerlaw.names(rng, len(numbers))})
        connection.execute("CREATE TABLE entities AS FROM given")
        connection.register("drawn", {"head": heads, "tail": tails, "relation": relations})
        connection.execute(
            "CREATE TABLE edges AS SELECT row_number() OVER () AS place, "
            "printf('e%07d', head) AS head, printf('e%07d', tail) AS tail, "
            "printf('relation_%04d', relation) AS relation FROM drawn"
        )
        lines = f"""
            SELECT printf('<{_BASE}%s>\t<{_BASE}%s>\t<{_BASE}%s>\t.', head, relation, tail)
            FROM (SELECT * FROM edges ORDER BY place)
            UNION ALL
            SELECT printf('<{_BASE}e%07d>\t<{_NAME}>\t"%s"@en\t.', number, name) FROM entities
        """
        _copy(connection, lines, dump.source, "DELIMITER '\x01', QUOTE '', COMPRESSION gzip")
        _copy(
            connection,
            "SELECT printf('e%07d', number) AS \"id:ID\", name, 'Entity;Dump' AS \":LABEL\" "
            "FROM entities",
            dump.nodes,
            "HEADER",
        )
        _copy(
            connection,
            'SELECT head AS ":START_ID", tail AS ":END_ID", relation AS ":TYPE" '
            "FROM edges ORDER BY place",
            dump.relationships,
            "HEADER",
        )
    return dump


def _copy(connection: duckdb.DuckDBPyConnection, query: str, path: Path, options: str) -> None:
    header = "" if "HEADER" in options else ", HEADER false"
    connection.execute(f"COPY ({query}) TO ? (FORMAT csv, {options}{header})", [str(path)])
