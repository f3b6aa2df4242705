"""The check that each SQL text of a loader is one SELECT, which stays within its brackets."""

from __future__ import annotations

import duckdb

from kgdb.errors import LoadError

_SELECTS = {duckdb.StatementType.SELECT, duckdb.StatementType.MULTI}
"""MULTI is a PIVOT, which DuckDB runs in several steps; it may stand between brackets."""

_HINT = (
    "Write one SELECT with matching brackets: a loader's SQL cannot run several statements "
    "(docs/reference/loaders.md)."
)


def require_select(connection: duckdb.DuckDBPyConnection, key: str, query: str) -> None:
    """Raise :class:`LoadError` unless the query is one whole SELECT; ``key`` is its key.

    A query that parses by itself has matching brackets, quotes and comments. So it cannot close the
    brackets that kgdb writes around it.
    """
    try:
        parsed = connection.extract_statements(query)
    except duckdb.Error as error:
        raise LoadError(
            f"The loader's `{key}` is not valid SQL: {str(error).splitlines()[0]}", hint=_HINT
        ) from error
    if len(parsed) != 1 or parsed[0].type not in _SELECTS:
        kinds = ", ".join(statement.type.name for statement in parsed) or "nothing"
        raise LoadError(f"The loader's `{key}` is not one SELECT but {kinds}.", hint=_HINT)
