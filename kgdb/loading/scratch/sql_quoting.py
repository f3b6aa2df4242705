"""Names and texts as parts of DuckDB's SQL, for places that allow no parameter."""

from __future__ import annotations

import glob
from pathlib import Path


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
