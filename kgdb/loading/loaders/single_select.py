"""A loader's SQL as what it has to be: one SELECT, which cannot leave the brackets around it."""

from __future__ import annotations

import duckdb

from kgdb.errors import LoadError

_SELECTS = {duckdb.StatementType.SELECT, duckdb.StatementType.MULTI}
"""DuckDB calls a PIVOT so, which is of several steps; it may stand between brackets."""

_HINT = (
    "A loader's SQL is read, never run as several statements: write one SELECT, with all brackets "
    "closed that it opens, and none besides (docs/loaders.md)."
)


def require_select(connection: duckdb.DuckDBPyConnection, key: str, query: str) -> None:
    """Raise :class:`LoadError` for what is not one whole SELECT; ``key`` is where it stands.

    What parses by itself holds its brackets, quotes and comments together: nothing of it can end
    those that are put around it.
    """
    try:
        parsed = connection.extract_statements(query)
    except duckdb.Error as error:
        raise LoadError(
            f"The loader's `{key}` is no SQL: {str(error).splitlines()[0]}", hint=_HINT
        ) from error
    if len(parsed) != 1 or parsed[0].type not in _SELECTS:
        kinds = ", ".join(statement.type.name for statement in parsed) or "nothing"
        raise LoadError(f"The loader's `{key}` is not one SELECT, but {kinds}.", hint=_HINT)
