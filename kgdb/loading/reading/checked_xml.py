"""XML of any format, checked by expat before it reaches a parser: no entities, no deep nesting.

A document that declares entities can make a huge text of a few bytes, or name other files. It is
refused, and no reader of kgdb sees it.
"""

from __future__ import annotations

import codecs
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import BinaryIO
from xml.parsers import expat

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_elements import Element, LeftOut, Property, Skipped
from kgdb.loading.reading.input_limits import MAX_DEPTH, too_deep
from kgdb.loading.reading.unpacking import BLOCK
from kgdb.wording import short

_DECLARATION = 200  # bytes: more than a declaration of XML takes
_ENCODING = re.compile(rb"""<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']""")
_DECLARED = re.compile(r"""^(\s*<\?xml[^>]*?)\sencoding\s*=\s*["'][\w.-]+["']""")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF8 = frozenset({"utf-8", "ascii"})
_ASCII = bytes(range(32, 127))


class CheckedXml:
    """The blocks of an XML file in UTF-8, each after expat has found nothing wrong with it.

    Subclasses may handle the elements; they call the handlers of this class, which count depth.
    """

    def __init__(self, file: File, stream: BinaryIO) -> None:
        self.file = file
        self._stream = stream
        self._depth = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.EntityDeclHandler = self._refuse_entity
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end

    @property
    def line(self) -> int:
        """The number of the line that the parser has reached."""
        return self.parser.CurrentLineNumber

    def start(self, _tag: str, _attributes: dict[str, str]) -> None:
        """Count the start of an element."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise too_deep(self.file.name, f", line {self.line:,},")

    def end(self, _tag: str) -> None:
        """Count the end of an element."""
        self._depth -= 1

    def blocks(self) -> Iterator[bytes]:
        """The checked blocks; raises :class:`LoadError` where the file is not XML."""
        try:
            for block in _in_utf8(self.file, self._stream):
                self.parser.Parse(block, False)
                yield block
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise LoadError(
                f"{self.file.name}, line {error.lineno}, column {error.offset + 1}: this is not "
                f"well-formed XML: {expat.ErrorString(error.code)}.",
                hint="kgdb cannot skip an error in XML. The file may be truncated: download or "
                "export it again.",
            ) from error

    def _refuse_entity(self, name: str, *_: object) -> None:
        path = shlex.quote(str(self.file.name))
        raise LoadError(
            f"{self.file.name}, line {self.line:,}, declares the entity {short(name)}; kgdb reads "
            "no XML with declared entities, since a few of them can stand for gigabytes.",
            hint=f"If you trust the file, replace them by their texts: xmllint --noent --dropdtd "
            f"{path} > plain.xml",
        )


def _in_utf8(file: File, stream: BinaryIO) -> Iterator[bytes]:
    """The blocks of the stream in UTF-8, without the encoding that it declares."""
    block = stream.read(BLOCK)
    declared = _ENCODING.search(block[:_DECLARATION])
    encoding = declared[1].decode() if declared else "utf-8"
    if block.startswith(_WIDE):
        encoding = "utf-16"
    elif not _extends_ascii(encoding):
        raise LoadError(
            f"{file.name} declares the encoding {short(encoding)}, which kgdb does not know as one "
            "of XML.",
            hint="Convert it, and declare UTF-8: iconv -f ENCODING -t UTF-8 "
            f"{shlex.quote(str(file.name))} > converted",
        )
    decoder = codecs.getincrementaldecoder(encoding)()
    if codecs.lookup(encoding).name in _UTF8:  # expat checks these bytes
        while block:
            yield block
            block = stream.read(BLOCK)
        return
    text = _DECLARED.sub(r"\1", decoder.decode(block), count=1)
    while block:
        yield text.encode("utf-8", "replace")
        block = stream.read(BLOCK)
        text = decoder.decode(block, final=not block)


def _extends_ascii(encoding: str) -> bool:
    """Whether Python knows the encoding, and every byte of ASCII stands for itself in it."""
    try:
        return _ASCII.decode(encoding) == _ASCII.decode("ascii")
    except (LookupError, ValueError):
        return False


@dataclass
class OpenElement:
    """A node or an edge whose end is not read yet, with the values of its properties so far."""

    tag: str
    line: int
    attributes: dict[str, str]
    values: dict[str, list[Property]] = field(default_factory=dict)

    def properties(
        self, own: Sequence[Property], defaults: Iterable[tuple[str, Sequence[Property]]]
    ) -> tuple[Property, ...]:
        """Its own properties, its values, and the defaults of the keys that it has no value of."""
        given = [each for values in self.values.values() for each in values]
        missing = [one for key, each in defaults if key not in self.values for one in each]
        return (*own, *given, *missing)

    def skipped(self, problem: str) -> Skipped:
        """The element as one that is left out."""
        pairs = "".join(f' {key}="{value}"' for key, value in self.attributes.items())
        return Skipped(self.line, problem, f"<{self.tag}{pairs}>")

    def without(self, missing: str) -> Skipped:
        """The element as one that is left out, because it lacks an attribute."""
        return self.skipped(f"the {self.tag} has no {missing}")


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
