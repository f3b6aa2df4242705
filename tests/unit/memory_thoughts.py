"""Graphs of thought over triples in memory: CREATE statements, and patterns by brute force."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memory_retrieval import MemoryRetrieval

from kgdb.values import Step

Row = dict[str, Any]

_NODE = r"\(\s*(\w*)\s*(?::\s*(\w+))?\s*(?:\{\s*name:\s*'([^']*)'\s*\})?\s*\)"
_EDGE = r"\s*(<)?-\[:([^\]\s]+)\]-(>)?\s*"
_PATH = re.compile(rf"CREATE\s+({_NODE}(?:{_EDGE}{_NODE})*)\s*")
_PART = re.compile(rf"{_EDGE}{_NODE}|{_NODE}")
_FENCE = re.compile(r"```\w*")


class MemoryThoughts(MemoryRetrieval):
    """``kgdb.got.run`` for the simplest scripts, ``kgdb.got.match``, and both in company."""

    def _got_run(self, scripts: Sequence[str], config: Row) -> Iterator[Row]:
        for batch, script in enumerate(scripts):
            yield {"batch": batch, **_run(script)}

    def _got_ground(self, scripts: Sequence[str], config: Row, kg: str, link: Row) -> Iterator[Row]:
        for row in self._got_run(scripts, config):
            named = [place for place, node in enumerate(row["nodes"]) if node["properties"]]
            found = self._entities_link(
                kg, [row["nodes"][place]["name"] for place in named], None, link
            )
            entities = [[named[each["batch"]], each["id"], each["name"], []] for each in found]
            yield row | {"entities": entities}

    def _got_match(
        self, thoughts: Sequence[Row], groundings: Sequence[Row], config: Row
    ) -> Iterator[Row]:
        for batch, (thought, grounding) in enumerate(zip(thoughts, groundings, strict=True)):
            rows = sorted(self._embeddings(thought, grounding), key=lambda row: -row["score"])
            limit = config.get("limit", 10)
            cut = ["limit"] if len(rows) > limit else []
            yield from ({**row, "batch": batch, "cut": cut} for row in rows[:limit])

    def _search_all(
        self,
        wanted: Sequence[Row],
        beam: Row,
        match: Row,
        follow: Row,
        shortest: Row,
        neighbors: Row,
    ) -> Iterator[Row]:
        for of in wanted:
            yield {
                "beams": list(self._search("beam", beam, nodes=of["starts"], hops=of["hops"])),
                "matches": list(self._got_match(of["thoughts"], of["groundings"], match)),
                "ends": list(
                    self._search("follow", follow, nodes=of["sources"], relations=of["chains"])
                ),
                "paths": list(self._search("shortest_paths", shortest, nodes=of["entities"])),
                "neighbors": list(self._search("neighbors", neighbors, nodes=of["entities"])),
            }

    def _embeddings(self, thought: Row, grounding: Row) -> Iterator[Row]:
        """Every way to put a fact in the place of each edge, the last edge growing last."""
        variables = [node["variable"] for node in thought["nodes"]]
        allowed = grounding["nodes"]

        def grow(number: int, ids: Mapping[str, str], taken: Sequence[Any]) -> Iterator[Row]:
            if number == len(thought["relationships"]):
                yield self._embedding(ids, taken)
                return
            edge = thought["relationships"][number]
            source, target = variables[edge["source"]], variables[edge["target"]]
            for relation, similarity in grounding["relations"][edge["type"]].items():
                step = Step.parse(relation)
                for place, (head, name, tail) in enumerate(self.triples):
                    begin, end = (tail, head) if step.reverse else (head, tail)
                    bound = {**ids, source: begin, target: end}
                    if (
                        name == step.relation
                        and all(place != other for other, *_ in taken)
                        and all(ids.get(v, bound[v]) == bound[v] for v in (source, target))
                        and all(bound[v] in allowed.get(v, [bound[v]]) for v in (source, target))
                    ):
                        yield from grow(number + 1, bound, [*taken, (place, relation, similarity)])

        yield from grow(0, {}, [])

    def _embedding(self, ids: Mapping[str, str], taken: Sequence[Any]) -> Row:
        return {
            "id": None,
            "name": None,
            "score": sum(similarity for *_, similarity in taken),
            "ids": dict(ids),
            "names": {variable: self.names[id_] for variable, id_ in ids.items()},
            "relations": [[relation] for _, relation, _ in taken],
            "similarities": [similarity for *_, similarity in taken],
            "triples": [list(self.triples[place]) for place, *_ in taken],
            "count": 1,
        }


def _run(script: str) -> Row:
    """What becomes of a script: its graph, or where it is no such graph."""
    nodes: list[Row] = []
    edges: list[Row] = []
    places: dict[str, int] = {}
    end = 0
    text = _FENCE.sub(lambda fence: " " * len(fence[0]), script)
    while text[end:].strip():
        end += len(text[end:]) - len(text[end:].lstrip())
        found = _PATH.match(text, end)
        if not found:
            return _refused(script, end)
        _read_path(found[1], nodes, edges, places)
        end = found.end()
    if not nodes:
        return _refused(script, 0)
    return _row("ok", nodes=nodes, relationships=edges)


def _read_path(text: str, nodes: list[Row], edges: list[Row], places: dict[str, int]) -> None:
    before = -1
    for part in _PART.finditer(text):
        backwards, type_, _, *with_edge = part.groups()[:6]
        variable, label, name = with_edge if type_ else part.groups()[6:]
        if variable not in places or not variable:
            places[variable] = len(nodes)
            properties = {"name": name} if name is not None else {}
            shown = name if name is not None else variable or f"_{len(nodes) + 1}"
            labels = [label] if label else []
            nodes.append(
                {"variable": variable or None, "name": shown, "labels": labels}
                | {"properties": properties}
            )
        place = places[variable]
        if type_:
            source, target = (place, before) if backwards else (before, place)
            edges.append({"source": source, "type": type_, "target": target, "properties": {}})
        before = place


def _refused(script: str, end: int) -> Row:
    line = script.count("\n", 0, end) + 1
    column = end - (script.rfind("\n", 0, end) + 1) + 1
    word = (script[end:].split() or [""])[0][:20]
    message = f"expected CREATE, found {word!r}"
    return _row("SYNTAX", message=message, line=line, column=column)


def _row(status: str, **given: Any) -> Row:
    blank: Row = {"message": None, "line": None, "column": None, "triples": []}
    return blank | {"status": status, "nodes": [], "relationships": [], "executed": True} | given
