"""Samples the beginning of an unknown source: its format, and the values of its columns."""

from __future__ import annotations

import bz2
import glob
import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import duckdb

from kgdb.errors import UsageError
from kgdb.loading.drafting.sample import Column, Sample
from kgdb.loading.drafting.table_sampling import ROWS, lines_of, sample_table
from kgdb.loading.loaders.source_files import require_name

BYTES = 1 << 20
"""Unpacked bytes of a sample."""

_RESOURCE = r"(?:<[^<>\s]+>|_:\S+)"
_LITERAL = r'"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^<>\s]+>)?'
_STATEMENT = re.compile(
    rf"{_RESOURCE}\s*<[^<>\s]+>\s*(?:<[^<>]*>|_:\S+|{_LITERAL})(?:\s*{_RESOURCE})?\s*\.\s*(#.*)?"
)
_PREDICATE = re.compile(r"^\S+\s*<([^>]+)>")
_LANGUAGE = re.compile(r"\"@([A-Za-z]+(?:-[A-Za-z0-9]+)*)")
_PREFIX = re.compile(
    r"^\s*@?(?:prefix\s+[^\s:<>]*:|base)\s*<[^<>\s]*>", re.IGNORECASE | re.MULTILINE
)
_IRI = r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>"
_TURTLE = re.compile(rf"\s*(?:(?:{_IRI}|_:\S+|\[.*\])\s+(?:a|{_IRI})(?:\s|$)|{_IRI}\s*$)")
_JSON = re.compile(r"\s*\{\s*(?:\"|$)")
_JSON_ARRAY = re.compile(r"\s*\[\s*(?:[{\[\"0-9-]|$)")
_HALF = 0.5


def take_sample(path: Path) -> Sample:
    """A sample of the file; raises :class:`UsageError` for a file that no loader can read."""
    require_name(path)
    if not path.exists():
        raise UsageError(f"The file {path} does not exist.")
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint="Name one of the files in it.")
    if not path.is_file():
        raise UsageError(
            f"{path} is a pipe or a device.", hint="Write its content to a file first."
        )
    data = _beginning(path)
    if data.startswith(b"PAR1"):
        return _parquet(path)
    text = _text(path, data)
    lines = [line for line in lines_of(text) if line.strip()]
    if not lines:
        raise UsageError(f"{path} is empty.", hint="Name a file that has content.")
    if _JSON.match(lines[0]) and not _is_object(lines[0]):
        raise _unreadable(path, "one JSON document over several lines", "jq -c .")
    if _is_object(lines[0]):
        return _jsonl(lines)
    if _JSON_ARRAY.match(lines[0]):
        raise _unreadable(path, "a JSON array", "jq -c '.[]'")
    statements = [line for line in lines if not line.startswith("#")] or lines
    if _PREFIX.search(text):
        return Sample("turtle", len(lines))
    if sum(bool(_STATEMENT.fullmatch(line.strip())) for line in statements) >= _HALF * len(
        statements
    ):
        return _rdf("ntriples", statements)
    if _TURTLE.match(statements[0]):
        return Sample("turtle", len(lines))
    if re.match(r"\s*<(\?xml|!doctype|html|rdf)", text, re.IGNORECASE):
        raise _unreadable(path, "XML or HTML", "riot --output=ntriples (for RDF/XML)")
    return sample_table(path, text, cut=len(data) == BYTES)


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        magic = file.read(3)
    try:
        with _opened(path, magic) as file:
            return file.read(BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(
            f"{path} cannot be unpacked: {error}",
            hint="The file may be damaged or truncated: download or copy it again.",
        ) from error


def _opened(path: Path, magic: bytes) -> BinaryIO:
    if magic.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, gzip.open(path))
    if magic.startswith(b"BZh"):
        return cast(BinaryIO, bz2.open(path))
    return path.open("rb")


def _text(path: Path, data: bytes) -> str:
    """The complete lines of the sample."""
    if len(data) == BYTES:
        if not (b"\n" in data or b"\r" in data):
            raise UsageError(
                f"The first line of {path} is longer than the sample of {BYTES:,} bytes.",
                hint="Write the loader file by hand: docs/reference/loaders.md",
            )
        data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UsageError(
            f"{path} is UTF-16.",
            hint=f"Convert it: iconv -f UTF-16 -t UTF-8 {path.name} > converted",
        )
    if b"\0" in data:
        raise UsageError(
            f"{path} is not a text: it contains NUL bytes.",
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


def _unreadable(path: Path, content: str, tool: str) -> UsageError:
    return UsageError(
        f"{path} is {content}, which no loader reads.",
        hint=f"Convert it to JSON lines, N-Triples or a table, for example by {tool}.",
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
            relation = connection.read_parquet(only, hive_partitioning=False).limit(ROWS)
            names = relation.columns
            rows = [dict(zip(names, row, strict=True)) for row in relation.fetchall()]
    except duckdb.Error as error:
        raise UsageError(
            f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}",
            hint="The file may be damaged or truncated: download or copy it again.",
        ) from error
    # A file without rows still has column names.
    return Sample("parquet", len(rows), columns=_columns(rows or [dict.fromkeys(names)]))


def _columns(rows: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """One column per key, with its values in all rows."""
    values: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            values.setdefault(key, []).append(value)
    columns = []
    for key, all_values in values.items():
        present = [value for value in all_values if value not in (None, "", [])]
        if any(isinstance(value, dict) or _has_nested(value) for value in present):
            columns.append(Column(key, (), "nested"))
        elif any(isinstance(value, list) for value in present):
            lists = (value if isinstance(value, list) else [value] for value in present)
            items = tuple(
                _plain(item) for items_of_row in lists for item in items_of_row if item is not None
            )
            columns.append(Column(key, items, "list"))
        else:
            columns.append(Column(key, tuple(map(_plain, present))))
    return tuple(columns)


def _has_nested(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, (list, dict)) for item in value)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rdf(kind: str, lines: Sequence[str]) -> Sample:
    predicates = Counter(match[1] for line in lines if (match := _PREDICATE.match(line)))
    languages = Counter(match[1] for line in lines if (match := _LANGUAGE.search(line)))
    return Sample(kind, len(lines), predicates=predicates, languages=languages)
