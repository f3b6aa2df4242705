"""Samples lines of fields: finds their delimiter and the header line."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from kgdb.errors import UsageError
from kgdb.loading.drafting.sample import (
    MOSTLY,
    Column,
    Sample,
    counts,
    is_number,
    numeric_share,
)
from kgdb.wording import brief

ROWS = 10_000
"""Rows of a sample."""

DELIMITERS = ("\t", ",", ";", "|", " ")
KNOWN_NAMES = frozenset(
    "id name title label type key source target from to head relation tail subject predicate "
    "object property value start end src dst rel weight description date url h r t s p o".split()
)
"""Words that are more likely column names than values."""

_ENDS = ("_id", "_name", "_type", "_label")
_CAMEL = re.compile(r"[a-z]+(?:[A-Z][a-z]*)*(?:I[dD]|Name|Key|Code|Date|Type|Title)")
"""Names of columns as programmers write them: customerID, companyName."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_DATUM = re.compile(
    r'/|\{\s*"'
)  # the beginning of a path or of a JSON object, not of a column name
_SEPARATOR = re.compile(r"sep=(.)")  # a line that tells Excel the delimiter


def sample_table(path: Path, text: str, *, cut: bool, has_header: bool | None = None) -> Sample:
    """A sample of a table; ``cut``: the text may end inside a field.

    ``has_header``: whether the first line is the header; without it the lines decide.

    Raises :class:`UsageError` for a text that is not a table.
    """
    lines = lines_of(text)
    skip = _preamble(lines)
    sample = _sample(path, lines, skip, cut=cut, header=has_header)
    # A line that looks like a comment may be a row. The last one may be the header.
    rows = (line for line in lines[: max(0, skip - 1)] if line.startswith("#"))
    if any(len(line.split(sample.delimiter)) == len(sample.columns) for line in rows):
        return _sample(path, lines, 0, cut=cut)
    return sample


def _sample(
    path: Path, lines: Sequence[str], skip: int, *, cut: bool, header: bool | None = None
) -> Sample:
    text = "\n".join(lines[skip:])
    declared = next(
        (match[1] for line in lines[:skip] if (match := _SEPARATOR.fullmatch(line))), None
    )
    tables = [(*_parsed(text, each, cut=cut), each) for each in (declared or DELIMITERS)]
    rows, quoted, delimiter = max(
        tables, key=lambda table: _fitness(table[0], table[1], table[2], path)
    )
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if width < 2:
        raise UsageError(
            f"{path} has only one column, or its delimiter is not a single character.",
            hint="Expected lines such as: head,relation,tail (or TAB, semicolon, | between).",
        )
    whole = [row for row in rows if len(row) == width]
    if len(whole) == 1 and sum(map(is_name, map(str.casefold, whole[0]))) > 1:
        raise UsageError(
            f"{path} has a header line and no rows: {brief(delimiter.join(whole[0]), 200)}",
            hint="Name a file with some rows.",
        )
    has_header, sure = _header(whole) if rows[0] is whole[0] else (False, True)
    if header is not None:
        has_header, sure = header, True
    body = whole[1:] if has_header else whole
    cells = whole[0] if has_header else _header_above(lines[:skip], delimiter, width)
    if not cells and len(rows[0]) == width - 1 and len(whole) == len(rows) - 1:
        # R writes no name for its column of row names.
        cells, skip = ["", *rows[0]], skip + 1
    names = _different(cells or [""] * width)
    columns = tuple(
        Column(name, tuple(row[i] for row in body if row[i]), commas=delimiter != ",")
        for i, name in enumerate(names)
    )
    return Sample(
        "table",
        len(body),
        delimiter,
        skip,
        header=tuple(cells),
        above=bool(cells) and not has_header,
        sure=sure,
        quoted=quoted,
        marks='"' in text and not quoted,
        columns=columns,
    )


def lines_of(text: str) -> list[str]:
    """The lines of a text, split only at the line ends that the readers know."""
    return _LINE_END.split(text)


def is_name(cell: str) -> bool:
    """Whether a lower-case text is more likely a column name than a value."""
    return cell.lstrip(":~") in KNOWN_NAMES or cell.endswith(_ENDS)


def _preamble(lines: Sequence[str]) -> int:
    """The number of lines before the table: comments, or the delimiter for Excel."""
    rows = (i for i, line in enumerate(lines) if line.strip() and not line.startswith("#"))
    first = next(rows, None)
    if first is None:
        return 0
    return next(rows, first) if _SEPARATOR.fullmatch(lines[first]) else first


