"""Retrieval by the procedures of the plugin: each method is one ``CALL``.

Every method takes the sets of start entities, the arguments of its procedure and the options, and
returns the procedure's rows. :mod:`kgdb.graph.plain.plain_retrieval` does the same without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from kgdb.graph.connection.database import Database
from kgdb.graph.retrieval.retrieval_options import Config

Row = dict[str, Any]
Starts = Sequence[Sequence[str]]
Chains = Sequence[str] | Sequence[Sequence[str]]
Hops = Sequence[Mapping[str, float]] | Sequence[Sequence[Mapping[str, float]]]
Pairs = Sequence[Sequence[tuple[str, str]]] | None
Limits = Sequence[int] | None
Vectors = Sequence[Sequence[float] | None] | None


class Retrieval(Protocol):
    """What both ways of retrieval can do; the rows are those of the procedures."""

    def neighbors(self, starts: Starts, config: Config) -> list[Row]:
        """``kgdb.neighbors``."""

    def relations_around(self, starts: Starts, config: Config) -> list[Row]:
        """``kgdb.relations.around``."""

    def follow(
        self, starts: Starts, chains: Chains, config: Config, limits: Limits = None
    ) -> list[Row]:
        """``kgdb.follow``; one chain for all sets, or one for each, and so with the limit."""

    def candidate_relations(self, starts: Starts, chains: Chains, ends: int) -> list[Row]:
        """``kgdb.relations.around`` the ends of each chain from its set; its place is ``chain``."""

    def paths_all(self, starts: Starts, config: Config) -> list[Row]:
        """``kgdb.paths.all``."""

    def paths_shortest(self, starts: Starts, config: Config) -> list[Row]:
        """``kgdb.paths.shortest``."""

    def beam(self, starts: Starts, hops: Hops, config: Config) -> list[Row]:
        """``kgdb.beam``; the same hops for all sets, or some for each."""

    def pagerank(self, starts: Starts, relationships: Pairs, config: Config) -> list[Row]:
        """``kgdb.pagerank``; the relationships of each set, or those the graph has."""

    def link(self, mentions: Sequence[str], vectors: Vectors, config: Config) -> list[Row]:
        """``kgdb.entities.link``."""


class PluginRetrieval:
    """Calls the procedures for one graph."""

    def __init__(self, database: Database, kg: str) -> None:
        self._database = database
        self._kg = kg

    def neighbors(self, starts: Starts, config: Config) -> list[Row]:
        """``CALL kgdb.neighbors``."""
        return self._database.collected("neighbors", {"nodes": starts, "config": self._map(config)})

    def relations_around(self, starts: Starts, config: Config) -> list[Row]:
        """``CALL kgdb.relations.around``."""
        return self._database.collected(
            "relations/around", {"nodes": starts, "config": self._map(config)}
        )

    def follow(
        self, starts: Starts, chains: Chains, config: Config, limits: Limits = None
    ) -> list[Row]:
        """``CALL kgdb.follow``, once for all sets of the same limit."""
        shared = all(isinstance(spec, str) for spec in chains)
        places: dict[int | None, list[int]] = {}
        for place, limit in enumerate(limits or [None] * len(starts)):
            places.setdefault(limit, []).append(place)
        groups = [
            {
                "places": of,
                "nodes": [starts[place] for place in of],
                "relations": [chains if shared else chains[place] for place in of],
                "config": self._map(config) | ({"limit": limit} if limit else {}),
            }
            for limit, of in places.items()
        ]
        return self._database.collected("follow", {"groups": groups})

    def candidate_relations(self, starts: Starts, chains: Chains, ends: int) -> list[Row]:
        """Two procedures composed in the database, so that the ends do not travel."""
        return self._database.collected(
            "relations/around_chains",
            {
                "starts": starts,
                "chains": chains,
                "follow": {"kg": self._kg, "limit": ends, "paths": 0},
                "config": {"kg": self._kg},
            },
        )

    def paths_all(self, starts: Starts, config: Config) -> list[Row]:
        """``CALL kgdb.paths.all``."""
        return self._database.collected("paths/all", {"nodes": starts, "config": self._map(config)})

    def paths_shortest(self, starts: Starts, config: Config) -> list[Row]:
        """``CALL kgdb.paths.shortest``."""
        return self._database.collected(
            "paths/shortest", {"nodes": starts, "config": self._map(config)}
        )

    def beam(self, starts: Starts, hops: Hops, config: Config) -> list[Row]:
        """``CALL kgdb.beam``."""
        return self._database.collected(
            "beam", {"nodes": starts, "hops": hops, "config": self._map(config)}
        )

    def pagerank(self, starts: Starts, relationships: Pairs, config: Config) -> list[Row]:
        """``CALL kgdb.pagerank``."""
        return self._database.collected(
            "pagerank",
            {"nodes": starts, "relationships": relationships, "config": self._map(config)},
        )

    def link(self, mentions: Sequence[str], vectors: Vectors, config: Config) -> list[Row]:
        """``CALL kgdb.entities.link``."""
        return self._database.collected(
            "link",
            {
                "kg": self._kg,
                "mentions": mentions,
                "vectors": vectors,
                "config": dict(config.given),
            },
        )

    def _map(self, config: Config) -> dict[str, Any]:
        return {"kg": self._kg, **config.given}
