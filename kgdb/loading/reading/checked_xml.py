"""XML of any format, checked by expat before it reaches a parser: no entities, no deep nesting.

A document that declares entities can make a huge text of a few bytes, or name other files. It is
refused, and no reader of kgdb sees it.
"""

from __future__ import annotations

import codecs
import re
import shlex
from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from kgdb.errors import LoadError
from kgdb.loading.reading.files import BLOCK, File
from kgdb.loading.reading.input_limits import MAX_DEPTH, too_deep
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
