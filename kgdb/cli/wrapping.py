"""What a terminal has no room for goes on in the next line, and no word is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

_WORD = re.compile(r"\s*\S+")
_INDENT = re.compile(r"\s*")
_DEEPEST = 20
"""Spaces before the rest of a line, at most: where it has many it is a column."""


def wrapped(text: Text, width: int) -> Text:
    """The text in lines of so many cells, broken between words.

    The rest of a line is indented as its beginning. A word that is longer than a line stays whole:
    the terminal goes on with it below, and gives it whole to who copies it.
    """
    lines = [part for line in text.split("\n", allow_blank=True) for part in _lines(line, width)]
    return Text("\n", end=text.end).join(lines)


def _lines(line: Text, width: int) -> Iterator[Text]:
    if cell_len(line.plain) <= width:
        yield line
        return
    indent = _INDENT.match(line.plain)
    before = " " * min(indent.end() if indent else 0, _DEEPEST, width // 3)
    begun, used = 0, 0
    for word in _WORD.finditer(line.plain):
        longer = cell_len(word[0])
        if used and used + longer > width:
            yield _part(line, begun, word.start(), before)
            begun = word.end() - len(word[0].lstrip())
            used, longer = len(before), cell_len(word[0].lstrip())
        used += longer
    yield _part(line, begun, len(line.plain), before)


def _part(line: Text, begin: int, end: int, before: str) -> Text:
    part = line[begin:end] if begin < end else Text()
    part.rstrip()
    return Text(before) + part if begin else part


def fitted(table: Table, console: Console) -> RenderableType:
    """The table with columns in which every word fits; else its rows one below the other."""
    options = console.options.update(max_width=10_000)
    ranges = [
        [Measurement.get(console, options, cell) for cell in (column.header, *column.cells)]
        for column in table.columns
    ]
    most = [
        min(max(cell.maximum for cell in cells), column.max_width or 10_000)
        for column, cells in zip(table.columns, ranges, strict=True)
    ]
    least = [
        wide if column.no_wrap else min(wide, max(cell.minimum for cell in cells))
        for column, cells, wide in zip(table.columns, ranges, most, strict=True)
    ]
    beside = Measurement.get(console, options, table).maximum - sum(most)
    room = console.width - beside - sum(least)
    if room < 0:
        return _listed(table)
    for column, narrow, wide in zip(table.columns, least, most, strict=True):
        given = min(wide - narrow, room)
        room -= given
        column.width = narrow + given
    return table


def _listed(table: Table) -> RenderableType:
    """The rows of a table for which the terminal is too narrow: a line for each cell."""
    first, *others = table.columns
    cells = [list(column.cells) for column in others]
    lines: list[RenderableType] = []
    for place, name in enumerate(first.cells):
        below = [
            _line(column.header, of_column[place])
            for column, of_column in zip(others, cells, strict=True)
            if str(of_column[place])
        ]
        # A row of one cell is the heading of those below it.
        lines.append(_line(first.header, name) if below else _line("", name))
        lines.append(Padding(Group(*below), (0, 0, 1, 2)))
    return Group(*lines)


def _line(header: RenderableType, cell: RenderableType) -> Text:
    text = cell if isinstance(cell, Text) else Text(str(cell))
    return Text.assemble((f"{header}: " if header else "", "dim"), text)
