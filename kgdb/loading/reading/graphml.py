"""GraphML, as networkx, igraph, Gephi, yEd, TinkerPop and APOC write it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from kgdb.loading.reading.checked_xml import OpenElement, XmlGraph
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_elements import (
    Element,
    Node,
    Property,
    Relationship,
    declared_property,
    json_properties,
)
from kgdb.loading.reading.json_values import json_value

_ALL = "all"


def read_graphml(file: File, stream: BinaryIO) -> Iterator[Element]:
    """The nodes and edges of a GraphML file."""
    return _GraphML(file, stream).read()


@dataclass
class _Key:
    """A declared attribute of nodes or edges."""

    name: str
    kind: str
    domain: str
    lists: bool = False
    default: Property | None = None


class _GraphML(XmlGraph):
    root = "graphml"

    def __init__(self, file: File, stream: BinaryIO) -> None:
        super().__init__(file, stream)
        self._keys: dict[str, _Key] = {}
        self._key = ""
        self._data = ""
        # Graphs inside nodes: yEd writes groups so.
        self._directed: list[bool] = []
        self._open: list[OpenElement] = []

    def started(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "key":
                self._declare(attributes)
            case "graph":
                self._directed.append(attributes.get("edgedefault") != "undirected")
            case "node" | "edge" | "hyperedge":
                self.left_out["group of a node"] += name == "node" and bool(self._open)
                self._open.append(OpenElement(name, self.line, attributes))
            case "data":
                self._data = attributes.get("key", "")

    def ended(self, name: str, text: str) -> None:
        match name:
            case "default" if self.path[-2] == "key":
                key = self._keys[self._key]
                key.default = declared_property(key.name, text, key.kind)
            case "graph":
                self._directed.pop()
            case "data" if self._open and self.path[-2] == self._open[-1].tag:
                self._add(self._data, text)
            case "NodeLabel" | "EdgeLabel" if self._open and text.strip():  # yEd draws these
                found = self._open[-1].values
                label = Property("label", " ".join(text.split()))  # it breaks lines to fit
                found.setdefault("label", []).append(label)
            case "node" | "edge" | "hyperedge":
                self.elements.append(self._element(self._open.pop()))

    def _declare(self, attributes: dict[str, str]) -> None:
        # APOC and Gephi omit the name where it is the id.
        self._key = attributes.get("id", "")
        name = attributes.get("attr.name") or self._key
        kind = attributes.get("attr.type", "string").lower()
        lists = attributes.get("attr.list")
        self._keys[self._key] = _Key(
            name, (lists or kind).lower(), attributes.get("for", _ALL), lists is not None
        )

    def _add(self, key_id: str, text: str) -> None:
        values = self._open[-1].values
        key = self._keys.get(key_id) or _Key(key_id, "string", _ALL)
        if key.lists and (items := _json_list(text)) is not None:
            values[key.name] = list(json_properties([(key.name, items)]))
        elif each := declared_property(key.name, text, key.kind):
            values.setdefault(key.name, []).append(each)

    def _element(self, found: OpenElement) -> Element:
        attributes = found.attributes
        if found.tag == "node":
            id = attributes.get("id", "")
            if not id:
                return found.without("id")
            given = attributes.get("labels") or _text(found, "labels")
            labels: tuple[str, ...] = ()
            if given.startswith(":"):  # as APOC writes them: :Person:Actor
                labels = tuple(label for label in given.split(":") if label)
                found.values.pop("labels", None)
            return Node(id, labels, self._properties(found))
        if found.tag == "hyperedge":
            return found.skipped("a hyperedge has more than two ends")
        if not self._directed:
            return found.skipped("the edge is outside of a graph")
        head, tail = (attributes.get(end, "") for end in ("source", "target"))
        if not (head and tail):
            return found.without("target" if head else "source")
        directed = {"true": True, "false": False}.get(attributes.get("directed", ""))
        relation = attributes.get("label") or None
        if relation and _text(found, "label") == relation:  # APOC writes it twice
            del found.values["label"]
        return Relationship(
            head,
            tail,
            relation=relation,
            directed=self._directed[-1] if directed is None else directed,
            properties=self._properties(found),
        )

    def _properties(self, found: OpenElement) -> tuple[Property, ...]:
        keys = [each for each in self._keys.values() if each.domain in {found.tag, _ALL}]
        return found.properties((), ((each.name, [each.default]) for each in keys if each.default))


def _text(found: OpenElement, key: str) -> str:
    values = found.values.get(key)
    return values[0].value if values else ""


def _json_list(text: str) -> list[Any] | None:
    try:
        items = json_value(text)
    except ValueError:
        return None
    return items if isinstance(items, list) else None
