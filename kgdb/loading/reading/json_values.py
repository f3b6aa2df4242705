"""JSON texts and documents, value by value, with a limit for the depth of their brackets."""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from kgdb.errors import LoadError
from kgdb.loading.reading.input_limits import MAX_DEPTH, too_deep
from kgdb.loading.reading.unpacking import BLOCK

_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"[{")] = 1
_STEPS[list(b"]}")] = -1
_OTHERS = bytes(set(range(256)) - set(b'[]{}"'))

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER_END = frozenset("0123456789+-.eE")
_MARGIN = 16  # characters: the longest cut word of JSON, such as -Infinity or \u1234
_MAX_VALUE = 1 << 28
# The pieces of a document: the key of the outermost object that leads to a value (None in an array
# or for a value of its own), and the value.
Piece = tuple[str | None, Any]


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


def is_object(text: str) -> bool:
    """Whether a text is one JSON object."""
    try:
        return isinstance(json_value(text), dict)
    except ValueError:
        return False


class JsonStream:
    """Reads the values of a JSON text one after the other.

    ``line`` is the line on which the last value begins, ``raw`` the value as it is written.
    """

    def __init__(self, name: Path, stream: BinaryIO) -> None:
        self._name = name
        self._stream = CheckedJson(name, stream)
        self._decode = codecs.getincrementaldecoder("utf-8-sig")()
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._position = 0
        self._ended = False
        self._lines = 1  # the line at the place up to which line ends are counted
        self._counted = 0
        self._line_starts = 0  # characters of that line before the buffered text
        self.line = 1
        self.raw = ""

    def values(self) -> Iterator[Any]:
        """The values, if the text is one after another; a single array stands for its items.

        A comma may follow each, as in lines that were cut out of an array.
        """
        if self._peek() == "[":
            yield from self._items()
            self._require_end()
            return
        while self._peek():
            yield self._value()
            if self._peek() == ",":
                self._position += 1

    def pieces(self) -> Iterator[Piece]:
        """The parts of one object: items of its arrays, one by one, and all other values.

        A document that is an array gives its items without a key.
        """
        first = self._peek()
        if first == "[":
            for item in self._items():
                yield None, item
        elif first == "{":
            for key in self._keys():
                if self._peek() == "[":
                    for item in self._items():
                        yield key, item
                else:
                    yield key, self._value()
        else:
            yield None, self._value()
        self._require_end()

    def _items(self) -> Iterator[Any]:
        """The items of the array that begins here."""
        self._take("[", "an array")
        if self._peek() == "]":
            self._position += 1
            return
        while True:
            yield self._value()
            if self._peek() == "]":
                self._position += 1
                return
            self._take(",", "',' or ']' after the item")

    def _keys(self) -> Iterator[str]:
        """The keys of the object that begins here; the caller reads the value of each."""
        self._take("{", "an object")
        if self._peek() == "}":
            self._position += 1
            return
        while True:
            if self._peek() != '"':
                raise self._error("expected a key in quotation marks", self._position)
            key = self._value()
            self._take(":", "':' after the key")
            yield key
            if self._peek() == "}":
                self._position += 1
                return
            self._take(",", "',' or '}' after the value")

    def _value(self) -> Any:
        """The value that begins here, whole."""
        self._peek()
        self.line = self._line()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._position)
            except json.JSONDecodeError as error:
                if self._ended or not self._may_be_cut(error):
                    raise self._error(error.msg, error.pos) from error
            except ValueError as error:  # Python converts no integer of so many digits
                digits = sys.get_int_max_str_digits()
                raise LoadError(
                    f"{self._name}, line {self.line:,}: a number has more than {digits:,} "
                    "digits, which kgdb does not read.",
                    hint="Write it as a text, in quotation marks.",
                ) from error
            else:
                # At the end of the buffer, a number may go on.
                cut = end == len(self._text) and self._text[end - 1] in _NUMBER_END
                if self._ended or not cut:
                    self.raw = self._text[self._position : end]
                    self._position = end
                    return value
            if len(self._text) - self._position > _MAX_VALUE:
                raise self._error("a value of more than 256 MiB", self._position)
            self._more()

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether the error may come from the end of the buffer."""
        return error.pos >= len(self._text) - _MARGIN or error.msg.startswith("Unterminated")

    def _peek(self) -> str:
        """The next character that is not a space; empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._position)
            assert match is not None  # noqa: S101 - the expression matches nothing as well
            self._position = match.end()
            if self._position < len(self._text) or self._ended:
                return self._text[self._position : self._position + 1]
            self._more()

    def _take(self, sign: str, expected: str) -> None:
        if self._peek() != sign:
            raise self._error(f"expected {expected}", self._position)
        self._position += 1

    def _more(self) -> None:
        """Read as much again as is buffered, and drop what was read."""
        self._line()
        feed = self._text.rfind("\n", 0, self._position)
        self._line_starts = (
            self._position - feed - 1 if feed >= 0 else self._line_starts + self._position
        )
        rest = self._text[self._position :]
        block = self._stream.read(max(BLOCK, len(rest)))
        self._ended = not block
        self._text = rest + self._decode.decode(block, final=self._ended)
        self._position = self._counted = 0

    def _line(self) -> int:
        """The number of the line at this place."""
        self._lines += self._text.count("\n", self._counted, self._position)
        self._counted = self._position
        return self._lines

    def _require_end(self) -> None:
        if self._peek():
            raise self._error("more text follows the end of the document", self._position)

    def _error(self, problem: str, position: int) -> LoadError:
        feed = self._text.rfind("\n", 0, position)
        column = position - feed + (self._line_starts if feed < 0 else 0)
        line = self._line() + self._text.count("\n", self._position, position)
        end = " (the file ends there)" if self._ended and not self._text[position:].strip() else ""
        return LoadError(
            f"{self._name}, line {line:,}, column {column:,}: this is not JSON: {problem}{end}.",
            hint="The file may be truncated: download or export it again. kgdb cannot skip an "
            "error inside a JSON document.",
        )
