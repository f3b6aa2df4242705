"""GEXF, as Gephi and networkx write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_files.elements import (
    Element,
    Node,
    Property,
    Relationship,
    Skipped,
    declared_property,
)
from kgdb.loading.reading.graph_files.xml_elements import XmlGraph, shown

_LIST = "list"
_NODE_FIELDS = {"label": "string", "start": "string", "end": "string"}
_EDGE_FIELDS = {**_NODE_FIELDS, "kind": "string", "weight": "double"}
"""Attributes of the elements themselves that are properties, with their types."""


def read_gexf(file: File, stream: BinaryIO) -> Iterator[Element]:
    """The nodes and edges of a GEXF file."""
    return _Gexf(file).read(stream)


@dataclass
class _Attribute:
    """A declared attribute; ``owner`` is ``node`` or ``edge``."""

    owner: str
    title: str
    kind: str
    default: tuple[Property, ...] = ()

    def values(self, text: str) -> list[Property]:
        """The values in a text: several in a list."""
        kind = self.kind.removeprefix(_LIST)
        texts = _items(text) if self.kind.startswith(_LIST) else [text]
        each = (declared_property(self.title, one, kind) for one in texts)
        return [one for one in each if one]


@dataclass
class _Open:
    """A node or an edge whose end is not read yet."""

    tag: str
    line: int
    attributes: dict[str, str]
    values: dict[str, list[Property]] = field(default_factory=dict)


class _Gexf(XmlGraph):
    root = "gexf"

    def __init__(self, file: File) -> None:
        super().__init__(file)
        self._declared: dict[tuple[str, str], _Attribute] = {}
        self._owner = self._attribute = ""
        self._directed = False
        self._open: list[_Open] = []

    def started(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "graph":
                self._directed = attributes.get("defaultedgetype") == "directed"
            case "attributes":
                self._owner = attributes.get("class", "node")
            case "attribute":
                self._attribute = attributes.get("id", "")
                title = attributes.get("title") or self._attribute
                kind = attributes.get("type", "string").lower()
                declared = _Attribute(self._owner, title, kind)
                self._declared[self._owner, self._attribute] = declared
            case "node" | "edge":
                self._open.append(_Open(name, self.line, attributes))
            case "attvalue" if self._open:
                self._add(attributes)

    def ended(self, name: str, text: str) -> None:
        match name:
            case "default" if self.path[-2] == "attribute":
                declared = self._declared[self._owner, self._attribute]
                declared.default = tuple(declared.values(text))
            case "node" | "edge":
                self.elements.append(self._element(self._open.pop()))

    def _add(self, attributes: dict[str, str]) -> None:
        found = self._open[-1]
        key = attributes.get("for") or attributes.get("id", "")
        declared = self._declared.get((found.tag, key)) or _Attribute(found.tag, key, "string")
        values = declared.values(attributes.get("value", ""))
        found.values.setdefault(declared.title, []).extend(values)

    def _element(self, found: _Open) -> Element:
        attributes = found.attributes
        if found.tag == "node":
            id = attributes.get("id", "")
            return Node(id, (), self._properties(found)) if id else _skipped(found, "id")
        head, tail = attributes.get("source", ""), attributes.get("target", "")
        if not (head and tail):
            return _skipped(found, "target" if head else "source")
        kind = attributes.get("type")
        return Relationship(
            head,
            tail,
            directed=self._directed if kind is None else kind == "directed",
            properties=self._properties(found),
        )

    def _properties(self, found: _Open) -> tuple[Property, ...]:
        fields = _NODE_FIELDS if found.tag == "node" else _EDGE_FIELDS
        texts = ((key, found.attributes.get(key, ""), kind) for key, kind in fields.items())
        own = (declared_property(key, text, kind) for key, text, kind in texts)
        properties = [each for each in own if each]
        properties += [each for values in found.values.values() for each in values]
        for declared in self._declared.values():
            if declared.owner == found.tag and declared.title not in found.values:
                properties += declared.default
        return tuple(properties)


def _skipped(found: _Open, missing: str) -> Skipped:
    return Skipped(
        found.line, f"the {found.tag} has no {missing}", shown(found.tag, found.attributes)
    )


def _items(text: str) -> list[str]:
    """The items of a list: ``a|b``, or ``[a, b]`` in later versions."""
    inner = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    if inner:
        return [item.strip().strip("\"'") for item in inner[1].split(",")]
    return [item.strip() for item in re.split(r"[|;]", text)]
