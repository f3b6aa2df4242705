"""Single lines of N-Triples and N-Quads, parsed by pyoxigraph.

:mod:`kgdb.loading.reading.ntriples` uses this only for lines that its fast path does not match. The
parser is lenient, since real dumps write one character as two escapes, as Java does, and any
percent sign into an IRI. So IRIs are checked here.
"""

from __future__ import annotations

import re
from typing import Any

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple, parse

from kgdb.loading.reading.input_limits import MAX_DEPTH
from kgdb.wording import brief

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FORBIDDEN = re.compile(r'[\x00-\x20<>"{}|^`\\]')
# A triple as a subject, as in RDF-star: the parser knows RDF 1.2, which has none.
_QUOTED = re.compile(r'\s*<<((?:[^"]|"(?:[^"\\]|\\.)*")*?)>>(?=\s*<)')
_NESTED = "a triple about a triple about a triple"
_SHOWN = 60


class MalformedLine(Exception):
    """A line that is not a statement; the message is the problem."""


def parse_line(line: str, *, relative_iris: bool = False) -> dict[str, Any] | None:
    """The columns of the statement on the line; ``None`` for a blank line or a comment.

    ``graph`` is the IRI or the label of a fourth term; ``about`` has the columns of the triple that
    is the subject, or the object, whose kind then is ``triple``. ``relative_iris``: whether the
    object may be a relative IRI. Raises :class:`MalformedLine`.
    """
    text = line.removeprefix("\ufeff")
    if quoted := _QUOTED.match(text):
        text = f"{quoted[1]} .\n_:about {text[quoted.end() :]}"
    if text.count("<<(") > MAX_DEPTH:  # very many would end the process
        raise MalformedLine(_NESTED)
    try:
        statements = list(parse(text, format=RdfFormat.N_QUADS, lenient=True))
    except SyntaxError as error:
        raise _malformed(text, error) from error
    if not (statements or quoted):
        return None
    if len(statements) != 1 + bool(quoted):
        raise MalformedLine("the line does not hold one statement")
    statement = statements[-1]
    row = _columns(statement, text, relative_iris=relative_iris)
    row["about"] = _columns(statements[0], text) if quoted else None
    if isinstance(statement.object, Triple):
        if quoted:
            raise MalformedLine("both the subject and the object are triples")
        row["about"] = _columns(statement.object, text)
    if row["about"] and row["about"]["kind"] == "triple":
        raise MalformedLine(_NESTED)
    graph = statement.graph_name
    row["graph"] = _resource(graph, "graph") if isinstance(graph, BlankNode | NamedNode) else None
    return row


def _columns(triple: Quad | Triple, text: str, *, relative_iris: bool = False) -> dict[str, Any]:
    kind, datatype, language = "iri", None, None
    value = triple.object
    if isinstance(value, Triple):
        kind, content = "triple", ""
    elif isinstance(value, Literal):
        kind, content = "literal", value.value
        if value.direction:
            raise MalformedLine("the literal has a direction")
        if value.language:  # in the letters of the line: the parser makes them small
            written = re.findall(f'"[ \t]*@({re.escape(value.language)})', text, re.IGNORECASE)
            language = written[-1]
        elif value.datatype.value != XSD_STRING:
            datatype = _resource(value.datatype, "datatype")
    else:
        content = _resource(value, "object", relative=relative_iris)
        if isinstance(value, BlankNode):
            kind = "blank"
        elif not _SCHEME.match(content):
            kind = "relative"
    return {
        "subject": _resource(triple.subject, "subject"),
        "predicate": _resource(triple.predicate, "predicate"),
        "object": content,
        "kind": kind,
        "datatype": datatype,
        "language": language,
    }


def _resource(node: Any, role: str, *, relative: bool = False) -> str:
    if isinstance(node, BlankNode):
        return f"_:{node.value}"
    iri: str = node.value
    if forbidden := _FORBIDDEN.search(iri):
        sign = "a space" if forbidden[0] == " " else repr(forbidden[0])
        raise MalformedLine(f"the IRI of the {role} contains {sign}: {brief(iri, _SHOWN)}")
    if not (_SCHEME.match(iri) or (relative and iri)):
        raise MalformedLine(f"the IRI of the {role} is not absolute: {brief(iri, _SHOWN)}")
    return iri


def _malformed(text: str, error: SyntaxError) -> MalformedLine:
    """The parser's words without the place, and the text from there on."""
    problem = error.msg.partition(": ")[2].replace("end of file", "end of the line")
    lines = text.splitlines(keepends=True)[(error.lineno or 1) - 1 :]
    rest = "".join(lines)[(error.offset or 1) - 1 :].strip()
    return MalformedLine(
        f"{problem[:1].lower()}{problem[1:]}: {brief(rest, _SHOWN) or 'the line ends'}"
    )
