"""Files as they lie there: found, unpacked and checked before a format is read from them."""

from __future__ import annotations

import gzip
import re
import tempfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import BinaryIO, cast

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.bzip2 import open_bzip2
from kgdb.loading.reading.content_check import check_content
from kgdb.loading.reading.source import Source
from kgdb.loading.scratch.disk_space import is_full
from kgdb.loading.scratch.statement_progress import interruptible
from kgdb.progress import Progress, Report
from kgdb.wording import short

try:  # the extra "fast" unpacks gzip three times as fast
    from isal import igzip, isal_zlib
except ModuleNotFoundError:
    _open_gzip: Callable[[Path], BinaryIO] = cast(Callable[[Path], BinaryIO], gzip.open)
    _DAMAGED: tuple[type[Exception], ...] = (gzip.BadGzipFile, zlib.error)
else:
    _open_gzip = cast(Callable[[Path], BinaryIO], igzip.open)
    _DAMAGED = (gzip.BadGzipFile, zlib.error, cast(type[Exception], isal_zlib.error))

BLOCK = 1 << 20

_HEAD = 1 << 16

_NO_GZIP = "Not a gzipped file"  # what Python says of data that are not the first of a file

_LINE_END = re.compile(rb"\r\n|\r|\n")
_COMPRESSIONS = {b"\x1f\x8b": "gzip", b"BZh": "bz2"}


_Change = Callable[[bytes], bytes]


def _same(block: bytes) -> bytes:
    return block


class MixedLineEnds(Exception):
    """The records of a file end in several ways, and DuckDB took some ends for text."""


class _LineEnds:
    """Makes every line end a line feed, block by block."""

    def __init__(self) -> None:
        self.ended_by_return = False

    def __call__(self, block: bytes) -> bytes:
        if self.ended_by_return and block.startswith(b"\n"):
            block = block[1:]  # the second half of a line end whose first half was the last byte
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
                block = block.removeprefix(b"\n")  # the second half of a line end
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
    """A file that can be read.

    ``name`` is what the user calls it, ``path`` what is read: the same, or what was unpacked
    from it into ``work``. ``compression`` is that of ``path``: ``none``, ``gzip`` or
    ``bz2``. ``skipped`` are the lines of the file that are not in ``path``, before those that are.
    """

    name: Path
    path: Path
    compression: str
    work: Path
    head: bytes
    report: Report
    skipped: int = 0

    @contextmanager
    def for_duckdb(self) -> Iterator[File]:
        """The file in a compression that DuckDB reads, checked to its end.

        DuckDB does not look at the checksum of a gzip file, and ends silently where its data are
        damaged: a second reader does, at the same time.
        """
        if self.compression == "bz2":
            with self.unpacked() as plain:
                yield plain
        elif self.compression == "gzip":
            with ThreadPoolExecutor(1) as pool:
                stop = Event()
                check = pool.submit(self._check, stop)
                try:
                    with interruptible():
                        yield self
                except Exception:
                    check.result()  # what is wrong with the file explains the other error
                    raise
                except BaseException:
                    stop.set()
                    raise
                check.result()
        else:
            yield self

    @contextmanager
    def unpacked(self) -> Iterator[File]:
        """The file unpacked, for DuckDB does not read every compressed one."""
        with self._rewritten("unpacking", _same) as plain:
            yield plain

    @contextmanager
    def without_lines(self, count: int) -> Iterator[File]:
        """The file without so many lines at its beginning.

        DuckDB's own way of skipping them is misled by quotation marks in them, and by line ends of
        another kind.
        """
        if not count:
            yield self
            return
        with self._rewritten("skipping lines of", _WithoutLines(count)) as rest:
            with rest.open() as stream:
                head = stream.read(_HEAD)
            yield replace(rest, head=head, skipped=self.skipped + count)

    @contextmanager
    def with_even_line_ends(self) -> Iterator[File]:
        """The file with one kind of line end, for DuckDB refuses a mixture of them."""
        with self._rewritten("mending line ends of", _LineEnds()) as mended:
            yield mended

    def open(self) -> BinaryIO:
        """The unpacked bytes; :func:`explained` tells what is wrong with them."""
        if self.compression == "gzip":
            return _open_gzip(self.path)
        if self.compression == "bz2":
            return open_bzip2(self.path)
        return self.path.open("rb")

    def _check(self, stop: Event) -> None:
        with explained(self.name), self.open() as stream:
            while stream.read(BLOCK) and not stop.is_set():
                pass

    @contextmanager
    def _rewritten(self, stage: str, change: _Change) -> Iterator[File]:
        done = 0
        with tempfile.NamedTemporaryFile(dir=self.work, delete=False) as plain:
            target = Path(plain.name)
        try:
            with explained(self.name), self.open() as stream, target.open("wb") as plain:
                while block := stream.read(BLOCK):
                    done += plain.write(change(block))
                    self.report(Progress(f"{stage} {self.name.name}", done, None, "bytes"))
            yield replace(self, path=target, compression="none")
        finally:
            target.unlink(missing_ok=True)


