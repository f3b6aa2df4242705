"""Source files, unpacked and checked before a reader parses their format."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import BinaryIO

import duckdb

from kgdb.errors import KgdbError, LoadError
from kgdb.loading.reading.json_values import is_object
from kgdb.loading.reading.recognition import Recognized, recognize, recognize_name
from kgdb.loading.reading.source import FORMATS, Source
from kgdb.loading.reading.unpacking import (
    BLOCK,
    STREAMS,
    compression_of,
    explaining_errors,
    open_packed,
)
from kgdb.loading.scratch.statement_progress import interruptible
from kgdb.progress import Progress, Report
from kgdb.wording import short

_CHECK = "Check the path and the format of the source."
_UNPACK = "Unpack it first, then name the unpacked file."

_WIDE = (b"\xff\xfe", b"\xfe\xff")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f"))
_HEAD = 1 << 16
_LINE_END = re.compile(rb"\r\n|\r|\n")
_Change = Callable[[bytes], bytes]


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


def _same(block: bytes) -> bytes:
    return block


class MixedLineEnds(Exception):
    """A file has different line ends, and DuckDB read some of them as text."""


class _LineEnds:
    """Makes every line end a line feed, block by block."""

    def __init__(self) -> None:
        self.ended_by_return = False

    def __call__(self, block: bytes) -> bytes:
        if self.ended_by_return and block.startswith(b"\n"):
            block = block[1:]  # the second byte of a line end that began in the last block
        elif not block:
            return block
        self.ended_by_return = block.endswith(b"\r")
        return block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


class _WithoutLines:
    """Drops the first lines, block by block."""

    def __init__(self, count: int) -> None:
        self._left = count
        self._ended_by_return = False

    def __call__(self, block: bytes) -> bytes:
        while block:
            if self._ended_by_return:
                self._ended_by_return = False
                block = block.removeprefix(b"\n")  # the second byte of a line end
                continue
            if not self._left:
                return block
            end = _LINE_END.search(block)
            if end is None:
                return b""
            self._left -= 1
            self._ended_by_return = end[0] == b"\r" and end.end() == len(block)
            block = block[end.end() :]
        return block


@dataclass(frozen=True, slots=True)
class File:
    """A source file.

    ``name`` is the user's path; ``path`` is the file to read: the same, or a converted copy in the
    folder ``work``. ``compression`` is that of ``path``: ``none``, or one of
    :data:`.unpacking.COMPRESSIONS`. The copy lacks the first ``skipped`` lines of the file.
    """

    name: Path
    path: Path
    compression: str
    work: Path
    head: bytes
    report: Report
    skipped: int = 0

    @contextmanager
    def for_duckdb(self, connection: duckdb.DuckDBPyConnection) -> Iterator[File]:
        """The file in a compression that DuckDB reads, checked to its end.

        DuckDB ignores the checksum of a gzip file and stops silently at damaged data. So a second
        reader checks the file at the same time, and interrupts DuckDB if it finds damage. DuckDB
        also reads zstd, but does not notice a truncated file.
        """
        if self.compression in STREAMS:
            with self.unpacked() as plain:
                yield plain
        elif self.compression == "gzip":
            with ThreadPoolExecutor(1) as pool:
                stop = Event()
                check = pool.submit(self._check, stop, connection)
                try:
                    with interruptible():
                        yield self
                except Exception:
                    check.result()  # damage of the file explains the other error
                    raise
                except BaseException:
                    if check.done():
                        check.result()
                    stop.set()
                    raise
                check.result()
        else:
            yield self

    def unpacked(self) -> AbstractContextManager[File]:
        """The unpacked file: DuckDB cannot read every compressed file."""
        return self._changed("unpacking", _same)

    @contextmanager
    def without_lines(self, count: int) -> Iterator[File]:
        """The file without its first ``count`` lines.

        DuckDB's own option miscounts lines with quotation marks or with different line ends.
        """
        if not count:
            yield self
            return
        with self._changed("skipping lines of", _WithoutLines(count)) as rest:
            yield replace(rest, skipped=self.skipped + count)

    def with_even_line_ends(self) -> AbstractContextManager[File]:
        """The file with line feeds only: DuckDB refuses a mixture of line ends."""
        return self._changed("converting line ends of", _LineEnds())

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The unpacked bytes; errors of reading them name the file and the damage."""
        with explaining_errors(self.name), open_packed(self.path, self.compression) as stream:
            yield stream

    def _check(self, stop: Event, connection: duckdb.DuckDBPyConnection) -> None:
        try:
            with self.open() as stream:
                while stream.read(BLOCK) and not stop.is_set():
                    pass
        except KgdbError:
            connection.interrupt()
            raise

    @contextmanager
    def converted(self, write: Callable[[BinaryIO, BinaryIO], None]) -> Iterator[File]:
        """A temporary copy of another form, which ``write`` makes of the unpacked bytes."""
        with tempfile.NamedTemporaryFile(dir=self.work, delete=False) as file:
            target = Path(file.name)
        try:
            with self.open() as stream, target.open("wb") as copy:
                write(stream, copy)
            with target.open("rb") as copy:
                head = copy.read(_HEAD)
            yield replace(self, path=target, compression="none", head=head)
        finally:
            target.unlink(missing_ok=True)

    def report_progress(self, stage: str, done: int, unit: str) -> None:
        """Report how much of the file a stage has done; how much there is, is unknown."""
        self.report(Progress(f"{stage} {self.name.name}", done, None, unit))

    def _changed(self, stage: str, change: _Change) -> AbstractContextManager[File]:
        """The file with every block changed."""

        def write(stream: BinaryIO, copy: BinaryIO) -> None:
            done = 0
            while block := stream.read(BLOCK):
                done += copy.write(change(block))
                self.report_progress(stage, done, "bytes")

        return self.converted(write)


def find(path: Path, source: Source, work: Path, report: Report) -> File:
    """The file at the path, with its first bytes checked against the format of the source.

    Raises :class:`UsageError` or :class:`LoadError` with a description of the actual content.
    """
    with explaining_errors(path):
        with path.open("rb") as raw:
            head = raw.read(_HEAD)
        compression = compression_of(head)
        check_name(path, compression, source)
        file = File(path, path, compression or "none", work, head, report)
        if compression:
            with file.open() as stream:
                file = replace(file, head=stream.read(_HEAD))
    check_content(file.name, file.head, compression, source)
    return file
