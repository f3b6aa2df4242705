"""The retrieval procedures over triples in memory, by the reference implementations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import networkx as nx
import reference
from reference import Reference
from reference.graph import Rows

from kgdb.graph.linking import name_similarity
from kgdb.graph.linking.name_similarity import NameForms

Row = dict[str, Any]

_LABEL = "Test"
_FOR_THE_SERVER = ("kg", "inMemory", "timeoutMs")
_PATH = ("source", "target", "hops", "ids", "names", "relations", "count")
_BEAM = ("id", "name", "score", "ids", "names", "relations", "similarities", "count")
_RANK = ("id", "name", "score", "iterations", "converged")


class MemoryRetrieval:
    """Path search, beam search, PageRank and linking over ``triples`` and ``names``."""

    triples: list[tuple[str, str, str]]
    names: dict[str, str]

    def _paths_all(self, nodes: Sequence[Sequence[str]], config: Row) -> Iterator[Row]:
        return self._by_reference(reference.all_paths, _PATH, config, nodes)

    def _paths_shortest(self, nodes: Sequence[Sequence[str]], config: Row) -> Iterator[Row]:
        return self._by_reference(reference.shortest_paths, _PATH, config, nodes)

    def _beam(
        self, nodes: Sequence[Sequence[str]], hops: Sequence[Any], config: Row
    ) -> Iterator[Row]:
        shared = all(isinstance(hop, Mapping) for hop in hops)
        each = [hops for _ in nodes] if shared else hops
        return self._by_reference(reference.beam, _BEAM, config, nodes, each)

    def _pagerank(
        self,
        nodes: Sequence[Sequence[str]],
        relationships: Sequence[Sequence[tuple[str, str]]] | None,
        config: Row,
    ) -> Iterator[Row]:
        each = relationships or [None for _ in nodes]
        return self._by_reference(reference.pagerank, _RANK, config, nodes, each)

    def _link(self, kg: str, mentions: Sequence[str], vectors: Any, config: Row) -> Iterator[Row]:
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

    def _by_reference(
        self,
        search: Callable[..., Rows],
        columns: Sequence[str],
        config: Row,
        *arguments: Sequence[Any],
    ) -> Iterator[Row]:
        graph = self._reference()
        options = {
            re.sub("[A-Z]", lambda match: f"_{match[0].lower()}", key): value
            for key, value in config.items()
            if key not in _FOR_THE_SERVER
        }
        for batch, given in enumerate(zip(*arguments, strict=True)):
            rows, cut = search(graph, *given, **options)
            for row in rows:
                yield dict(zip(columns, row, strict=True)) | {"batch": batch, "cut": cut}
            if cut and not rows:
                yield dict.fromkeys(columns) | {"batch": batch, "cut": cut}

    def _reference(self) -> Reference:
        store = nx.MultiDiGraph()
        for id_, name in self.names.items():
            store.add_node(id_, id=id_, name=name, labels=frozenset({_LABEL}))
        for head, relation, tail in self.triples:
            store.add_edge(head, tail, relation=relation)
        return Reference(store, _LABEL)
