"""One knowledge graph: the typed mirror of ``CALL kgdb.*`` and of its full-text index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Unpack

from kgdb.graph import options
from kgdb.graph.batch import Batch, Chain, Hop, entity_ids, relation_around
from kgdb.graph.catalog import GraphInfo
from kgdb.graph.database import Database
from kgdb.graph.matching import Grounding, Match, Similarities, match
from kgdb.graph.options import Config
from kgdb.graph.plain import PlainRetrieval
from kgdb.graph.plugin import PluginRetrieval, Retrieval
from kgdb.graph.results import (
    BeamPath,
    Candidate,
    FollowedEntity,
    Found,
    FoundPath,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    RelationInfo,
)
from kgdb.graph.scripts import ReadAnswer, Thought, ThoughtRun, read_cypher, run_thought
from kgdb.model import Entity, Step


class Graph:
    """A loaded knowledge graph. Each method is one round trip to the database.

    ``nodes`` are entity ids. A relation is written ``"directed_by"``, or ``"^directed_by"`` for
    the way against it. An option that is not given, or ``None``, has the procedure's default,
    which ``docs/procedures.md`` tells with what it means: ``per_relation`` here is
    ``perRelation`` there.

    What a method returns is a tuple whose ``cut`` names the caps that left something out.
    ``graph.batch`` has the same methods for several sets of entities at once.
    """

    def __init__(self, database: Database, info: GraphInfo) -> None:
        self.database = database
        self.info = info

    @property
    def name(self) -> str:
        """The name the graph was loaded under."""
        return self.info.name

    @cached_property
    def batch(self) -> Batch:
        """The same retrieval for several sets of entities, in one round trip."""
        return Batch(self._retrieval)

    @cached_property
    def _retrieval(self) -> Retrieval:
        if self.database.uses_plugin:
            return PluginRetrieval(self.database, self.name)
        return PlainRetrieval(self.database, self.info)

    def neighbors(
        self, nodes: Sequence[str], **given: Unpack[options.NeighborOptions]
    ) -> Found[Neighbor]:
        """``CALL kgdb.neighbors``: everything one hop away."""
        return self.batch.neighbors([nodes], **given)[0]

    def relations_around(
        self, nodes: Sequence[str], **given: Unpack[options.AroundOptions]
    ) -> Found[RelationAround]:
        """``CALL kgdb.relations.around``: the distinct relations of these entities."""
        return self.batch.relations_around([nodes], **given)[0]

    def follow(
        self, nodes: Sequence[str], relations: Chain, **given: Unpack[options.FollowOptions]
    ) -> Found[FollowedEntity]:
        """``CALL kgdb.follow``: the ends of one exact relation chain, best supported first.

        ``paths`` is how many paths each end carries as its proof.
        """
        return self.batch.follow([nodes], relations, **given)[0]

    def all_paths(
        self, nodes: Sequence[str], **given: Unpack[options.PathOptions]
    ) -> Found[FoundPath]:
        """``CALL kgdb.paths.all``: every path between two of these entities, shortest first."""
        return self.batch.all_paths([nodes], **given)[0]

    def shortest_paths(
        self, nodes: Sequence[str], **given: Unpack[options.ShortestOptions]
    ) -> Found[FoundPath]:
        """``CALL kgdb.paths.shortest``: the shortest paths of each pair of these entities."""
        return self.batch.shortest_paths([nodes], **given)[0]

    def beam(
        self, nodes: Sequence[str], hops: Sequence[Hop], **given: Unpack[options.BeamOptions]
    ) -> Found[BeamPath]:
        """``CALL kgdb.beam``: the paths whose relations are most similar, hop by hop.

        ``hops`` gives for each hop the relations that may be followed, with their similarities:
        ``[{"directed_by": 0.9}, {"^directed_by": 0.8}]``.
        """
        return self.batch.beam([nodes], hops, **given)[0]

    def pagerank(
        self,
        nodes: Sequence[str],
        relationships: Sequence[tuple[str, str]] | None = None,
        **given: Unpack[options.PagerankOptions],
    ) -> Found[RankedEntity]:
        """``CALL kgdb.pagerank``: the PageRank of a small subgraph, best first.

        ``relationships`` are pairs of ids (source, target); without them the subgraph has all
        relationships of the graph among ``nodes``.
        """
        pairs = None if relationships is None else [relationships]
        return self.batch.pagerank([nodes], pairs, **given)[0]

    def run_thought(self, script: str, **given: Unpack[options.ThoughtOptions]) -> ThoughtRun:
        """``CALL kgdb.got.run``: the graph of thought that a language model wrote in Cypher.

        The script is run in a sandbox and leaves nothing behind; what is wrong with it is told in
        the result.
        """
        return run_thought(self.database, script, Config.of(options.THOUGHT, given))

    def match(
        self,
        pattern: Thought,
        nodes: Mapping[str, Grounding],
        relations: Mapping[str, Similarities],
        **given: Unpack[options.MatchOptions],
    ) -> Found[Match]:
        """``CALL kgdb.got.match``: a thought as a pattern, its best embeddings in this graph.

        ``nodes`` grounds variables in entity ids (a list, or a map of ids to scores),
        ``relations`` each type of the thought in relations with their similarities:
        ``{"was directed by": {"directed_by": 0.9, "^written_by": 0.2}}``.
        """
        config = Config.of(options.MATCH, given)
        return match(self.database, self.name, pattern, nodes, relations, config)

    def read_cypher(self, script: str, **given: Unpack[options.ReadOptions]) -> ReadAnswer:
        """``CALL kgdb.cypher.read``: a query that a language model wrote, if it only reads.

        What is wrong with it, unknown names included, is told in the result.
        """
        return read_cypher(self.database, script, self.name, Config.of(options.READ, given))

    def link(
        self,
        mentions: Sequence[str],
        vectors: Sequence[Sequence[float] | None] | None = None,
        **given: Unpack[options.LinkOptions],
    ) -> list[Found[LinkedEntity]]:
        """``CALL kgdb.entities.link``: for each mention the entities it may mean, best first.

        ``vectors`` are the mentions' embeddings by the encoder that embedded the names, ``None``
        for a mention without one.
        """
        return self.batch.link(mentions, vectors, **given)

    def menus(
        self, nodes: Sequence[str], chains: Sequence[Sequence[Step]], *, ends: int = 1000
    ) -> list[tuple[RelationAround, ...]]:
        """For each chain from ``nodes``: the relations around (at most ``ends`` of) its ends.

        ``kgdb.follow`` and ``kgdb.relations.around`` composed in the database, one round trip for
        all chains together.
        """
        specs = [[str(step) for step in chain] for chain in chains]
        menus: list[list[RelationAround]] = [[] for _ in chains]
        for row in self._retrieval.menus(entity_ids(nodes), specs, ends):
            menus[row["chain"]].append(relation_around(row))
        return [tuple(menu) for menu in menus]

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
