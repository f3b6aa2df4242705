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

from kgdb.errors import KgdbError
from kgdb.loading.reading.content_check import check_content, check_name
from kgdb.loading.reading.source import Source
from kgdb.loading.reading.unpacking import (
    BLOCK,
    STREAMS,
    compression_of,
    explaining_errors,
    open_packed,
)
from kgdb.loading.scratch.statement_progress import interruptible
from kgdb.progress import Progress, Report

_HEAD = 1 << 16

_LINE_END = re.compile(rb"\r\n|\r|\n")

_Change = Callable[[bytes], bytes]


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
