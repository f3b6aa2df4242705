"""JSON texts: their values with one kind of error, and a limit for the depth of their brackets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from kgdb.loading.reading.input_limits import MAX_DEPTH, too_deep

_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1
_OTHERS = bytes(set(range(256)) - set(b'[]{}"'))


class JsonDepth:
    """Counts open brackets outside of texts, block by block of bytes."""

    def __init__(self) -> None:
        self._depth = 0
        self._in_text = False
        self._rest = b""

    def exceeds(self, block: bytes) -> bool:
        """Whether the brackets of the next block nest deeper than they may."""
        block = self._rest + block
        # An escape may be cut by the end of the block.
        cut = (len(block) - len(block.rstrip(b"\\"))) % 2
        self._rest = block[len(block) - cut :]
        block = block[: len(block) - cut].replace(rb"\\", b"").replace(rb"\"", b"")
        parts = block.translate(None, _OTHERS).split(b'"')
        outside = b"".join(parts[self._in_text :: 2])
        self._in_text ^= len(parts) % 2 == 0
        if not outside:
            return False
        depths = self._depth + np.cumsum(_STEPS[np.frombuffer(outside, np.uint8)], dtype=np.int64)
        self._depth = int(depths[-1])
        return int(depths.max()) > MAX_DEPTH


class CheckedJson:
    """The bytes of a stream of JSON; reading raises :class:`LoadError` for deep nesting."""

    def __init__(self, name: Path, stream: Any) -> None:
        self._name = name
        self._stream = stream
        self._depth = JsonDepth()

    def read(self, size: int) -> bytes:
        """The next bytes, checked."""
        block: bytes = self._stream.read(size)
        if self._depth.exceeds(block):
            raise too_deep(self._name)
        return block


def is_deep(text: str) -> bool:
    """Whether a JSON text nests deeper than it may."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    return JsonDepth().exceeds(text.encode("utf-8", "replace"))


def json_value(text: str) -> Any:
    """The value of a JSON text.

    Raises :class:`ValueError` for any text that is none, nests too deep, or has a number of more
    digits than Python converts.
    """
    if is_deep(text):
        raise ValueError(f"it is nested more than {MAX_DEPTH} levels deep")
    return json.loads(text)
