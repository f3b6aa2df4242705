"""A look at the beginning of an unknown source: its format, and what is in its columns."""

from __future__ import annotations

import bz2
import csv
import glob
import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

import duckdb

from kgdb.errors import UsageError

BYTES = 1 << 20
"""Unpacked bytes that are looked at."""

ROWS = 10_000
"""Rows of a table that are looked at."""

_LINE_END = re.compile(r"\r\n|\r|\n")
DELIMITERS = ("\t", ",", ";", "|", " ")
KNOWN_NAMES = frozenset(
    "id name title label type key source target from to head relation tail subject predicate "
    "object property value start end src dst rel weight description date url h r t s p o".split()
)
"""Words that are rather the name of a column than something in it."""

_ENDS = ("_id", "_name", "_type", "_label")
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d+)*|\.\d+)([eE][+-]?\d+)?")
_NUMBERS = {
    "integer": r"[+-]?\d+",
    "decimal": r"[+-]?(\d+(\.\d*)?|\.\d+)",
    "double": r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?",
}
_DATE = re.compile(r"-?\d{4,}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
_STATEMENT = re.compile(
    r"(?:<[^<>\s]+>|_:\S+)\s*<[^<>\s]+>\s*(?:<[^<>]*>|_:\S+|\".*)\s*\.\s*(#.*)?"
)
_PREDICATE = re.compile(r"^\S+\s*<([^>]+)>")
_LANGUAGE = re.compile(r"\"@([A-Za-z]+(?:-[A-Za-z0-9]+)*)")
_PREFIX = re.compile(
    r"^\s*@?(?:prefix\s+[^\s:<>]*:|base)\s*<[^<>\s]*>", re.IGNORECASE | re.MULTILINE
)
_SPLIT = re.compile(r"\S\s*[;|]\s*\S")
_TRUTHS = {"true", "false", "True", "False", "TRUE", "FALSE"}
_XSD = "http://www.w3.org/2001/XMLSchema#"
_MOSTLY = 0.8
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Column:
    """A column: some of its values as texts, empty ones left out; a list gives all its items.

    ``kind`` is ``"text"``, ``"list"`` or ``"nested"`` (an object, which no cell of a graph is).
    """

    name: str
    values: tuple[str, ...]
    kind: str = "text"

    @property
    def is_numeric(self) -> bool:
        """Whether nearly all of its values are numbers."""
        return _share(self.values, _NUMBER) >= _MOSTLY

    @property
    def is_date(self) -> bool:
        """Whether nearly all of its values are dates."""
        return _share(self.values, _DATE) >= _MOSTLY

    @property
    def datatype(self) -> str | None:
        """That of a column of values; none for one of entities or of long texts."""
        if not self.values:
            return None
        if self.is_numeric:
            kinds = (kind for kind, form in _NUMBERS.items() if self._all(form))
            kind = next(kinds, None)  # 1.234,5 is a number, but none that XML Schema knows
            return _XSD + kind if kind else None
        if self.is_date:
            plain = all(len(value.lstrip("-")) == len("2000-01-01") for value in self.values)
            return _XSD + ("date" if plain else "dateTime")
        return _XSD + "boolean" if set(self.values) <= _TRUTHS else None

    def _all(self, form: str) -> bool:
        return all(re.fullmatch(form, value) for value in self.values)

    @property
    def split(self) -> float:
        """The share of its values that seem to be several, with ; or | between."""
        return sum(bool(_SPLIT.search(value)) for value in self.values) / max(1, len(self.values))

    @property
    def variety(self) -> float:
        """Different values for each value."""
        return len(set(self.values)) / max(1, len(self.values))


@dataclass(frozen=True, slots=True)
class Sample:
    """What the beginning of a source looks like.

    ``format`` is one that a loader file can name. ``header`` is the first row where it names the
    columns, as it stands there: columns without a name, or with that of another, got one.
    ``sure`` tells whether there is a header or none beyond doubt, ``quoted`` whether fields stand
    in quotation marks, and ``marks`` whether these are characters as others are. Of RDF,
    ``predicates`` counts what is stated, and ``languages`` the languages.
    """

    format: str
    rows: int
    delimiter: str = "\t"
    header: tuple[str, ...] = ()
    sure: bool = True
    quoted: bool = False
    marks: bool = False
    columns: tuple[Column, ...] = ()
    predicates: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_csv(self) -> bool:
        """Whether the reader for CSV takes the fields as they are meant, and the header line."""
        names = tuple(column.name for column in self.columns)
        return self.header == names and not self.marks

    @property
    def numbering(self) -> str | None:
        """The column that numbers the rows, and has no name for it in the header, if any."""
        return next(
            (
                column.name
                for column, cell in zip(self.columns, self.header, strict=False)
                if not cell.strip() and column.is_numeric
            ),
            None,
        )


def look(path: Path) -> Sample:
    """Look at the file; raises :class:`UsageError` for what no loader can read."""
    if not path.exists():
        raise UsageError(f"The file {path} does not exist.")
    if not path.is_file():
        raise UsageError(f"{path} is not a file.", hint="Name one of the files that it holds.")
    data = _beginning(path)
    if data.startswith(b"PAR1"):
        return _parquet(path)
    text = _text(path, data)
    lines = [line for line in _lines(text) if line.strip()]
    if not lines:
        raise UsageError(f"{path} is empty.", hint="Name a file with something in it.")
    if lines[0].lstrip().startswith("{") and not _is_object(lines[0]):
        raise _unreadable(path, "one JSON document over several lines", "jq -c '.[]'")
    if _is_object(lines[0]):
        return _jsonl(lines)
    if lines[0].lstrip().startswith("["):
        raise _unreadable(path, "a JSON array", "jq -c '.[]'")
    stated = [line for line in lines if not line.startswith("#")] or lines
    if sum(bool(_STATEMENT.fullmatch(line.strip())) for line in stated) >= _HALF * len(stated):
        return _rdf("ntriples", stated)
    if _PREFIX.search(text):
        return Sample("turtle", len(lines))
    if re.match(r"\s*<(\?xml|!doctype|html|rdf)", text, re.IGNORECASE):
        raise _unreadable(path, "XML or HTML", "riot --output=ntriples (for RDF/XML)")
    return _table(path, text)


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        magic = file.read(3)
    try:
        with _opened(path, magic) as file:
            return file.read(BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(
            f"{path} cannot be unpacked: {error}",
            hint="The file may be damaged, or only a part of it: download or copy it again.",
        ) from error


def _opened(path: Path, magic: bytes) -> BinaryIO:
    if magic.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.open(path))
    if magic.startswith(b"BZh"):
        return cast(BinaryIO, bz2.open(path))
    return path.open("rb")


def _text(path: Path, data: bytes) -> str:
    """The whole lines of the beginning."""
    if len(data) == BYTES and b"\n" in data:
        data = data[: data.rindex(b"\n") + 1]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UsageError(
            f"{path} is UTF-16.",
            hint=f"Convert it: iconv -f UTF-16 -t UTF-8 {path.name} > converted",
        )
    if b"\0" in data:
        raise UsageError(
            f"{path} is not text: it has NUL bytes in it.",
            hint="Expected UTF-8 text (CSV, TSV, JSON lines, N-Triples, Turtle) or Parquet.",
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end >= len(data) - 4 and len(data) == BYTES:
            return data[: error.start].decode("utf-8-sig")
        raise UsageError(
            f"{path} is not UTF-8: byte {error.start + 1:,} is {data[error.start]:#04x}.",
            hint=f"Convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 {path.name} > converted",
        ) from error


def _unreadable(path: Path, found: str, how: str) -> UsageError:
    return UsageError(
        f"{path} is {found}, which no loader reads.",
        hint=f"Make JSON lines, N-Triples or a table of it, for example by {how}.",
    )


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _jsonl(lines: Sequence[str]) -> Sample:
    rows = [json.loads(line) for line in lines if _is_object(line)]
    return Sample("jsonl", len(rows), columns=_columns(rows))


def _parquet(path: Path) -> Sample:
    try:
        with duckdb.connect() as connection:
            only = glob.escape(str(path))
            found = connection.read_parquet(only, hive_partitioning=False).limit(ROWS)
            names = found.columns
            rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    except duckdb.Error as error:
        raise UsageError(
            f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}",
            hint="The file may be damaged, or only a part of it: download or copy it again.",
        ) from error
    # Without a row there are names all the same.
    return Sample("parquet", len(rows), columns=_columns(rows or [dict.fromkeys(names)]))


def _columns(rows: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The keys of all rows with their values."""
    values: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            values.setdefault(key, []).append(value)
    columns = []
    for key, some in values.items():
        there = [value for value in some if value not in (None, "", [])]
        if any(isinstance(value, dict) or _has_nested(value) for value in there):
            columns.append(Column(key, (), "nested"))
        elif there and all(isinstance(value, list) for value in there):
            items = tuple(_plain(item) for value in there for item in value if item is not None)
            columns.append(Column(key, items, "list"))
        elif any(isinstance(value, list) for value in there):
            columns.append(Column(key, (), "nested"))
        else:
            columns.append(Column(key, tuple(map(_plain, there))))
    return tuple(columns)


def _has_nested(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, (list, dict)) for item in value)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rdf(kind: str, lines: Sequence[str]) -> Sample:
    predicates = Counter(found[1] for line in lines if (found := _PREDICATE.match(line)))
    languages = Counter(found[1] for line in lines if (found := _LANGUAGE.search(line)))
    return Sample(kind, len(lines), predicates=predicates, languages=languages)


def _table(path: Path, text: str) -> Sample:
    found = [(_parsed(text, delimiter), delimiter) for delimiter in DELIMITERS]
    (rows, quoted), delimiter = max(found, key=lambda each: _fitness(each[0][0], each[1], path))
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if width < 2:
        raise UsageError(
            f"{path} has one column, or fields that no single character separates.",
            hint="Expected lines such as: head,relation,tail (or TAB, semicolon, | between).",
        )
    whole = [row for row in rows if len(row) == width]
    if len(whole) == 1 and sum(map(_is_name, map(str.casefold, whole[0]))) > 1:
        raise UsageError(
            f"{path} has a header line, and nothing below it: {delimiter.join(whole[0])[:200]}",
            hint="Name a file with some rows in it.",
        )
    header, sure = _header(whole) if rows[0] is whole[0] else (False, True)
    body = whole[1:] if header else whole
    names = _different(whole[0] if header else [""] * width)
    columns = tuple(
        Column(name, tuple(row[i] for row in body if row[i])) for i, name in enumerate(names)
    )
    first = tuple(whole[0]) if header else ()
    marks = '"' in text and not quoted
    return Sample("table", len(body), delimiter, first, sure, quoted, marks, columns)


def _different(names: Sequence[str]) -> list[str]:
    """The names, but ``column3`` for the third that has none, or that of a column before it."""
    taken = {name.casefold() for name in names}
    seen: set[str] = set()
    different = []
    for position, given in enumerate(names, start=1):
        name = given
        if not name.strip() or name.casefold() in seen:
            name = f"column{position}"
            while name in taken:
                name += "_"
        taken.add(name)
        seen.add(name.casefold())
        different.append(name)
    return different


def _lines(text: str) -> list[str]:
    """Its lines as the readers see them, for whom other separators are parts of a text."""
    return _LINE_END.split(text)


def _parsed(text: str, delimiter: str) -> tuple[list[list[str]], bool]:
    """The rows, and whether all quotation marks in them stand around fields."""
    between = re.escape(delimiter)
    fields = re.compile(rf'(?:^|(?<={between}))"(?:[^"]|"")*"(?=\r?$|{between})', re.MULTILINE)
    if '"' in text and '"' not in fields.sub("", text):
        csv.field_size_limit(max(csv.field_size_limit(), BYTES))
        parsed = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        return [row for row in parsed if row][:ROWS], True
    return [line.split(delimiter) for line in _lines(text) if line][:ROWS], False


def _fitness(rows: Sequence[Sequence[str]], delimiter: str, path: Path) -> tuple[float, ...]:
    """How well a delimiter makes a table of the rows; the greatest fits best."""
    width, count = Counter(map(len, rows)).most_common(1)[0]
    share = count / len(rows)
    if width < 2 or (delimiter == " " and (share < 1 or width > 4)):
        return (0,)
    expected = {".tsv": "\t", ".csv": ","}.get(Path(path.name.removesuffix(".gz")).suffix)
    return (round(share, 2), delimiter == expected, -DELIMITERS.index(delimiter))


def _header(rows: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """Whether the first row names the columns, and whether that is sure."""
    first, body = rows[0], rows[1:]
    folded = [cell.strip().casefold() for cell in first]
    if not body or any(_NUMBER.fullmatch(cell) or _DATE.fullmatch(cell) for cell in folded):
        return False, True
    # Row numbers have no name in what pandas writes; but data have empty and equal cells too.
    odd = not all(folded) or len(set(folded)) < len(folded)
    columns = [[row[i] for row in body if row[i]] for i in range(len(first))]
    known = [
        _is_name(cell) and name not in column
        for cell, name, column in zip(folded, first, columns, strict=True)
    ]
    values = [
        max(_share(column, _NUMBER), _share(column, _DATE))
        for name, column in zip(folded, columns, strict=True)
        if name
    ]
    if sum(known) > 1 or max(values, default=0) >= _MOSTLY:
        return True, not odd
    if not any(known) and any(n in column for n, column in zip(first, columns, strict=True)):
        return False, True
    lower = all(cell == cell.lower() for cell in first)
    cased = sum(row[0] != row[0].lower() for row in body) >= _MOSTLY * len(body)
    return any(known) or (not odd and ((lower and cased) or len(first) > 3)), False


def _is_name(cell: str) -> bool:
    return cell.lstrip(":~") in KNOWN_NAMES or cell.endswith(_ENDS)


def _share(values: Sequence[str], pattern: re.Pattern[str]) -> float:
    return sum(bool(pattern.fullmatch(value)) for value in values) / max(1, len(values))
