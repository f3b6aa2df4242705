"""XML, element by element, without the whole document in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, BinaryIO

from kgdb.errors import LoadError
from kgdb.loading.reading.checked_xml import CheckedXml
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_files.elements import Element, LeftOut


class XmlGraph(CheckedXml):
    """A graph format in XML: subclasses handle the start and the end of each element.

    ``path`` has the names of the open elements, without prefixes; ``text`` the text of the
    innermost one so far. Subclasses put what they find into ``elements``, and count in
    ``left_out`` what they do not take.
    """

    root = ""
    """The name of the outermost element."""

    def __init__(self, file: File, stream: BinaryIO) -> None:
        super().__init__(file, stream)
        self.path: list[str] = []
        self.elements: list[Element] = []
        self.left_out: Counter[str] = Counter()
        self._texts: list[list[str]] = []
        self.parser.CharacterDataHandler = self._characters

    def started(self, name: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element, which is the last of ``path``."""
        raise NotImplementedError

    def ended(self, name: str, text: str) -> None:
        """Handle the end of an element with that text, which is still the last of ``path``."""
        raise NotImplementedError

    def read(self) -> Iterator[Element]:
        """The elements of the file; raises :class:`LoadError` if it is not that XML."""
        for _ in self.blocks():
            yield from self.elements
            self.elements.clear()
        yield from self.elements
        self.elements.clear()
        yield from (LeftOut(what, number) for what, number in self.left_out.items() if number)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the start of an element under its local name."""
        super().start(tag, attributes)
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

    def end(self, tag: str) -> None:
        """Handle the end of an element with its text."""
        super().end(tag)
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
