"""Packed files, unpacked to their end: damage gives an error that names the file.

Only the exceptions by which a library says that its input is damaged become errors for the user;
all others are bugs of kgdb. Each reader translates the exceptions of its own parser.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from kgdb.errors import LoadError, UsageError
from kgdb.loading.reading.input_limits import Allowance, too_deep
from kgdb.loading.scratch.disk_space import is_disk_full
from kgdb.optional_packages import optional

try:  # the extra "fast" unpacks gzip three times as fast
    from isal import igzip, isal_zlib
except ModuleNotFoundError:
    _open_gzip: Callable[[Path], BinaryIO] = cast(Callable[[Path], BinaryIO], gzip.open)
    _DAMAGED: tuple[type[Exception], ...] = (gzip.BadGzipFile, zlib.error, lzma.LZMAError)
else:
    _open_gzip = cast(Callable[[Path], BinaryIO], igzip.open)
    _DAMAGED = (
        *(gzip.BadGzipFile, zlib.error, lzma.LZMAError),
        cast(type[Exception], isal_zlib.error),
    )

BLOCK = 1 << 20

COMPRESSIONS = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}
"""The first bytes of compressed files, with the name of the compression."""

STREAMS = frozenset(COMPRESSIONS.values()) - {"gzip"}
"""The compressions that kgdb unpacks itself, before DuckDB reads the file."""

_XZ_PADDING = 4  # bytes: zeros may follow a stream of xz, in groups

_SKIPPABLE = tuple(bytes([0x50 + low, 0x2A, 0x4D, 0x18]) for low in range(16))
"""First bytes of zstd's frames without content."""

_NO_GZIP = "Not a gzipped file"  # Python's error for extra bytes after gzip data
_AGAIN = "Download or copy the file again; nothing was loaded."


class _Decompressor(Protocol):
    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def _zstd() -> Any:
    """Python's own module, or the package that gives the same to older Pythons."""
    return optional("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "zstd")


_NEW: dict[str, Callable[[], _Decompressor]] = {
    "bz2": lambda: cast(_Decompressor, bz2.BZ2Decompressor()),
    "xz": lambda: cast(_Decompressor, lzma.LZMADecompressor(lzma.FORMAT_XZ)),
    "zstd": lambda: cast(_Decompressor, _zstd().ZstdDecompressor()),
}


def compression_of(head: bytes) -> str:
    """The compression of a file by its first bytes; empty if it is not compressed."""
    return next((name for magic, name in COMPRESSIONS.items() if head.startswith(magic)), "")


def open_packed(path: Path, compression: str) -> BinaryIO:
    """The unpacked bytes of a file, to be read inside :func:`explaining_errors`.

    Reading raises :class:`OSError` for damaged data and for bytes after the last stream,
    :class:`EOFError` for a truncated file, and :class:`LoadError` for one that unpacks to more
    bytes than it may.
    """
    if compression == "gzip":
        stream: BinaryIO | _Streams = _open_gzip(path)
    elif compression in STREAMS:
        stream = _Streams(path, compression)
    else:
        return path.open("rb")
    return cast(BinaryIO, io.BufferedReader(_Limited(path, stream), BLOCK))


class _Limited(io.RawIOBase):
    """An unpacked stream that ends with an error where it grows beyond what the file may."""

    def __init__(self, path: Path, stream: BinaryIO | _Streams) -> None:
        self._stream = stream
        self._allowance = Allowance(path)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        self._allowance.take(len(data))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


class _Streams:
    """The unpacked bytes of a file with any number of streams of bzip2, xz or zstd.

    Python's own readers treat bytes after a stream as padding unless they begin another stream:
    they would read a file with a damaged second stream as a shorter file.
    """

    def __init__(self, path: Path, compression: str) -> None:
        self._compression = compression
        self._stream = _NEW[compression]()  # first: its package may be missing
        self._raw = path.open("rb")

    def close(self) -> None:
        self._raw.close()

    def read(self, size: int) -> bytes:
        """Some of the next bytes; none at the end."""
        while True:
            packed = b""
            if self._stream.eof:
                packed = self._after_stream()
                if not packed:
                    return b""
                self._stream = _NEW[self._compression]()
            elif self._stream.needs_input:
                packed = self._raw.read(BLOCK)
                if not packed:
                    raise EOFError("the last stream is truncated")
            try:
                data = self._stream.decompress(packed, size)
            except OSError:
                raise
            except Exception as error:  # each package has an error of its own
                raise OSError(str(error)) from error
            if data:
                return data

    def _after_stream(self) -> bytes:
        """The bytes after a stream, which begin another one; none at the end."""
        packed = self._stream.unused_data or self._raw.read(BLOCK)
        if self._compression == "xz":
            while packed and not packed.strip(b"\0"):  # padding
                if len(packed) % _XZ_PADDING:
                    raise OSError("extra bytes follow the end of its compressed data")
                packed = self._raw.read(BLOCK)
            padding = len(packed) - len(packed.lstrip(b"\0"))
            packed = packed[padding:] if padding % _XZ_PADDING == 0 else packed
        magic = next(m for m, name in COMPRESSIONS.items() if name == self._compression)
        skippable = self._compression == "zstd" and packed.startswith(_SKIPPABLE)
        if packed and not skippable and not packed.startswith(magic[: len(packed)]):
            raise OSError("extra bytes follow the end of its compressed data")
        return packed


@contextmanager
def explaining_errors(name: Path) -> Iterator[None]:
    """Turn errors of opening and reading a file into errors that name the file and the damage."""
    try:
        yield
    except EOFError as error:
        if _has_extra_bytes(name):
            raise _extra_bytes(name) from error
        raise LoadError(
            f"{name} is truncated: its compressed data end too early.", hint=_AGAIN
        ) from error
    except _DAMAGED as error:
        # The file begins with gzip data, so the bytes that are not gzip follow them.
        if _NO_GZIP in str(error):
            raise _extra_bytes(name) from error
        raise _damaged(name, error) from error
    except UnicodeDecodeError as error:
        raise _not_in_encoding(name, error) from error
    except RecursionError as error:
        raise too_deep(name) from error
    except MemoryError as error:
        raise LoadError(
            f"{name} needs more memory than there is.",
            hint="The file may be damaged, or hold one huge value. Else load it on a larger "
            "machine.",
        ) from error
    except FileNotFoundError as error:
        raise UsageError(
            f"There is no file {name}.",
            hint="Check the name. If the file was deleted meanwhile, start again.",
        ) from error
    except OSError as error:
        if is_disk_full(error):  # the full disk is that of the temporary folder
            raise
        # Damaged data of bzip2, xz and zstd give an error without a number.
        if error.errno is None:
            raise _damaged(name, error) from error
        raise LoadError(f"{name} cannot be read: {error.strerror}.") from error


def _damaged(name: Path, problem: object) -> LoadError:
    """The error for a file whose packed content is not what its format allows."""
    return LoadError(f"{name} is damaged: {str(problem).rstrip('.')}.", hint=_AGAIN)


def _not_in_encoding(name: Path, error: UnicodeDecodeError) -> LoadError:
    """The error for a text that is not in its encoding, which is UTF-8 unless it names another."""
    encoding = error.encoding.upper().replace("_", "-")
    return LoadError(
        f"{name} is not {encoding}: {error.reason}.",
        hint=f"Convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 {name.name} > converted",
    )


def _has_extra_bytes(path: Path) -> bool:
    """Whether other bytes follow the gzip data.

    The fast reader reports a single extra byte as a truncated file; Python's own reader does not.
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
        hint="Remove them, or download or copy the file again; nothing was loaded.",
    )