def find(path: Path, source: Source, work: Path, report: Report) -> File:
    """The file at the path, if it can be what the source expects.

    Raises :class:`UsageError` or :class:`LoadError` with what was found in its place.
    """
    if path.is_dir():
        raise UsageError(
            f"{path} is a folder; the table {short(source.table)} is read from files.",
            hint=f"Name the files in it. Expected {source.expected}.",
        )
    if path.exists() and not path.is_file():
        raise UsageError(
            f"{path} is a pipe or a device, and its content is read more than once.",
            hint="Write it to a file first.",
        )
    with explained(path):
        with path.open("rb") as raw:
            head = raw.read(_HEAD)
        compression = next((c for magic, c in _COMPRESSIONS.items() if head.startswith(magic)), "")
        file = File(path, path, compression or "none", work, head, report)
        if compression:
            with file.open() as stream:
                file = replace(file, head=stream.read(_HEAD))
    check_content(file.name, file.head, compression, source)
    return file


@contextmanager
def explained(name: Path) -> Iterator[None]:
    """Say what is wrong with a file that cannot be read, in the caller's words."""
    try:
        yield
    except EOFError as error:
        if _has_extra_bytes(name):
            raise _extra_bytes(name) from error
        raise LoadError(
            f"{name} is truncated: its compressed data end in the middle.",
            hint="Download or copy it again; nothing was loaded.",
        ) from error
    except _DAMAGED as error:
        # The first bytes were looked at: what is no gzip comes after it.
        if _NO_GZIP in str(error):
            raise _extra_bytes(name) from error
        raise LoadError(
            f"{name} is damaged: {error}.",
            hint="Download or copy it again; nothing was loaded.",
        ) from error
    except FileNotFoundError as error:
        raise UsageError(
            f"There is no file {name}.",
            hint="Check the name. If it was there a moment ago: begin again.",
        ) from error
    except OSError as error:
        if is_full(error):  # of the folder that it is unpacked into
            raise
        # Of damaged bzip2 data, without an error number.
        if error.errno is None:
            raise LoadError(
                f"{name} is damaged: {error}.",
                hint="Download or copy it again; nothing was loaded.",
            ) from error
        raise LoadError(f"{name} cannot be read: {error.strerror}.") from error


def _has_extra_bytes(path: Path) -> bool:
    """Whether gzip data are followed by what is none.

    The fast reader takes a single byte for data that were cut off; Python's own does not.
    """
    try:
        with path.open("rb") as raw, gzip.open(raw) as stream:
            if raw.read(2) != b"\x1f\x8b":
                return False
            raw.seek(0)
            while stream.read(BLOCK):
                pass
    except gzip.BadGzipFile as error:
        return _NO_GZIP in str(error)
    except (EOFError, OSError, zlib.error):
        return False
    return False


def _extra_bytes(name: Path) -> LoadError:
    return LoadError(
        f"{name} is damaged: extra bytes follow the end of its compressed data.",
        hint="Cut them off, or download or copy it again; nothing was loaded.",
    )
