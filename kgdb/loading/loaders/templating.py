"""The SQL of a loader: ``{option}`` is replaced by the value of the option; each is one SELECT."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

import duckdb

from kgdb.errors import LoadError, UsageError
from kgdb.loading.loaders.loader_spec import SourceSpec
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.wording import short

_TABS = frozenset({"\\t", "tab", "TAB"})
"""Spellings of a tab, which is hard to type in a shell."""

_SELECTS = {duckdb.StatementType.SELECT, duckdb.StatementType.MULTI}
"""MULTI is a PIVOT, which DuckDB runs in several steps; it may stand between brackets."""

_HINT = (
    "Write one SELECT with matching brackets: a loader's SQL cannot run several statements "
    "(docs/reference/loaders.md)."
)


def substitute(text: str, options: Mapping[str, str], *, quote: bool = True) -> str:
    """The text with the values of the options, quoted as SQL column names if ``quote`` is true."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in options:
            return match[0]
        text = options[match[1]]
        return identifier(text) if quote else text

    return re.sub(r"\{(\w+)\}", value, text)


def select_text(query: str, options: Mapping[str, str]) -> str:
    """A loader's SELECT with the values of the options, ready to be put between brackets."""
    # A trailing comment would swallow the closing bracket without the line end.
    return substitute(query, options).rstrip().removesuffix(";") + "\n"


def _fields(listed: str) -> tuple[str, ...]:
    """The fields of a line that an option lists; raises :class:`UsageError` without a triple."""
    fields = tuple(listed.split())
    if missing := [part for part in ("head", "relation", "tail") if part not in fields]:
        raise UsageError(
            f"The columns {short(listed)} lack {short(missing[0])}.",
            hint="Expected the fields of a line in their order, such as: head relation tail date",
        )
    return fields


def substitute_source(
    source: SourceSpec, options: Mapping[str, str], given: Collection[str] = ()
) -> SourceSpec:
    """The source with the values of the options; ``given`` are the options that the user set.

    Raises :class:`UsageError` if the delimiter is not one character.
    """
    table = source.input

    def value(text: str) -> str:
        return substitute(text, options, quote=False)

    delimiter = value(table.delimiter)
    if delimiter in _TABS:
        delimiter = "\t"
    if len(delimiter) != 1:
        raise UsageError(
            f"The delimiter {short(delimiter)} is not one character.",
            hint="Expected a character such as ';' or '|', or tab for a TAB.",
        )
    named = [one for one in table.required_if_set if one.strip("{}") in given and value(one)]
    columns = tuple(dict.fromkeys(map(value, (*table.columns, *named))))
    if table.format == "delimited" and table.columns == ("{columns}",):
        columns = _fields(value("{columns}"))
    substituted = replace(table, format=value(table.format), columns=columns, delimiter=delimiter)
    return replace(source, input=substituted)


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