def _different(names: Sequence[str]) -> list[str]:
    """The names; a third column with a missing or repeated name becomes ``column3``."""
    taken = {name.casefold() for name in names}
    seen: set[str] = set()
    different = []
    for position, original in enumerate(names, start=1):
        name = original
        if not name.strip() or name.casefold() in seen:
            name = f"column{position}"
            while name in taken:
                name += "_"
        taken.add(name)
        seen.add(name.casefold())
        different.append(name)
    return different


def _header_above(comments: Sequence[str], delimiter: str, width: int) -> list[str]:
    """The words of the last comment, if their number is that of the columns."""
    if not comments or delimiter == " ":
        return []
    names = next(csv.reader([comments[-1].lstrip("# ")], delimiter=delimiter), [])
    return names if len(names) == width else []


def _parsed(text: str, delimiter: str, *, cut: bool) -> tuple[list[list[str]], bool]:
    """The rows, and whether all quotation marks enclose fields."""
    between = re.escape(delimiter)
    ends = rf"\r?$|{between}"
    fields = re.compile(rf'(?:^|(?<={between}))"(?:[^"]|"")*"(?={ends})', re.MULTILINE)
    if '"' in text:
        left = fields.sub("", text)
        if cut:
            left = re.sub(rf'(?:^|(?<={between})|(?<=\n))"(?:[^"]|"")*\Z', "", left)
        if '"' not in left:
            csv.field_size_limit(max(csv.field_size_limit(), len(text)))
            parsed = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
            records = [row for row in parsed if row]
            return records[: min(ROWS, len(records) - cut)], True
    return [line.split(delimiter) for line in lines_of(text) if line][:ROWS], False


def _fitness(
    rows: Sequence[Sequence[str]], quoted: bool, delimiter: str, path: Path
) -> tuple[float, ...]:
    """A rank of how well the delimiter splits the rows into a table; the largest is best."""
    if not rows:
        return (0,)
    width, count = Counter(map(len, rows)).most_common(1)[0]
    whole = count / len(rows)
    if width < 2 or (delimiter == " " and (whole < 1 or width > 4)):
        return (0,)
    name = path.name.casefold().removesuffix(".gz").removesuffix(".bz2")
    expected = {".tsv": "\t", ".csv": ","}.get(Path(name).suffix)
    order = DELIMITERS.index(delimiter) if delimiter in DELIMITERS else 0
    first = len(rows[0]) == width
    # Whatever the file's name: no text contains tabs so regularly.
    return (first, quoted, round(whole, 2), delimiter in ("\t", expected), -order)


def _are_years(names: Sequence[str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether all numbers among the names are consecutive years above numeric columns."""
    positions = [i for i, name in enumerate(names) if is_number(name)]
    years = [int(names[i]) for i in positions if _YEAR.fullmatch(names[i])]
    steps = {after - before for before, after in itertools.pairwise(years)}
    return (
        len(years) == len(positions) < len(names)
        and len(steps) == 1
        and min(steps) > 0
        and not any(_YEAR.fullmatch(value) for i in positions for value in columns[i])
        and all(numeric_share(columns[i]) >= MOSTLY for i in positions if columns[i])
    )


def _header(rows: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Whether the first row is a header, and whether that is certain."""
    first, body = rows[0], rows[1:]
    folded = [cell.strip().casefold() for cell in first]
    columns = [[row[i] for row in body if row[i]] for i in range(len(first))]
    if any(map(_DATUM.match, folded)):
        return False, True
    if not body or any(map(is_number, folded)):
        years = bool(body) and _are_years(folded, columns)
        return years, not years
    # pandas writes no name for row numbers; but data rows have empty and equal cells too.
    numbered = not folded[0] and counts(columns[0])
    named = folded[numbered:]
    odd = not all(named) or len(set(named)) < len(named)
    known = [
        (is_name(cell) or bool(_CAMEL.fullmatch(name.strip()))) and name not in column
        for cell, name, column in zip(folded, first, columns, strict=True)
    ]
    values = [numeric_share(column) for name, column in zip(folded, columns, strict=True) if name]
    if numbered or sum(known) > 1 or max(values, default=0) >= MOSTLY:
        return True, not odd
    if not any(known) and any(n in column for n, column in zip(first, columns, strict=True)):
        return False, True
    lower = all(cell == cell.lower() for cell in first)
    cased = sum(row[0] != row[0].lower() for row in body) >= MOSTLY * len(body)
    return any(known) or (not odd and ((lower and cased) or len(first) > 3)), False
