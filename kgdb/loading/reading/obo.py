"""Ontologies in OBO: terms with names, synonyms, definitions and relationships.

The format: https://owlcollab.github.io/oboformat/doc/GO.format.obo-1_4.html
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_elements import (
    BOOLEAN,
    Element,
    LeftOut,
    Node,
    Property,
    Relationship,
    Skipped,
    declared_property,
)

_STANZA = re.compile(r"\[(\w+)\]\s*")
_TAG = re.compile(r"([A-Za-z_][\w-]*)\s*:\s*(.*)", re.DOTALL)
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_QUOTED = re.compile(rf"{_TEXT}\s*(.*)", re.DOTALL)
# A comment begins with an exclamation mark after a space, outside of quotation marks.
_UNCOMMENTED = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\\.|[^"!\\]|(?<=\S)!|"|\\$)*', re.DOTALL)
_QUALIFIERS = re.compile(rf"(?<!\\)\{{((?:[^{{}}\"]|{_TEXT})*)\}}\s*$")
_QUALIFIER = re.compile(rf"([\w:.-]+)\s*=\s*{_TEXT}")
_ESCAPES = {"n": "\n", "W": " ", "t": "\t"}

_TO_TERMS = frozenset("is_a instance_of disjoint_from equivalent_to replaced_by consider".split())
"""Tags whose value is another term."""

_LEFT_OUT = frozenset(
    "created_by creation_date intersection_of union_of expand_assertion_to".split()
)
"""Tags that give a term no value: who wrote it, and definitions for reasoners."""

_MORE = {"def": "sources of def", "synonym": "scope of synonym", "xref": "text of xref"}
"""What the value of a tag may have besides what is taken, by the tag."""

_LABELS = {"Term": "Term", "Typedef": "Typedef", "Instance": "Instance"}


def read_obo(file: File, stream: BinaryIO) -> Iterator[Element]:
    """The terms of an OBO file and their relationships; obsolete terms too."""
    return _Obo(file).read(stream)


class _Obo:
    def __init__(self, file: File) -> None:
        self._file = file
        self._line = 0
        self._stanza = ""
        self._start = 0
        self._tags: list[tuple[int, str, str]] = []
        self._left_out: Counter[str] = Counter()

    def read(self, stream: BinaryIO) -> Iterator[Element]:
        text = io.TextIOWrapper(stream, "utf-8-sig", errors="strict", newline=None)
        whole = ""
        for line in text:
            self._line += 1
            if line.endswith("\\\n"):  # goes on in the next line
                whole += line[:-2]
                continue
            yield from self._take((whole + line).strip())
            whole = ""
        yield from self._end()
        for what, number in sorted(self._left_out.items()):
            yield LeftOut(what, number)
        if not self._stanza:
            raise LoadError(
                f"{self._file.name} has no [Term].",
                hint="Expected an ontology in OBO. For OWL in RDF/XML: kgdb load rdfxml.",
            )

    def _take(self, line: str) -> Iterator[Element]:
        if not line or line.startswith("!"):
            return
        if stanza := _STANZA.fullmatch(line):
            yield from self._end()
            self._stanza, self._start = stanza[1], self._line
            return
        tag = _TAG.fullmatch(line)
        if tag:
            self._tags.append((self._line, tag[1], tag[2]))
        elif self._stanza:
            yield Skipped(self._line, "the line has neither a tag nor a colon", line)

    def _end(self) -> Iterator[Element]:
        """The elements of the stanza that ends here."""
        tags, self._tags = self._tags, []
        if self._stanza not in _LABELS:  # the header
            return
        id = next((_plain(value) for _, tag, value in tags if tag == "id"), "")
        if not id:
            yield Skipped(self._start, f"the [{self._stanza}] has no id", f"[{self._stanza}]")
            return
        properties: list[Property] = []
        for line, tag, value in tags:
            if tag == "relationship" or tag in _TO_TERMS:
                yield from self._relationship(id, line, tag, value)
            elif tag in _LEFT_OUT:
                self._left_out[tag] += 1
            elif tag != "id":
                properties += _properties(tag, value)
                if tag in _MORE and _has_more(tag, value):
                    self._left_out[_MORE[tag]] += 1
        yield Node(id, (_LABELS[self._stanza],), tuple(properties))

    def _relationship(self, id: str, line: int, tag: str, value: str) -> Iterator[Element]:
        if self._stanza == "Typedef":  # is_a between relations is no fact about terms
            self._left_out[f"{tag} of a Typedef"] += 1
            return
        text, qualifiers = _qualified(value)
        relation, _, other = text.partition(" ") if tag == "relationship" else (tag, "", text)
        if other.strip():
            other = _unescaped(other.split()[0])
            yield Relationship(id, other, relation, properties=qualifiers)
        else:
            yield Skipped(line, "the relationship has no other term", f"{tag}: {value}")


def _properties(tag: str, value: str) -> list[Property]:
    """The values that a tag gives to its term."""
    text, _ = _qualified(value)
    if tag == "synonym":
        quoted = _QUOTED.match(text)
        return [Property("synonym", _unescaped(quoted[1]))] if quoted else []
    if tag == "def":
        quoted = _QUOTED.match(text)
        return [Property("definition", _unescaped(quoted[1] if quoted else text))]
    if tag == "property_value":
        return _property_value(text)
    if tag == "xref":
        text = text.split(' "')[0]  # its description
    plain = _unescaped(text)
    return [Property(tag, plain, BOOLEAN if plain in {"true", "false"} else None)]


def _has_more(tag: str, value: str) -> bool:
    """Whether a value has more than what is taken of it: see ``_MORE``."""
    text, _ = _qualified(value)
    quoted = _QUOTED.match(text)
    if tag in ("def", "synonym"):
        return quoted is not None and quoted[2].strip() not in ("", "[]")
    return tag == "xref" and ' "' in text


def _property_value(text: str) -> list[Property]:
    """The value in ``RELATION "text" xsd:type`` or ``RELATION ID``."""
    relation, _, rest = text.partition(" ")
    quoted = _QUOTED.match(rest)
    if not quoted:
        return [Property(relation, _unescaped(rest.split(" ")[0]))] if rest else []
    kind = quoted[2].strip().removeprefix("xsd:").lower()
    found = declared_property(relation, _unescaped(quoted[1]), kind)
    return [found] if found else []


def _qualified(value: str) -> tuple[str, tuple[Property, ...]]:
    """A value without its comment and its qualifiers, and these."""
    uncommented = _UNCOMMENTED.match(value)
    text = (uncommented[0] if uncommented else value).strip()
    match = _QUALIFIERS.search(text)
    if not match:
        return text, ()
    pairs = _QUALIFIER.findall(match[1])
    qualifiers = tuple(Property(key, _unescaped(value)) for key, value in pairs)
    return text[: match.start()].strip(), qualifiers


def _plain(value: str) -> str:
    return _unescaped(_qualified(value)[0])


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text)
