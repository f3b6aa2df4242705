"""The options of a loader, put into its texts: ``{option}`` stands for the option's value."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from kgdb.errors import UsageError
from kgdb.loading.loaders.spec import SourceSpec
from kgdb.loading.scratch.sql_quoting import identifier
from kgdb.wording import short

_TABS = frozenset({"\\t", "tab", "TAB"})
"""How a tab is written where a real one is hard to type."""


def filled(text: str, options: Mapping[str, str], *, quote: bool = True) -> str:
    """The text with the values of the options; ``quote``: as names of columns in SQL."""

    def value(match: re.Match[str]) -> str:
        if match[1] not in options:
            return match[0]
        chosen = options[match[1]]
        return identifier(chosen) if quote else chosen

    return re.sub(r"\{(\w+)\}", value, text)


def select(query: str, options: Mapping[str, str]) -> str:
    """A loader's SELECT with the values of the options, as it can stand between brackets."""
    # The line's end is for a comment there, which would swallow the bracket.
    return filled(query, options).rstrip().removesuffix(";") + "\n"


def filled_source(
    source: SourceSpec, options: Mapping[str, str], given: Collection[str] = ()
) -> SourceSpec:
    """What is read as the options say, of which the user gave some.

    Raises :class:`UsageError` for a delimiter that is none.
    """
    reads = source.reads

    def value(text: str) -> str:
        return filled(text, options, quote=False)

    delimiter = value(reads.delimiter)
    if delimiter in _TABS:
        delimiter = "\t"
    if len(delimiter) != 1:
        raise UsageError(
            f"The delimiter {short(delimiter)} is not one character.",
            hint="Expected, say, ';' or '|', or tab for a TAB.",
        )
    named = [one for one in reads.if_named if one.strip("{}") in given and value(one)]
    columns = tuple(dict.fromkeys(map(value, (*reads.columns, *named))))
    chosen = replace(reads, format=value(reads.format), columns=columns, delimiter=delimiter)
    return replace(source, reads=chosen)
