"""Samples the beginning of an unknown source: its format, and the values of its columns."""

from __future__ import annotations

import glob
import io
import json
import re
import shlex
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from kgdb.errors import LoadError, UsageError
from kgdb.loading.drafting.sample import Column, Sample
from kgdb.loading.drafting.table_sampling import ROWS, lines_of, sample_table
from kgdb.loading.loaders.source_files import require_name
from kgdb.loading.reading.archives import require_one_file, unpacked_archive
from kgdb.loading.reading.json_values import JsonStream, is_object, json_value
from kgdb.loading.reading.recognition import Recognized, recognize, recognize_name
from kgdb.loading.reading.unpacking import compression_of, open_packed
from kgdb.wording import short

BYTES = 1 << 20
"""Unpacked bytes of a sample."""

_RESOURCE = r"(?:<[^<>\s]+>|_:\S+)"
_LITERAL = r'"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^<>\s]+>)?'
_STATEMENT = re.compile(
    rf"{_RESOURCE}\s*<[^<>\s]+>\s*(?:<[^<>]*>|_:\S+|{_LITERAL})(?:\s*{_RESOURCE})?\s*\.\s*(#.*)?"
)
_PREDICATE = re.compile(r"^\S+\s*<([^>]+)>")
_LANGUAGE = re.compile(r"\"@([A-Za-z]+(?:-[A-Za-z0-9]+)*)")
_IRI = r"<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>"
_TURTLE = re.compile(rf"\s*(?:(?:{_IRI}|_:\S+|\[.*\])\s+(?:a|{_IRI})(?:\s|$)|{_IRI}\s*$)")
_WIKIDATA = "<http://www.wikidata.org/prop/"
_JSON = re.compile(r"\s*\{\s*(?:\"|$)")
_JSON_ARRAY = re.compile(r"\s*\[\s*(?:[{\[\"0-9-]|$)")
_HALF = 0.5
_OPENKE = ("entity2id.txt", "relation2id.txt", "train2id.txt")
_MAGIC = 16
_MOST_KEYS = 100
"""Keys of the objects inside; with more of them the keys are data."""
_FOLDER_FILES = 50


def beginning_lines(path: Path) -> list[str]:
    """The lines of the sample of a file that have text."""
    return [line for line in lines_of(_text(path, _beginning(path))) if line.strip()]


def take_sample(path: Path, header: Path | None = None) -> Sample:
    """A sample of the file; raises :class:`UsageError` for a file that no loader can read.

    ``header``: the file with the header of this one, if it stands elsewhere.
    """
    if header is not None:
        data = _beginning(path)
        text = f"{beginning_lines(header)[0]}\n{_text(path, data)}"
        sample = sample_table(path, text, cut=len(data) == BYTES, has_header=True)
        return replace(sample, header_file=header.name)
    require_name(path)
    if not path.exists():
        raise UsageError(f"The file {path} does not exist.")
    if path.name.endswith("2id.txt"):
        _refuse_openke(path.parent)
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint="Name one of the files in it.")
    if not path.is_file():
        raise UsageError(
            f"{path} is a pipe or a device.", hint="Write its content to a file first."
        )
    with unpacked_archive(path) as unpacked:
        require_one_file(path, unpacked)
        return _sample(path, unpacked or path)


def _sample(path: Path, content: Path) -> Sample:
    """A sample of the file ``content``, which messages call ``path``."""
    data = _beginning(content)
    if data.startswith(b"PAR1"):
        return _parquet(path, content)
    found = recognize(data)
    if found and found.loader != "turtle":  # for which a loader file is drafted nevertheless
        _refuse_recognized(path, found)
    text = _text(path, data)
    lines = [line for line in lines_of(text) if line.strip()]
    if not lines:
        raise UsageError(f"{path} is empty.", hint="Name a file that has content.")
    if is_object(lines[0]) or _JSON.match(lines[0]) or _JSON_ARRAY.match(lines[0]):
        return _jsonl(path, _objects(path, data, lines))
    statements = [line for line in lines if not line.startswith("#")] or lines
    if found:
        _refuse_wikidata(path, text, "--set", "syntax=turtle")
        return Sample("turtle", len(lines))
    if sum(bool(_STATEMENT.fullmatch(line.strip())) for line in statements) >= _HALF * len(
        statements
    ):
        _refuse_wikidata(path, text)
        return _rdf("ntriples", statements)
    if _TURTLE.match(statements[0]):
        return Sample("turtle", len(lines))
    return sample_table(path, text, cut=len(data) == BYTES)


def refuse_known_folder(folder: Path) -> None:
    """Raise :class:`UsageError` for a folder that a loader of its own reads, such as UMLS."""
    _refuse_openke(folder)
    for path in sorted(folder.iterdir())[:_FOLDER_FILES]:
        if path.is_file() and (found := _recognized(path)) and found.of_folder:
            _refuse_recognized(path, found)


