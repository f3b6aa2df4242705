"""A check of the first bytes of a file, which often show an unexpected format."""

from __future__ import annotations

import json
import re
from pathlib import Path

from kgdb.errors import LoadError
from kgdb.loading.reading.source import Source
from kgdb.wording import short

_CHECK = "Check the path and the format of the source."
_UNPACK = "Unpack it first, then name the unpacked file."


def _other_loader(name: str) -> str:
    return f'Load it by kgdb load {name}; in a loader file, format = "{name}".'


_BINARY_FORMATS = {
    b"PK\x03\x04": ("a ZIP archive", _UNPACK),
    b"PK\x05\x06": ("a ZIP archive", _UNPACK),
    b"\xfd7zXZ\x00": ("compressed by xz", _UNPACK),
    b"7z\xbc\xaf\x27\x1c": ("a 7-Zip archive", _UNPACK),
    b"Rar!": ("a RAR archive", _UNPACK),
    b"\x1f\x8b": ("compressed twice", _UNPACK),
    b"\x1f\x9d": ("compressed by compress", _UNPACK),
    # DuckDB can unpack it, but does not detect a truncated file.
    b"\x28\xb5\x2f\xfd": ("compressed by zstd", "Unpack it first: zstd -d"),
    b"\x04\x22\x4d\x18": ("compressed by lz4", _UNPACK),
    b"PAR1": ("a Parquet file", _other_loader("parquet")),
    b"%PDF": ("a PDF document", _CHECK),
    b"SQLite format 3\x00": ("an SQLite database", _CHECK),
    b"\x89PNG": ("a picture", _CHECK),
    b"\x7fELF": ("a program", _CHECK),
    b"{\\rtf": ("an RTF document", _CHECK),
}
"""First bytes of binary formats, with the name of the format and a hint."""

_WIDE = (b"\xff\xfe", b"\xfe\xff")
_HTML = re.compile(rb"(?:<!doctype\s+html|<html|<head)(?=[\s>])", re.IGNORECASE)
_RDF_XML = re.compile(rb"(?:<\?xml|<rdf:RDF)(?=[\s>])")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f"))


def check_content(name: Path, head: bytes, compression: str, source: Source) -> None:
    """Raise :class:`LoadError` if the first unpacked bytes do not fit the source's format."""
    if source.format == "parquet":
        if compression:
            raise _other(name, f"compressed by {compression}", "Unpack it first.", source)
        if not head.startswith(b"PAR1"):
            raise _other(name, _in_words(head), _CHECK, source)
        return
    if not head:
        raise LoadError(f"{name} is empty.", hint=f"Expected {source.expected}.")
    binary = _binary(head)
    if binary:
        raise _other(name, *binary, source)
    text = _text(head.removeprefix(b"\xef\xbb\xbf").lstrip(), source.format)
    if text:
        raise _other(name, *text, source)


def _binary(head: bytes) -> tuple[str, str] | None:
    """The format of bytes that are not UTF-8 text, and a hint."""
    for magic, description in _BINARY_FORMATS.items():
        if head.startswith(magic):
            return description
    if head[257:262] == b"ustar":
        return "a tar archive", "Unpack it first: tar -xf"
    if head.startswith(_WIDE) or _alternating(head):
        return "encoded as UTF-16", "Convert it first: iconv -f UTF-16 -t UTF-8"
    if 10 * (len(head) - len(head.translate(None, _CONTROL))) > len(head):
        return "binary", _CHECK
    return None


def _text(head: bytes, expected: str) -> tuple[str, str] | None:
    """The format of a text that cannot be of the expected format, and a hint."""
    if _HTML.match(head):
        return "a web page (HTML)", "The server may have sent an error page instead of the file."
    if expected in {"ntriples", "turtle"} and _RDF_XML.match(head):
        return "XML (perhaps RDF/XML)", "Convert it to N-Triples or Turtle first."
    if expected == "jsonl" and head.startswith(b"["):
        return "one JSON array", "Convert it to lines first: jq -c '.[]'"
    if expected != "jsonl" and _is_object(head.partition(b"\n")[0]):
        return "JSON lines", _other_loader("jsonl")
    return None


def _is_object(line: bytes) -> bool:
    try:
        return line.startswith(b"{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _alternating(head: bytes) -> bool:
    """Whether nearly every second byte is zero: UTF-16 in a Latin script, without a BOM."""
    half = len(head) // 2
    return half > 4 and max(head[::2].count(0), head[1::2].count(0)) > 0.8 * half


def _in_words(head: bytes) -> str:
    if not head:
        return "empty"
    other = _binary(head) or _text(head.lstrip(), "parquet")
    return other[0] if other else "a text"


def _other(name: Path, content: str, hint: str, source: Source) -> LoadError:
    return LoadError(
        f"{name} is {content}; the table {short(source.table)} expects {source.expected}.",
        hint=hint,
    )
