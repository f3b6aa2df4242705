"""GEXF, as Gephi and networkx write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from kgdb.loading.reading.checked_xml import OpenElement, XmlGraph
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_elements import (
    Element,
    Node,
    Property,
    Relationship,
    declared_property,
)

_LIST = "list"
_NODE_FIELDS = {"label": "string"}
_EDGE_FIELDS = {**_NODE_FIELDS, "kind": "string", "weight": "double"}
"""Attributes of the elements themselves that are properties, with their types."""

_TIMES = {"start": "start", "startopen": "start", "end": "end", "endopen": "end"}
"""Attributes with the time of an element or of a spell, and their properties."""

_INTERVAL = re.compile(r"[\[\]]\s*([^,;\[\]<>]+?)\s*,\s*([^,;\[\]<>]+?)\s*[\[\]]")
_UNBOUNDED = frozenset({"-infinity", "infinity", "-inf", "inf", "+infinity"})


def read_gexf(file: File, stream: BinaryIO) -> Iterator[Element]:
    """The nodes and edges of a GEXF file."""
    return _Gexf(file, stream).read()


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
class _Open(OpenElement):
    """A node or an edge, with the times at which it is there."""

    spells: list[dict[str, str]] = field(default_factory=list)


class _Gexf(XmlGraph):
    root = "gexf"

    def __init__(self, file: File, stream: BinaryIO) -> None:
        super().__init__(file, stream)
        self._declared: dict[tuple[str, str], _Attribute] = {}
        self._owner = ""
        self._attribute = _Attribute("", "", "string")
        self._directed = False
        self._times = "string"
        self._open: list[_Open] = []

    def started(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "graph":
                self._directed = attributes.get("defaultedgetype") == "directed"
                self._times = attributes.get("timeformat", "string").lower()
            case "attributes":
                self._owner = attributes.get("class", "node")
            case "attribute":
                id = attributes.get("id", "")
                kind = attributes.get("type", "string").lower()
                self._attribute = _Attribute(self._owner, attributes.get("title") or id, kind)
                self._declared[self._owner, id] = self._attribute
            case "node" | "edge":
                inside = name == "node" and ("pid" in attributes or bool(self._open))
                self.left_out["parent of a node"] += inside
                self._open.append(_Open(name, self.line, attributes))
            case "spell" if self._open:
                self._open[-1].spells.append(_times_of(attributes))
            case "attvalue" if self._open:
                self.left_out["time of an attribute"] += bool(_times_of(attributes))
                self._add(attributes)

    def ended(self, name: str, text: str) -> None:
        match name:
            case "default" if self.path[-2] == "attribute":
                self._attribute.default = tuple(self._attribute.values(text))
            case "node" | "edge":
                self.elements.extend(self._elements(self._open.pop()))

    def _add(self, attributes: dict[str, str]) -> None:
        found = self._open[-1]
        key = attributes.get("for") or attributes.get("id", "")
        declared = self._declared.get((found.tag, key)) or _Attribute(found.tag, key, "string")
        values = declared.values(attributes.get("value", ""))
        found.values.setdefault(declared.title, []).extend(values)

    def _elements(self, found: _Open) -> Iterator[Element]:
        """The node, or the edge once for each of its spells: these are facts of their own."""
        attributes = found.attributes
        spells = found.spells or _intervals(attributes.get("intervals", ""))
        if own := _times_of(attributes):
            spells = [own, *spells]
        if found.tag == "node":
            id = attributes.get("id", "")
            times = [each for spell in spells for each in self._spell(spell)]
            yield Node(id, (), self._properties(found, times)) if id else found.without("id")
            return
        head, tail = attributes.get("source", ""), attributes.get("target", "")
        if not (head and tail):
            yield found.without("target" if head else "source")
            return
        kind = attributes.get("type")
        for spell in spells or [{}]:
            yield Relationship(
                head,
                tail,
                directed=self._directed if kind is None else kind == "directed",
                properties=self._properties(found, self._spell(spell)),
            )

    def _spell(self, spell: dict[str, str]) -> list[Property]:
        texts = (declared_property(key, text, self._times) for key, text in spell.items())
        return [each for each in texts if each]

    def _stamps(self, attributes: dict[str, str]) -> list[Property]:
        """The points in time at which an element is there: one, or a list in angle brackets."""
        inner = attributes.get("timestamps", "").strip(" <>[]")
        texts = [attributes.get("timestamp", ""), *re.split(r"[,;]", inner)]
        stamps = (declared_property("timestamp", text.strip(), self._times) for text in texts)
        return [each for each in stamps if each]

    def _properties(self, found: _Open, times: list[Property]) -> tuple[Property, ...]:
        fields = _NODE_FIELDS if found.tag == "node" else _EDGE_FIELDS
        texts = ((key, found.attributes.get(key, ""), kind) for key, kind in fields.items())
        own = (declared_property(key, text, kind) for key, text, kind in texts)
        properties = [each for each in own if each] + times + self._stamps(found.attributes)
        declared = [each for each in self._declared.values() if each.owner == found.tag]
        return found.properties(properties, ((each.title, each.default) for each in declared))


def _times_of(attributes: dict[str, str]) -> dict[str, str]:
    return {_TIMES[key]: text for key, text in attributes.items() if key in _TIMES}


def _intervals(text: str) -> list[dict[str, str]]:
    """The spells in ``<[2001, 2002]; [2004, Infinity]>``, as GEXF 1.3 writes them."""
    spells = [dict(zip(("start", "end"), pair, strict=True)) for pair in _INTERVAL.findall(text)]
    return [
        {key: time for key, time in spell.items() if time.lower() not in _UNBOUNDED}
        for spell in spells
    ]


def _items(text: str) -> list[str]:
    """The items of a list: ``a|b``, or ``[a, b]`` in later versions."""
    inner = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    if inner:
        return [item.strip().strip("\"'") for item in inner[1].split(",")]
    return [item.strip() for item in re.split(r"[|;]", text)]
