"""Names and texts as parts of DuckDB's SQL, for places that allow no parameter."""

from __future__ import annotations

import glob
import re
from functools import cache
from pathlib import Path

import duckdb


def identifier(name: str) -> str:
    """A table or column name, quoted."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def literal(text: str) -> str:
    """A text value, quoted."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def one_file(path: Path) -> str:
    """A path as a quoted text value, for functions of DuckDB that expect a glob pattern."""
    return literal(glob.escape(str(path)))


def bare_identifier(column: str) -> str:
    """A column name in SQL, quoted if needed."""
    if re.fullmatch(r"[a-z][a-z0-9_]*", column) and column not in _keywords():
        return column
    return identifier(column)


@cache
def _keywords() -> frozenset[str]:
    """The keywords of DuckDB, which need quotes as column names."""
    words = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
    with duckdb.connect() as connection:
        return frozenset(word for (word,) in connection.execute(words).fetchall())