def _refuse_openke(folder: Path) -> None:
    if all((folder / name).is_file() for name in _OPENKE):
        name = graph_name(folder.absolute())
        command = shlex.join(["kgdb", "load", "openke", str(folder), "--as", name])
        raise UsageError(
            f"{folder.absolute()} is a folder in OpenKE's format, which has a loader of its own.",
            hint=f"{command} --dry-run",
        )


def _recognized(path: Path) -> Recognized | None:
    try:
        return recognize(_beginning(path))
    except UsageError:  # a file that no loader reads says nothing of the others
        return None


def graph_name(path: Path) -> str:
    """A name for the graph in the file: the name of the file, in the letters of such names."""
    stem = path.name.partition(".")[0].lower()
    return re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")[:40] or "mine"


def _refuse_recognized(path: Path, found: Recognized) -> None:
    """Raise :class:`UsageError` for a file that needs no loader file, or that no loader reads."""
    if found.loader is None:
        raise UsageError(
            f"{path} is {found.content}, which no loader reads.", hint=found.hint_for(path)
        )
    source, name = path, graph_name(path)
    if found.of_folder:
        source, name = path.parent, found.loader.partition("-")[0]
    command = shlex.join(["kgdb", "load", found.loader, str(source), "--as", name])
    raise UsageError(
        f"{path} is {found.content}, which has a loader of its own.",
        hint=f"{command} --dry-run",
    )


def _refuse_wikidata(path: Path, text: str, *options: str) -> None:
    """Raise :class:`UsageError` for RDF with Wikidata's properties."""
    if _WIKIDATA in text:
        command = ["kgdb", "load", "wikidata", str(path), "--as", graph_name(path), *options]
        raise UsageError(
            f"{path} is Wikidata in RDF, which has a loader of its own.",
            hint=f"{shlex.join(command)} --dry-run",
        )


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        compression = compression_of(file.read(_MAGIC))
    if found := recognize_name(path, compression):
        _refuse_recognized(path, found)
    try:
        with open_packed(path, compression) as file:
            return file.read(BYTES)
    except (OSError, EOFError, zlib.error) as error:
        raise UsageError(
            f"{path} cannot be unpacked: {error}",
            hint="The file may be damaged or truncated: download or copy it again.",
        ) from error


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


def _objects(path: Path, data: bytes, lines: Sequence[str]) -> list[dict[str, Any]]:
    """The objects of a JSON text: one in each line, or those of an array or of a document."""
    if is_object(lines[0]):
        return [json_value(line) for line in lines if is_object(line)]
    return _document(path, data)


def _document(path: Path, data: bytes) -> list[dict[str, Any]]:
    """The objects of an array, or of a text of objects that take several lines each."""
    rows: list[dict[str, Any]] = []
    try:
        values = JsonStream(path, io.BytesIO(data)).values()
        rows.extend(value for value in values if isinstance(value, dict))
    except LoadError as error:
        if len(data) < BYTES or not rows:  # else the sample ends within a value
            raise UsageError(error.message, hint=error.hint) from error
    if not rows:
        raise UsageError(
            f"{path} is a JSON array without objects.",
            hint="Expected objects, whose keys become the columns of a table.",
        )
    return rows


def _jsonl(path: Path, rows: Sequence[Mapping[str, Any]]) -> Sample:
    if len(rows) == 1:
        _refuse_envelope(path, rows[0])
    return Sample("jsonl", len(rows), columns=_columns(rows, keys_inside=True))


def _refuse_envelope(path: Path, document: Mapping[str, Any]) -> None:
    """Raise :class:`UsageError` for one object around a list of records, as web services send."""
    for key, value in document.items():
        if isinstance(value, list) and sum(isinstance(item, dict) for item in value) > 1:
            path_in_jq = key if key.isidentifier() else f"[{json.dumps(key, ensure_ascii=False)}]"
            records = shlex.quote(f".{path_in_jq}[]")
            target = f"{graph_name(path)}-records.jsonl"
            raise UsageError(
                f"{path} is one object, whose list {short(key)} has the records.",
                hint=f"Write these to a file: jq -c {records} {shlex.quote(str(path))} > {target}. "
                f"Then: kgdb load --init {target}",
            )


def _parquet(path: Path, content: Path) -> Sample:
    try:
        with duckdb.connect() as connection:
            only = glob.escape(str(content))
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


def _columns(rows: Sequence[Mapping[str, Any]], *, keys_inside: bool = False) -> tuple[Column, ...]:
    """One column per key, with its values in all rows.

    ``keys_inside``: a key whose values are objects gives a column for each key of these
    (``address.city``), which the format can name.
    """
    values: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            values.setdefault(key, []).append(value)
    columns: list[Column] = []
    for key, all_values in values.items():
        present = [value for value in all_values if value not in (None, "", [])]
        if keys_inside and present and all(isinstance(value, dict) for value in present):
            inner = _columns(present, keys_inside=True)
            if len(inner) <= _MOST_KEYS and "." not in key:
                columns += (replace(one, name=f"{key}.{one.name}") for one in inner)
                continue
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
