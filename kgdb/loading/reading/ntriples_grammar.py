"""N-Triples by its grammar (https://www.w3.org/TR/n-triples/), one line at a time.

This parser is complete but slow: :mod:`kgdb.loading.reading.ntriples` uses it only for lines that
its fast path does not match. A statement may have a fourth term, as in N-Quads. Its subject may be
a triple, as in RDF-star, and its object too, as in RDF 1.2.
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
# Java programs write a character beyond U+FFFF as a pair of codes. The grammar does not allow it,
# but real dumps contain it.
_PAIR = r"u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})"
_ESCAPE = re.compile(rf"\\(?:{_PAIR}|u([0-9A-Fa-f]{{4}})|U([0-9A-Fa-f]{{8}})|(.?))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple; ``kind`` (``iri``, ``blank``, ``literal``, ``relative``) is that of its object.

    ``about``: the triple that is the subject, then empty, or the object, then of the kind
    ``triple``.
    """

    subject: str
    predicate: str
    object: str
    kind: str
    datatype: str | None
    language: str | None
    graph: str | None = None
    about: Statement | None = None


class MalformedLine(Exception):
    """A line that is not a statement; the message is the problem."""


def parse_line(line: str, *, relative_iris: bool = False) -> Statement | None:
    """The statement on the line; ``None`` for a blank line or a comment.

    ``relative_iris``: whether the object may be a relative IRI. Raises :class:`MalformedLine`.
    """
    reader = _Reader(line, relative_iris=relative_iris)
    return reader.statement()


class _Reader:
    def __init__(self, line: str, *, relative_iris: bool) -> None:
        self.relative_iris = relative_iris
        self.line = line.removeprefix("\ufeff")
        self.position = 0
        self.skip()

    def statement(self) -> Statement | None:
        if self.is_at_end():
            return None
        about = self.quoted()
        subject = "" if about else self.resource("subject")
        predicate = self.iri("predicate")
        value, kind, datatype, language = "", "triple", None, None
        if triple := self.quoted():
            if about:
                raise MalformedLine("both the subject and the object are triples")
            about = triple
        else:
            value, kind, datatype, language = self.value()
        graph = self.resource("graph") if self.peek() in {"<", "_"} else None
        if self.peek() != ".":
            raise MalformedLine(f"a full stop is missing after the object{self.rest()}")
        self.position += 1
        self.skip()
        if not self.is_at_end():
            raise MalformedLine(f"more text follows the full stop{self.rest()}")
        return Statement(subject, predicate, value, kind, datatype, language, graph, about)

    def quoted(self) -> Statement | None:
        """The triple in ``<< … >>`` or ``<<( … )>>`` that begins here, if any."""
        if not self.line.startswith("<<", self.position):
            return None
        end = ")>>" if self.line.startswith("<<(", self.position) else ">>"
        self.position += len(end)
        self.skip()
        if self.line.startswith("<<", self.position):
            raise MalformedLine(f"a triple about a triple about a triple{self.rest()}")
        subject = self.resource("subject of the quoted triple")
        predicate = self.iri("predicate of the quoted triple")
        if self.line.startswith("<<", self.position):
            raise MalformedLine(f"a triple about a triple about a triple{self.rest()}")
        value = self.value()
        if not self.line.startswith(end, self.position):
            raise MalformedLine(f"{end} is missing after the quoted triple{self.rest()}")
        self.position += len(end)
        self.skip()
        return Statement(subject, predicate, *value)

    def value(self) -> tuple[str, str, str | None, str | None]:
        if self.peek() != '"':
            blank = self.peek() == "_"
            value = self.resource(
                "object", "an IRI, a blank node or a literal", relative_iris=self.relative_iris
            )
            absolute = blank or _SCHEME.match(value)
            return value, "blank" if blank else "iri" if absolute else "relative", None, None
        match = _LITERAL.match(self.line, self.position)
        if not match:
            raise MalformedLine("the literal does not end on its line")
        self.position = match.end()
        text = _unescaped(match[1], "literal")
        datatype = language = None
        if self.peek() == "@":
            tag = _LANGUAGE.match(self.line, self.position)
            if not tag:
                raise MalformedLine(f"the language tag is malformed{self.rest()}")
            language = tag[1]
            self.position = tag.end()
        elif self.line.startswith("^^", self.position):
            self.position += 2
            datatype = self.iri("datatype")
            if datatype == XSD_STRING:
                datatype = None
        self.skip()
        return text, "literal", datatype, language

    def resource(
        self, role: str, expected: str = "an IRI or a blank node", *, relative_iris: bool = False
    ) -> str:
        if self.peek() == "_":
            match = _BLANK.match(self.line, self.position)
            if not match:
                raise MalformedLine(f"the label of the blank node is malformed{self.rest()}")
            self.position = match.end()
            self.skip()
            return match[0]
        return self.iri(role, expected, relative_iris=relative_iris)

    def iri(
        self, role: str, expected: str = "an IRI in angle brackets", *, relative_iris: bool = False
    ) -> str:
        if self.peek() != "<":
            raise MalformedLine(f"the {role} is not {expected}{self.rest()}")
        match = _IRI.match(self.line, self.position)
        if not match:
            raise MalformedLine(f"the IRI of the {role} does not end{self.rest()}")
        self.position = match.end()
        self.skip()
        return _checked(match[1], role, relative_iris=relative_iris and bool(match[1]))

    def peek(self) -> str:
        return self.line[self.position : self.position + 1]

    def skip(self) -> None:
        match = _SPACE.match(self.line, self.position)
        assert match is not None  # noqa: S101 - the expression matches nothing as well
        self.position = match.end()

    def is_at_end(self) -> bool:
        return self.peek() in {"", "#"}

    def rest(self) -> str:
        text = self.line[self.position :]
        return f": {_short(text)}" if text else ": the line ends"


def _checked(text: str, role: str, *, relative_iris: bool) -> str:
    iri = _unescaped(text, "IRI", only_codes=True) if "\\" in text else text
    forbidden = _FORBIDDEN.search(iri)
    if forbidden:
        sign = "a space" if forbidden[0] == " " else repr(forbidden[0])
        raise MalformedLine(f"the IRI of the {role} contains {sign}: {_short(iri)}")
    if not relative_iris and not _SCHEME.match(iri):
        raise MalformedLine(f"the IRI of the {role} is not absolute: {_short(iri)}")
    return iri


def _unescaped(text: str, where: str, *, only_codes: bool = False) -> str:
    def character(match: re.Match[str]) -> str:
        high, low, short, long, letter = match.groups()
        if high:
            return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
        if short or long:
            number = int(short or long, 16)
            if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                raise MalformedLine(
                    f"the {where} has an escape of an invalid character: {match[0]}"
                )
            return chr(number)
        if only_codes or letter not in _ESCAPED:
            raise MalformedLine(f"the {where} has an unknown escape: {_short(match[0])}")
        return _ESCAPED[letter]

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
