"""bzip2, xz and zstd files with any number of streams, read to their end.

Python's own readers treat bytes after a stream as padding unless they begin another stream: they
would read a file with a damaged second stream as a shorter file.
"""

from __future__ import annotations

import bz2
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from kgdb.optional_packages import optional

_BLOCK = 1 << 20
_XZ_PADDING = 4  # bytes: zeros may follow a stream of xz, in groups


class _Decompressor(Protocol):
    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


def _zstd() -> Any:
    """Python's own module, or the package that gives the same to older Pythons."""
    return optional("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd", "zstd")


_MAGIC = {"bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}
_NEW: dict[str, Callable[[], _Decompressor]] = {
    "bz2": lambda: cast(_Decompressor, bz2.BZ2Decompressor()),
    "xz": lambda: cast(_Decompressor, lzma.LZMADecompressor(lzma.FORMAT_XZ)),
    "zstd": lambda: cast(_Decompressor, _zstd().ZstdDecompressor()),
}
_SKIPPABLE = tuple(bytes([0x50 + low, 0x2A, 0x4D, 0x18]) for low in range(16))
"""First bytes of zstd's frames without content."""


def open_streams(path: Path, compression: str) -> BinaryIO:
    """The unpacked bytes of a file in ``bz2``, ``xz`` or ``zstd``.

    Reading raises :class:`OSError` for damaged data and for bytes after the last stream, and
    :class:`EOFError` for a truncated file.
    """
    return cast(BinaryIO, io.BufferedReader(_Streams(path, compression), _BLOCK))


class _Streams(io.RawIOBase):
    def __init__(self, path: Path, compression: str) -> None:
        self._compression = compression
        self._stream = _NEW[compression]()  # first: its package may be missing
        self._raw = path.open("rb")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._next(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._raw.close()
        super().close()

    def _next(self, size: int) -> bytes:
        """Some of the next bytes; none at the end."""
        while True:
            packed = b""
            if self._stream.eof:
                packed = self._after_stream()
                if not packed:
                    return b""
                self._stream = _NEW[self._compression]()
            elif self._stream.needs_input:
                packed = self._raw.read(_BLOCK)
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
        packed = self._stream.unused_data or self._raw.read(_BLOCK)
        if self._compression == "xz":
            while packed and not packed.strip(b"\0"):  # padding
                if len(packed) % _XZ_PADDING:
                    raise OSError("extra bytes follow the end of its compressed data")
                packed = self._raw.read(_BLOCK)
            padding = len(packed) - len(packed.lstrip(b"\0"))
            packed = packed[padding:] if padding % _XZ_PADDING == 0 else packed
        magic = _MAGIC[self._compression]
        skippable = self._compression == "zstd" and packed.startswith(_SKIPPABLE)
        if packed and not skippable and not packed.startswith(magic[: len(packed)]):
            raise OSError("extra bytes follow the end of its compressed data")
        return packed
