"""A check of the first bytes of a file, which often show an unexpected format."""

from __future__ import annotations

from pathlib import Path

from kgdb.errors import LoadError
from kgdb.loading.reading.json_values import is_object
from kgdb.loading.reading.recognition import Recognized, recognize, recognize_name
from kgdb.loading.reading.source import FORMATS, Source
from kgdb.loading.reading.unpacking import compression_of
from kgdb.wording import short

_CHECK = "Check the path and the format of the source."
_UNPACK = "Unpack it first, then name the unpacked file."


def _other_loader(name: str) -> str:
    hint = f"Load it by kgdb load {name}"
    hint += f'; in a loader file, format = "{name}".' if name in FORMATS else "."
    if name == "turtle":
        hint += " The loaders dbpedia and wikidata read it with --set syntax=turtle."
    return hint


_BINARY_FORMATS = {
    b"PK\x03\x04": ("a ZIP archive", _UNPACK),
    b"PK\x05\x06": ("a ZIP archive", _UNPACK),
    b"PAR1": ("a Parquet file", _other_loader("parquet")),
    b"%PDF": ("a PDF document", _CHECK),
    b"SQLite format 3\x00": ("an SQLite database", _CHECK),
    b"\x89PNG": ("a picture", _CHECK),
    b"\x7fELF": ("a program", _CHECK),
    b"{\\rtf": ("an RTF document", _CHECK),
}
"""First bytes of binary formats, with the name of the format and a hint."""

_WIDE = (b"\xff\xfe", b"\xfe\xff")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f"))


def check_content(name: Path, head: bytes, compression: str, source: Source) -> None:
    """Raise :class:`LoadError` if the first unpacked bytes do not fit the source's format."""
    if source.format == "parquet":
        if compression:
            raise _other(name, f"compressed by {compression}", "Unpack it first.", source)
        if not head.startswith(b"PAR1"):
            raise _other(name, _in_words(head), _CHECK, source)
        return
    form = FORMATS[source.format]
    if not head:
        raise LoadError(f"{name} is empty.", hint=f"Expected {source.expected}.")
    found = recognize(head)
    if found and not found.loader:
        raise _other(name, found.content, found.hint_for(name), source)
    binary = _binary(head)
    if binary and not (form.is_xml and head.startswith(_WIDE)):  # XML names its encoding
        raise _other(name, *binary, source)
    if found and _differs(found, head, source):
        raise _other(name, found.content, _other_loader(str(found.loader)), source)
    first, _, rest = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    lines = source.format != "jsonl" and not found and is_object(first.decode(errors="replace"))
    if lines and (rest.strip() or not form.is_document):
        raise _other(name, "JSON lines", _other_loader("jsonl"), source)


def check_name(name: Path, compression: str, source: Source) -> None:
    """Raise :class:`LoadError` for a file whose name says that no loader reads it."""
    if found := recognize_name(name, compression):
        raise _other(name, found.content, found.hint_for(name), source)


def _differs(found: Recognized, head: bytes, source: Source) -> bool:
    """Whether a file that was recognized is not what the source's format reads."""
    if source.format == "apoc" and found.loader == "node-link":
        return b'"source"' in head
    if source.format == "jsonl":  # keys of a table may have any name
        return not all(f'"{column}"'.encode() in head for column in source.columns)
    if FORMATS[source.format].has_fields and not head.lstrip().startswith((b"{", b"[", b"<")):
        # A table may begin like anything, but a header has the columns.
        first = head.partition(b"\n")[0]
        if source.format == "csv" and source.header and source.columns:
            return not all(column.encode() in first for column in source.columns)
        return source.delimiter.encode() not in first
    return found.loader not in (source.format, *FORMATS[source.format].also)


def _binary(head: bytes) -> tuple[str, str] | None:
    """The format of bytes that are not UTF-8 text, and a hint."""
    for magic, description in _BINARY_FORMATS.items():
        if head.startswith(magic):
            return description
    if compression_of(head):
        return "compressed twice", _UNPACK
    if head[257:262] == b"ustar":
        return "a tar archive", "Unpack it first: tar -xf"
    if head.startswith(_WIDE) or _alternating(head):
        return "encoded as UTF-16", "Convert it first: iconv -f UTF-16 -t UTF-8"
    if 10 * (len(head) - len(head.translate(None, _CONTROL))) > len(head):
        return "binary", _CHECK
    return None


def _alternating(head: bytes) -> bool:
    """Whether nearly every second byte is zero: UTF-16 in a Latin script, without a BOM."""
    half = len(head) // 2
    return half > 4 and max(head[::2].count(0), head[1::2].count(0)) > 0.8 * half


def _in_words(head: bytes) -> str:
    if not head:
        return "empty"
    if binary := _binary(head):
        return binary[0]
    found = recognize(head)
    return found.content if found else "a text"


def _other(name: Path, content: str, hint: str, source: Source) -> LoadError:
    return LoadError(
        f"{name} is {content}; the table {short(source.table)} expects {source.expected}.",
        hint=hint,
    )
