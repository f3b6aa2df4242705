"""bzip2 files with any number of streams, read to their end.

Python's own reader treats bytes after a stream as padding unless they begin another stream: it
would read a file with a damaged second stream as a shorter file.
"""

from __future__ import annotations

import bz2
import io
from pathlib import Path
from typing import BinaryIO, cast

_BLOCK = 1 << 20


def open_bzip2(path: Path) -> BinaryIO:
    """The unpacked bytes.

    Reading raises :class:`OSError` for damaged data and for bytes after the last stream, and
    :class:`EOFError` for a truncated file.
    """
    return cast(BinaryIO, io.BufferedReader(_Streams(path), _BLOCK))


class _Streams(io.RawIOBase):
    def __init__(self, path: Path) -> None:
        self._raw = path.open("rb")
        self._stream = bz2.BZ2Decompressor()

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
                packed = self._stream.unused_data or self._raw.read(_BLOCK)
                if not packed:
                    return b""
                if not packed.startswith(b"BZh"[: len(packed)]):
                    raise OSError("extra bytes follow the end of its compressed data")
                self._stream = bz2.BZ2Decompressor()
            elif self._stream.needs_input:
                packed = self._raw.read(_BLOCK)
                if not packed:
                    raise EOFError("the last stream is truncated")
            if data := self._stream.decompress(packed, size):
                return data
