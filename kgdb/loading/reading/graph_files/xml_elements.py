"""XML, element by element, without the whole document in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, BinaryIO
from xml.parsers import expat

from kgdb.errors import LoadError
from kgdb.loading.reading.files import BLOCK, File
from kgdb.loading.reading.graph_files.elements import Element, LeftOut


class XmlGraph:
    """A graph format in XML: subclasses handle the start and the end of each element.

    ``path`` has the names of the open elements, without prefixes; ``text`` the text of the
    innermost one so far. Subclasses put what they find into ``elements``, and count in
    ``left_out`` what they do not take.
    """

    root = ""
    """The name of the outermost element."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.path: list[str] = []
        self.elements: list[Element] = []
        self.left_out: Counter[str] = Counter()
        self._texts: list[list[str]] = []
        # expat resolves no external entity, and stops entities that expand to a huge text.
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    @property
    def line(self) -> int:
        """The number of the line that the parser has reached."""
        return self._parser.CurrentLineNumber

    def started(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element, which is the last of ``path``."""
        raise NotImplementedError

    def ended(self, name: str, text: str) -> None:
        """Handle the end of an element with that text, which is still the last of ``path``."""
        raise NotImplementedError

    def read(self, stream: BinaryIO) -> Iterator[Element]:
        """The elements of the stream; raises :class:`LoadError` if it is not that XML."""
        try:
            while block := stream.read(BLOCK):
                self._parser.Parse(block, False)
                yield from self.elements
                self.elements.clear()
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise LoadError(
                f"{self.file.name}, line {error.lineno}, column {error.offset + 1}: this is not "
                f"well-formed XML: {expat.ErrorString(error.code)}.",
                hint="kgdb cannot skip an error in XML. The file may be truncated: download or "
                "export it again.",
            ) from error
        yield from self.elements
        self.elements.clear()
        yield from (LeftOut(what, number) for what, number in self.left_out.items() if number)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = _local(tag)
        if not self.path and name != self.root:
            raise LoadError(
                f"{self.file.name}, line {self.line}: the outermost element is <{tag}>; expected "
                f"<{self.root}>.",
                hint="kgdb load mine --init FILE names the loader for a file.",
            )
        self.path.append(name)
        self._texts.append([])
        self.started(name, {_local(key): value for key, value in attributes.items()})

    def _end(self, tag: str) -> None:
        self.ended(_local(tag), "".join(self._texts.pop()))
        self.path.pop()

    def _characters(self, text: str) -> None:
        self._texts[-1].append(text)


@lru_cache(1_000)
def _local(name: str) -> str:
    return name.rpartition(":")[2]


def shown(tag: str, attributes: dict[str, Any]) -> str:
    """An element as a text, for messages."""
    pairs = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{tag}{pairs}>"
