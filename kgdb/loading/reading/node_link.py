"""Node-link JSON, as networkx, D3 and many web pages write it; Cytoscape's JSON and hetnets too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from kgdb.errors import LoadError
from kgdb.loading.reading.files import File
from kgdb.loading.reading.graph_elements import (
    Element,
    Node,
    Relationship,
    Skipped,
    id_text,
    json_properties,
)
from kgdb.loading.reading.json_values import JsonStream

_NODES = frozenset({"nodes", "vertices"})
_EDGES = frozenset({"links", "edges", "relationships"})
_IDS = ("id", "key")  # sigma's graphology writes key
_HEADS, _TAILS = ("source", "from", "start"), ("target", "to", "end")


def read_node_link(file: File, stream: BinaryIO) -> Iterator[Element]:
    """The nodes and links of the object ``{"nodes": […], "links": […]}``.

    A link names its ends by their ids. Where a number is no id of a node, it is the place of the
    node in the list, as in D3's examples.
    """
    document = JsonStream(file.name, stream)
    reader = _NodeLink(document)
    for key, value in document.pieces():
        match key:
            case "directed":
                reader.directed = bool(value)
            case _ if key in _NODES:
                yield from reader.node(value)
            case _ if key in _EDGES:
                yield from reader.link(value)
            case "elements":  # Cytoscape's JSON
                yield from reader.cytoscape(value)
            case "adjacency":  # networkx.adjacency_data
                yield from reader.adjacent(value)
    if not reader.known:
        raise LoadError(
            f'{file.name} has neither "nodes" nor "links" (or "edges").',
            hint='Expected one JSON object: {"nodes": [{"id": …}, …], "links": [{"source": …, '
            '"target": …}, …]}. For an array of objects: kgdb load jsonl.',
        )


class _NodeLink:
    def __init__(self, document: JsonStream) -> None:
        self._document = document
        self._ids: list[str] = []
        self._known_ids: set[str] = set()
        self._places: dict[str, int] = {}
        self._adjacent = 0
        self.directed = True
        self.known = False

    def node(self, value: Any) -> Iterator[Element]:
        self.known = True
        if not isinstance(value, dict):
            yield self._skipped("the node is not an object", value)
            return
        given = next((key for key in _IDS if id_text(value.get(key)) is not None), None)
        hetnet_id = _hetnet_id([value.get("kind"), value.get("identifier")])
        if given is None and hetnet_id:
            self._known_ids.add(hetnet_id)
            fields = _hetnet_fields(value, "kind", "name")
            yield Node(hetnet_id, properties=tuple(json_properties(fields.items())))
            return
        if given is None:
            # D3's first examples give a node a name only; the links then count the nodes.
            name = value.get("name")
            if not isinstance(name, str) or not name:
                yield self._skipped("the node has no id", value)
                self._ids.append("")
                return
            id = name
        else:
            id = str(id_text(value[given]))
        self._ids.append(id)
        self._known_ids.add(id)
        fields = dict(_flat(value))
        fields.pop(given or "", None)
        yield Node(id, properties=tuple(json_properties(fields.items())))

    def link(self, value: Any) -> Iterator[Element]:
        self.known = True
        if not isinstance(value, dict):
            yield self._skipped("the link is not an object", value)
            return
        if "source_id" in value and "target_id" in value:
            yield self._hetnet_edge(value)
            return
        fields = dict(_flat(value))
        ends = []
        for role, names in (("source", _HEADS), ("target", _TAILS)):
            name = next((name for name in names if name in fields), None)
            end = self._end(fields.pop(name) if name else None)
            if end is None:
                yield self._skipped(f"the link has no {role}", value)
                return
            ends.append(end)
        if isinstance(fields.get("key"), int):  # networkx counts parallel links so
            del fields["key"]
        directed = fields.pop("directed", self.directed)
        if fields.pop("undirected", False):
            directed = False
        head, tail = ends
        yield Relationship(
            head,
            tail,
            directed=bool(directed),
            properties=tuple(json_properties(fields.items())),
        )

    def adjacent(self, value: Any) -> Iterator[Element]:
        """The links of the next node of the list: networkx writes the other ends of each node.

        It writes an undirected link at both its ends, of which the first counts.
        """
        at, self._adjacent = self._adjacent, self._adjacent + 1
        if not at:
            self._places = {id: place for place, id in enumerate(self._ids)}
        if not isinstance(value, list) or at >= len(self._ids):
            yield self._skipped("the list of links belongs to no node of the file", value)
            return
        for link in value:
            if not isinstance(link, dict) or self._end(link.get("id")) is None:
                yield self._skipped("the link has no target", link)
                continue
            target = str(self._end(link["id"]))
            if self.directed or self._places.get(target, at) >= at:
                rest = {key: inner for key, inner in link.items() if key != "id"}
                yield from self.link({**rest, "source": self._ids[at], "target": target})

    def _hetnet_edge(self, value: dict[str, Any]) -> Element:
        """The edge of a hetnet; its direction is ``both``, ``forward`` or ``backward``."""
        head, tail = _hetnet_id(value["source_id"]), _hetnet_id(value["target_id"])
        if head is None or tail is None:
            return self._skipped("an end of the edge is no kind with an identifier", value)
        direction = value.get("direction")
        if direction == "backward":
            head, tail = tail, head
        return Relationship(
            head,
            tail,
            id_text(value.get("kind")),
            directed=direction != "both",
            properties=tuple(json_properties(_hetnet_fields(value).items())),
        )

    def cytoscape(self, value: Any) -> Iterator[Element]:
        """The elements of Cytoscape's JSON: two lists by group, or one element of one list."""
        if not isinstance(value, dict):
            yield self._skipped("the element is not an object", value)
        elif "data" in value:
            data = value["data"]
            is_edge = isinstance(data, dict) and "source" in data and "target" in data
            is_edge = value.get("group", "edges" if is_edge else "nodes") == "edges"
            yield from self._cytoscape_edge(data) if is_edge else self.node(data)
        else:
            for node in _items(value.get("nodes")):
                yield from self.node(_data(node))
            for edge in _items(value.get("edges")):
                yield from self._cytoscape_edge(_data(edge))

    def _cytoscape_edge(self, data: Any) -> Iterator[Element]:
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key not in {"id", "SUID"}}
        yield from self.link(data)

    def _end(self, value: Any) -> str | None:
        """The id of a node at the end of a link; D3 puts the whole node there once it has drawn."""
        if isinstance(value, dict):
            value = next((value[key] for key in (*_IDS, "name") if key in value), None)
        id = id_text(value)
        if isinstance(value, int) and id not in self._known_ids and 0 <= value < len(self._ids):
            return self._ids[value] or None
        return id

    def _skipped(self, problem: str, value: Any) -> Skipped:
        return Skipped(self._document.line, problem, json.dumps(value, ensure_ascii=False))


def _flat(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields, with those of graphology's ``attributes`` among them."""
    for key, inner in value.items():
        if key == "attributes" and isinstance(inner, dict):
            yield from inner.items()
        else:
            yield key, inner


def _hetnet_id(pair: Any) -> str | None:
    """The id ``Gene::9021`` of a kind and an identifier; ``None`` for something else."""
    if not (isinstance(pair, list) and len(pair) == 2):
        return None
    kind, identifier = map(id_text, pair)
    return f"{kind}::{identifier}" if kind and identifier else None


def _hetnet_fields(value: Mapping[str, Any], *own: str) -> dict[str, Any]:
    """The data of a node or an edge of a hetnet, beside its ``own`` fields."""
    data = value.get("data")
    fields = {key: value[key] for key in own if key in value}
    return {**(data if isinstance(data, dict) else {}), **fields}


def _items(value: Any) -> list[Any]:
    """The items of a list; something else stands for itself, and null for nothing."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _data(element: Any) -> Any:
    return element.get("data", element) if isinstance(element, dict) else element
