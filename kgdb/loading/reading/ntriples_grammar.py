"""N-Triples by its grammar (https://www.w3.org/TR/n-triples/), one line at a time.

The slow and complete way: :mod:`kgdb.loading.reading.ntriples` gives it only the lines that
its fast one does not know. A statement may have a fourth term, as in N-Quads, which is dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_START = _BASE + "_:0-9"
_INNER = _START + "\\-\u00b7\u0300-\u036f\u203f-\u2040"

_SPACE = re.compile(r"[ \t]*")
_IRI = re.compile(r"<([^<>]*)>")
_BLANK = re.compile(f"_:([{_START}](?:[{_INNER}.]*[{_INNER}])?)")
_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
_LANGUAGE = re.compile(r"@([A-Za-z]+(?:-[A-Za-z0-9]+)*)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FORBIDDEN = re.compile(r'[\x00-\x20<>"{}|^`\\]')
# Java programs write a character past U+FFFF as a pair of codes, which the grammar does not know
# and real dumps have.
_PAIR = r"u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})"
_ESCAPE = re.compile(rf"\\(?:{_PAIR}|u([0-9A-Fa-f]{{4}})|U([0-9A-Fa-f]{{8}})|(.?))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple; ``kind`` (``iri``, ``blank``, ``literal``, ``relative``) is that of its object."""

    subject: str
    predicate: str
    object: str
    kind: str
    datatype: str | None
    language: str | None


class Malformed(Exception):
    """What is wrong with a line."""


def parse_line(line: str, *, relative: bool = False) -> Statement | None:
    """The statement on the line; ``None`` where it has only a comment or spaces.

    ``relative``: whether the object may be an IRI that is not absolute. Raises :class:`Malformed`.
    """
    reader = _Reader(line, relative=relative)
    return reader.statement()


class _Reader:
    def __init__(self, line: str, *, relative: bool) -> None:
        self.relative = relative
        self.line = line.removeprefix("\ufeff")
        self.at = 0
        self.skip()

    def statement(self) -> Statement | None:
        if self.at_end():
            return None
        subject = self.resource("subject")
        predicate = self.iri("predicate")
        value, kind, datatype, language = self.value()
        if self.peek() in {"<", "_"}:
            self.resource("graph")
        if self.peek() != ".":
            raise Malformed(f"a full stop is missing after the object{self.here()}")
        self.at += 1
        self.skip()
        if not self.at_end():
            raise Malformed(f"more text follows the full stop{self.here()}")
        return Statement(subject, predicate, value, kind, datatype, language)

    def value(self) -> tuple[str, str, str | None, str | None]:
        if self.peek() != '"':
            blank = self.peek() == "_"
            value = self.resource(
                "object", "an IRI, a blank node or a literal", relative=self.relative
            )
            absolute = blank or _SCHEME.match(value)
            return value, "blank" if blank else "iri" if absolute else "relative", None, None
        match = _LITERAL.match(self.line, self.at)
        if not match:
            raise Malformed("the literal does not end on its line")
        self.at = match.end()
        text = _unescaped(match[1], "literal")
        datatype = language = None
        if self.peek() == "@":
            tag = _LANGUAGE.match(self.line, self.at)
            if not tag:
                raise Malformed(f"the language tag is malformed{self.here()}")
            language = tag[1]
            self.at = tag.end()
        elif self.line.startswith("^^", self.at):
            self.at += 2
            datatype = self.iri("datatype")
            if datatype == XSD_STRING:
                datatype = None
        self.skip()
        return text, "literal", datatype, language

    def resource(
        self, role: str, expected: str = "an IRI or a blank node", *, relative: bool = False
    ) -> str:
        if self.peek() == "_":
            match = _BLANK.match(self.line, self.at)
            if not match:
                raise Malformed(f"the label of the blank node is malformed{self.here()}")
            self.at = match.end()
            self.skip()
            return match[0]
        return self.iri(role, expected, relative=relative)

    def iri(
        self, role: str, expected: str = "an IRI in angle brackets", *, relative: bool = False
    ) -> str:
        if self.peek() != "<":
            raise Malformed(f"the {role} is not {expected}{self.here()}")
        match = _IRI.match(self.line, self.at)
        if not match:
            raise Malformed(f"the IRI of the {role} does not end{self.here()}")
        self.at = match.end()
        self.skip()
        return _checked(match[1], role, relative=relative and bool(match[1]))

    def peek(self) -> str:
        return self.line[self.at : self.at + 1]

    def skip(self) -> None:
        match = _SPACE.match(self.line, self.at)
        assert match is not None  # noqa: S101 - the expression matches nothing as well
        self.at = match.end()

    def at_end(self) -> bool:
        return self.peek() in {"", "#"}

    def here(self) -> str:
        rest = self.line[self.at :]
        return f": {_short(rest)}" if rest else ": the line ends"


def _checked(text: str, role: str, *, relative: bool) -> str:
    iri = _unescaped(text, "IRI", only_codes=True) if "\\" in text else text
    forbidden = _FORBIDDEN.search(iri)
    if forbidden:
        found = "a space" if forbidden[0] == " " else repr(forbidden[0])
        raise Malformed(f"the IRI of the {role} holds {found}: {_short(iri)}")
    if not relative and not _SCHEME.match(iri):
        raise Malformed(f"the IRI of the {role} is not absolute: {_short(iri)}")
    return iri


def _unescaped(text: str, where: str, *, only_codes: bool = False) -> str:
    def character(match: re.Match[str]) -> str:
        high, low, short, long, letter = match.groups()
        if high:
            return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
        if short or long:
            number = int(short or long, 16)
            if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                raise Malformed(f"the {where} has an escape that is no character: {match[0]}")
            return chr(number)
        if only_codes or letter not in _ESCAPED:
            raise Malformed(f"the {where} has an unknown escape: {_short(match[0])}")
        return _ESCAPED[letter]

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
