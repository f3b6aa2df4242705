"""What the first bytes of a file tell: often that it is something else than was expected."""

from __future__ import annotations

import re
from pathlib import Path

from kgdb.errors import LoadError
from kgdb.loading.reading.source import Source

_ARCHIVES = {
    b"PK\x03\x04": "a ZIP archive",
    b"PK\x05\x06": "a ZIP archive",
    b"\xfd7zXZ\x00": "compressed by xz",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"\x1f\x9d": "compressed by compress",
    b"\x04\x22\x4d\x18": "compressed by lz4",
}

_OTHERS = {
    b"%PDF": "a PDF document",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x89PNG": "a picture",
    b"\x7fELF": "a program",
    b"{\\rtf": "an RTF document",
}

_WIDE = (b"\xff\xfe", b"\xfe\xff")
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html|<head)\b", re.IGNORECASE)
_RDF_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml|<rdf:RDF)\b")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f"))


def check_content(name: Path, head: bytes, compression: str, source: Source) -> None:
    """Raise :class:`LoadError` when the first, unpacked bytes cannot be of the source's format."""
    if source.format == "parquet":
        if not head.startswith(b"PAR1") or compression:
            raise _other(name, _named(head, compression), source)
        return
    if compression == "zstd":
        return  # DuckDB unpacks it
    if not head:
        raise LoadError(f"{name} is empty.", hint=f"Expected {source.expected}.")
    for magic, found in _ARCHIVES.items():
        if head.startswith(magic):
            raise _other(name, found, source, hint="Unpack it first, and name what is in it.")
    if head[257:262] == b"ustar":
        raise _other(name, "a tar archive", source, hint="Unpack it first: tar -xf")
    if head.startswith(b"PAR1"):
        raise _other(name, "a Parquet file", source, hint='Read it with format = "parquet".')
    for magic, found in _OTHERS.items():
        if head.startswith(magic):
            raise _other(name, found, source)
    if _HTML.match(head):
        raise _other(
            name,
            "a web page (HTML)",
            source,
            hint="Its download may have been answered by an error page: open it, and try again.",
        )
    if source.format in {"ntriples", "turtle"} and _RDF_XML.match(head):
        raise _other(
            name,
            "XML (perhaps RDF/XML)",
            source,
            hint="Convert it first, for example: rapper -i rdfxml -o ntriples",
        )
    if source.format == "jsonl" and head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
        raise _other(
            name,
            "one JSON array",
            source,
            hint=f"Convert it first: jq -c '.[]' {name.name} > converted.jsonl",
        )
    if head.startswith(_WIDE) or _alternating(head):
        raise _other(
            name,
            "encoded as UTF-16",
            source,
            hint=f"Convert it first: iconv -f UTF-16 -t UTF-8 {name.name} > converted",
        )
    if 10 * (len(head) - len(head.translate(None, _CONTROL))) > len(head):
        raise _other(name, "binary", source)


def _alternating(head: bytes) -> bool:
    """Whether every second byte is nearly always zero: UTF-16 of a Latin script, without a mark."""
    half = len(head) // 2
    return half > 4 and max(head[::2].count(0), head[1::2].count(0)) > 0.8 * half


def _named(head: bytes, compression: str) -> str:
    if compression:
        return f"compressed by {compression}"
    if not head:
        return "empty"
    for magic, found in (_ARCHIVES | _OTHERS).items():
        if head.startswith(magic):
            return found
    if _HTML.match(head):
        return "a web page (HTML)"
    return "something else" if b"\x00" in head else "a text"


def _other(name: Path, found: str, source: Source, hint: str | None = None) -> LoadError:
    return LoadError(
        f"{name} is {found}; the table {source.table!r} expects {source.expected}.",
        hint=hint or "Check the path and the format of the source.",
    )
