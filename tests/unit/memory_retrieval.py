"""The retrieval procedures over triples in memory, by the reference implementations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import networkx as nx
from reference import CASES
from reference.graph import Reference

from kgdb.graph.linking import name_similarity
from kgdb.graph.linking.name_similarity import NameForms

Row = dict[str, Any]

_LABEL = "Test"
_FOR_THE_SERVER = ("kg", "inMemory", "maxPaths", "timeoutMs")


class MemoryRetrieval:
    """The searches over ``triples`` and ``names``."""

    triples: list[tuple[str, str, str]]
    names: dict[str, str]

    def _search(self, method: str, config: Row, **arguments: Any) -> Iterator[Row]:
        """What the reference finds for each set, as rows of the procedure."""
        case, nodes = CASES[method], arguments["nodes"]
        options = {
            re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", key): value
            for key, value in config.items()
            if key not in _FOR_THE_SERVER
        }
        each = [
            given if given and not isinstance(given[0], Mapping) else [given] * len(nodes)
            for given in (arguments[name] for name in case.search.arguments)
        ]
        graph = self._reference()
        for batch, of_set in enumerate(zip(*each, strict=True)):
            rows, cut = case.find(graph, *of_set, **options)
            yield from ({**row, "batch": batch, "cut": cut} for row in rows)
            if cut and not rows:
                yield {"batch": batch, "cut": cut}

    def _follow(self, groups: Sequence[Row]) -> Iterator[Row]:
        for of in groups:
            for row in self._search(
                "follow", of["config"], nodes=of["nodes"], relations=of["relations"]
            ):
                yield {**row, "batch": of["places"][row["batch"]]}

    def _relations_around_chains(
        self,
        starts: Sequence[Sequence[str]],
        chains: Sequence[Sequence[str]],
        follow: Row,
        config: Row,
    ) -> Iterator[Row]:
        ends: list[list[str]] = [[] for _ in starts]
        for row in self._search("follow", follow, nodes=starts, relations=chains):
            ends[row["batch"]].append(row["id"])
        for row in self._search("relations_around", config, nodes=ends):
            yield {**row, "chain": row["batch"]}

    def _entities_link(
        self, kg: str, mentions: Sequence[str], vectors: Any, config: Row
    ) -> Iterator[Row]:
        for batch, mention in enumerate(mentions):
            found = self._like(name_similarity.stripped(mention))
            found = [row for row in found if row["score"] >= config.get("minScore", 0.0)]
            limit = config.get("limit", 5)
            cut = ["limit"] if len(found) > limit else []
            yield from ({**row, "batch": batch, "cut": cut} for row in found[:limit])

    def _like(self, mention: str) -> list[Row]:
        """The entities that are called like the mention, best first."""
        forms = NameForms.of(mention)
        rows: list[Row] = []
        for id_, name in self.names.items():
            score, matched, reason = name_similarity.best_name(
                mention, forms, id_, [name], by_name=False
            )
            if reason != "vector":
                row = {"id": id_, "name": name, "score": score, "textScore": score}
                rows.append(row | {"vectorScore": None, "matched": matched, "reason": reason})
        # Names with words in common count only where none is like the whole mention.
        likely = [row for row in rows if row["reason"] != "words"]
        return sorted(likely or rows, key=lambda row: (-row["score"], row["id"]))

    def _reference(self) -> Reference:
        store = nx.MultiDiGraph()
        for id_, name in self.names.items():
            store.add_node(id_, id=id_, name=name, labels=frozenset({_LABEL}))
        for head, relation, tail in self.triples:
            store.add_edge(head, tail, relation=relation)
        return Reference(store, _LABEL)
