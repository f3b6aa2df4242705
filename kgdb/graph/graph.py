"""One knowledge graph: the typed mirror of ``CALL kgdb.*`` and of its full-text index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kgdb.errors import UsageError
from kgdb.graph.catalog import GraphInfo
from kgdb.graph.database import Database
from kgdb.model import Entity, Path, Step


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A neighbour of ``source`` (an entity id) over ``count`` parallel edges.

    ``truncated``: a cap kept other neighbours of this source out.
    """

    source: str
    step: Step
    entity: Entity
    count: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class RelationAround:
    """A relation that ``nodes`` of the given entities have, ``count`` edges in all."""

    step: Step
    nodes: int
    count: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class FollowedEntity:
    """An end of a relation chain: reached from ``starts`` entities over ``count`` paths.

    ``paths`` holds the first of them; ``truncated``: a cap cut the search.
    """

    entity: Entity
    starts: int
    count: int
    paths: tuple[Path, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a full-text query found, with the index's score (higher is better)."""

    entity: Entity
    score: float


@dataclass(frozen=True, slots=True)
class RelationInfo:
    """What the bookkeeping says of a relation; a text is ``None`` where the loader gave none."""

    id: str
    count: int
    text: str | None
    inverse: str | None
    question: str | None
    inverse_question: str | None


class Graph:
    """A loaded knowledge graph. Each method is one round trip to the database.

    ``nodes`` are entity ids. A relation is written ``"directed_by"``, or ``"^directed_by"`` for
    the way against it. ``None`` for a cap leaves the procedure's default, which
    ``docs/procedures.md`` gives.
    """

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self.database = database
        self.info = info

    @property
    def name(self) -> str:
        """The name the graph was loaded under."""
        return self.info.name

    def neighbors(
        self,
        nodes: Sequence[str],
        *,
        relations: Sequence[str | Step] = (),
        direction: str | None = None,
        limit: int | None = None,
        per_relation: int | None = None,
        max_degree: int | None = None,
        timeout_ms: int | None = None,
    ) -> list[Neighbor]:
        """``CALL kgdb.neighbors``: everything one hop away.

        ``relations`` allows only these; ``direction`` is ``"both"``, ``"out"`` or ``"in"``.
        """
        config = self._config(
            relations=[str(relation) for relation in relations] or None,
            direction=direction,
            limit=limit,
            perRelation=per_relation,
            maxDegree=max_degree,
            timeoutMs=timeout_ms,
        )
        rows = self.database.run("neighbors", {"nodes": _ids(nodes), "config": config})
        return [
            Neighbor(
                row["source"],
                _step(row),
                Entity(row["id"], row["name"]),
                row["count"],
                row["truncated"],
            )
            for row in rows
        ]

    def relations_around(
        self,
        nodes: Sequence[str],
        *,
        relations: Sequence[str | Step] = (),
        direction: str | None = None,
        limit: int | None = None,
        timeout_ms: int | None = None,
    ) -> list[RelationAround]:
        """``CALL kgdb.relations.around``: the distinct relations of these entities."""
        config = self._config(
            relations=[str(relation) for relation in relations] or None,
            direction=direction,
            limit=limit,
            timeoutMs=timeout_ms,
        )
        rows = self.database.run("relations_around", {"nodes": _ids(nodes), "config": config})
        return [
            RelationAround(_step(row), row["nodes"], row["count"], row["truncated"]) for row in rows
        ]

    def follow(
        self,
        nodes: Sequence[str],
        relations: Sequence[str | Step],
        *,
        limit: int | None = None,
        paths: int | None = None,
        max_degree: int | None = None,
        max_paths: int | None = None,
        timeout_ms: int | None = None,
    ) -> list[FollowedEntity]:
        """``CALL kgdb.follow``: the ends of one exact relation chain, best supported first.

        ``paths`` is how many paths each end carries as its proof.
        """
        config = self._config(
            limit=limit,
            paths=paths,
            maxDegree=max_degree,
            maxPaths=max_paths,
            timeoutMs=timeout_ms,
        )
        chain = tuple(Step.parse(str(relation)) for relation in relations)
        rows = self.database.run(
            "follow",
            {"nodes": _ids(nodes), "relations": [str(step) for step in chain], "config": config},
        )
        return [
            FollowedEntity(
                Entity(row["id"], row["name"]),
                row["starts"],
                row["count"],
                tuple(
                    Path(tuple(map(Entity, ids, names)), chain)
                    for ids, names in zip(row["paths"], row["names"], strict=True)
                ),
                row["truncated"],
            )
            for row in rows
        ]

    def menus(
        self, nodes: Sequence[str], chains: Sequence[Sequence[Step]], *, ends: int = 1000
    ) -> list[list[RelationAround]]:
        """For each chain from ``nodes``: the relations around (at most ``ends`` of) its ends.

        ``kgdb.follow`` and ``kgdb.relations.around`` composed in the database, one round trip for
        all chains together.
        """
        rows = self.database.run(
            "relations_around_chains",
            {
                "nodes": _ids(nodes),
                "chains": [[str(step) for step in chain] for chain in chains],
                "follow": self._config(limit=ends, paths=0),
                "config": self._config(),
            },
        )
        menus: list[list[RelationAround]] = [[] for _ in chains]
        for row in rows:
            menus[row["chain"]].append(
                RelationAround(_step(row), row["nodes"], row["count"], truncated=False)
            )
        return menus

    def fulltext(self, queries: Sequence[str], *, limit: int = 10) -> list[list[Candidate]]:
        """The best ``limit`` entities for each Lucene query over the names."""
        rows = self.database.run(
            "entities_fulltext",
            {
                "queries": list(queries),
                "index": self.info.fulltext_index,
                "limit": limit,
                "idProperty": self.info.id_property,
                "nameProperty": self.info.name_property,
            },
        )
        found: list[list[Candidate]] = [[] for _ in queries]
        for row in rows:
            found[row["query"]].append(Candidate(Entity(row["id"], row["name"]), row["score"]))
        return found

    @cached_property
    def relations(self) -> Mapping[str, RelationInfo]:
        """Every relation of the graph with its texts, read once."""
        rows = self.database.run("relations", {"kg": self.name})
        return {row["id"]: RelationInfo(**row) for row in rows}

    def _config(self, **values: Any) -> dict[str, Any]:
        return {"kg": self.name} | {k: v for k, v in values.items() if v is not None}


def _ids(nodes: Sequence[str]) -> list[str]:
    if isinstance(nodes, str):
        raise UsageError(
            f"nodes is the text {nodes!r}; expected a list of entity ids.",
            hint=f"Write [{nodes!r}].",
        )
    return list(nodes)


def _step(row: Mapping[str, Any]) -> Step:
    return Step(row["relation"], reverse=row["direction"] == "in")
