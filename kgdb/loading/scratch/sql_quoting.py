"""Names and texts as parts of DuckDB's SQL, where a parameter is not allowed."""

from __future__ import annotations

import glob
from pathlib import Path


def identifier(name: str) -> str:
    """The name of a table or column."""
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def literal(text: str) -> str:
    """A text value."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def one_file(path: Path) -> str:
    """The path as a text value, where DuckDB takes a pattern."""
    return literal(glob.escape(str(path)))
