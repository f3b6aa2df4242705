"""The searches of a graph, each once for many sets of entities and once for one.

A search is declared here, with its options in :mod:`kgdb.graph.retrieval.retrieval_options` and its
rows in :mod:`kgdb.graph.retrieval.results`. Arguments are checked before anything is sent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar, Unpack

from kgdb.errors import UsageError
from kgdb.graph.option_values import Nodes, entity_id, integer, items, number, specs
from kgdb.graph.retrieval import retrieval_options as options
from kgdb.graph.retrieval.identified import Identified
from kgdb.graph.retrieval.plugin import Retrieval, Row, Search, results
from kgdb.graph.retrieval.results import (
    BeamPath,
    FollowedEntity,
    FoundPath,
    LinkedEntity,
    Neighbor,
    RankedEntity,
    RelationAround,
    Rows,
)
from kgdb.graph.retrieval.retrieval_options import Config, declared
from kgdb.text_arguments import is_valid_utf8, texts
from kgdb.values import Step
from kgdb.wording import counted, plural, short

_T = TypeVar("_T")

Chain = Sequence[str | Step]
Hop = Mapping[str, float] | Mapping[Step, float]

NEIGHBORS = Search("kgdb.neighbors", options.NeighborOptions, Neighbor)
AROUND = Search("kgdb.relations.around", options.AroundOptions, RelationAround)
FOLLOW = Search("kgdb.follow", options.FollowOptions, FollowedEntity, ("nodes", "relations"))
ALL_PATHS = Search("kgdb.paths.all", options.PathOptions, FoundPath)
SHORTEST_PATHS = Search("kgdb.paths.shortest", options.ShortestOptions, FoundPath)
BEAM = Search("kgdb.beam", options.BeamOptions, BeamPath, ("nodes", "hops"))
PAGERANK = Search(
    "kgdb.pagerank", options.PagerankOptions, RankedEntity, ("nodes", "relationships")
)
LINK = Search(
    "kgdb.entities.link", options.LinkOptions, LinkedEntity, ("kg", "mentions", "vectors")
)


class Batch:
    """The searches of a graph for several sets of entities: one round trip for all.

    Each set gets the rows that a call of its own would give, in the order of the sets.
    """

    def __init__(self, retrieval: Retrieval, identified: Identified) -> None:
        self._retrieval = retrieval
        self._kept = identified.rows

    def neighbors(
        self, starts: Sequence[Nodes], **given: Unpack[options.NeighborOptions]
    ) -> list[Rows[Neighbor]]:
        """:meth:`kgdb.graph.Graph.neighbors` for each set."""
        return self._search(NEIGHBORS, start_sets(starts), given)

    def relations_around(
        self, starts: Sequence[Nodes], **given: Unpack[options.AroundOptions]
    ) -> list[Rows[RelationAround]]:
        """:meth:`kgdb.graph.Graph.relations_around` for each set."""
        return self._search(AROUND, start_sets(starts), given)

    def candidate_relations(
        self, chains: Sequence[tuple[Nodes, Sequence[Step]]], *, ends: int = 1000
    ) -> list[tuple[RelationAround, ...]]:
        """The candidate relations after chains that each have start entities of their own.

        See :meth:`kgdb.graph.Graph.candidate_relations`.
        """
        pairs = [
            _pair("chains", pair, "pairs of entities and steps") for pair in items("chains", chains)
        ]
        starts = [entity_ids(nodes) for nodes, _ in pairs]
        specs_of = [specs("chains", chain) for _, chain in pairs]
        ends = integer(1)("ends", ends)
        found: list[list[RelationAround]] = [[] for _ in pairs]
        for row in self._retrieval.candidate_relations(starts, specs_of, ends) if pairs else ():
            found[row["chain"]].append(AROUND.read(row))
        return [tuple(menu) for menu in found]

    def follow(
        self,
        starts: Sequence[Nodes],
        relations: Chain | Sequence[Chain],
        *,
        limits: Sequence[int] | None = None,
        **given: Unpack[options.FollowOptions],
    ) -> list[Rows[FollowedEntity]]:
        """:meth:`kgdb.graph.Graph.follow` for each set, along one chain or one for each.

        ``limits`` are limits for each set, in the place of the one for all.
        """
        sets, config = start_sets(starts), Config.of(FOLLOW.options, given)
        most = None
        if limits is not None:
            read = declared(FOLLOW.options)["limit"].read
            most = [read("limits", limit) for limit in items("limits", limits)]
            _same_number("limits", most, sets)
        given_chains = items("relations", relations)
        if all(isinstance(relation, str | Step) for relation in given_chains):
            chains = [specs("relations", given_chains)] * len(sets)
        else:
            chains = [specs("relations", chain) for chain in given_chains]
            _same_number("relations", chains, sets)
        rows = self._retrieval.follow(sets, chains, config, most)
        return followed_rows(sets, chains, self._kept(rows))

    def all_paths(
        self, starts: Sequence[Nodes], **given: Unpack[options.PathOptions]
    ) -> list[Rows[FoundPath]]:
        """:meth:`kgdb.graph.Graph.all_paths` for each set."""
        return self._search(ALL_PATHS, start_sets(starts), given)

    def shortest_paths(
        self, starts: Sequence[Nodes], **given: Unpack[options.ShortestOptions]
    ) -> list[Rows[FoundPath]]:
        """:meth:`kgdb.graph.Graph.shortest_paths` for each set."""
        return self._search(SHORTEST_PATHS, start_sets(starts), given)

    def beam(
        self,
        starts: Sequence[Nodes],
        hops: Sequence[Hop] | Sequence[Sequence[Hop]],
        **given: Unpack[options.BeamOptions],
    ) -> list[Rows[BeamPath]]:
        """:meth:`kgdb.graph.Graph.beam` for each set, with the same hops or some for each."""
        sets, config = start_sets(starts), Config.of(BEAM.options, given)
        given_hops = items("hops", hops)
        each: Any
        if all(isinstance(hop, Mapping) for hop in given_hops):
            each = hop_similarities(given_hops, config)
        else:
            each = [hop_similarities(items("hops", of_set), config) for of_set in given_hops]
            _same_number("hops", each, sets)
        return self._found(BEAM, sets, config, nodes=sets, hops=each)

    def pagerank(
        self,
        starts: Sequence[Nodes],
        relationships: Sequence[Sequence[tuple[str, str]]] | None = None,
        **given: Unpack[options.PagerankOptions],
    ) -> list[Rows[RankedEntity]]:
        """:meth:`kgdb.graph.Graph.pagerank` for each set, with relationships for each."""
        sets, config = start_sets(starts), Config.of(PAGERANK.options, given)
        pairs = None
        if relationships is not None:
            given_sets = items("relationships", relationships)
            pairs = [_pairs(items("relationships", of_set)) for of_set in given_sets]
            _same_number("relationships", pairs, sets)
            for key in ("relations", "exclude"):
                if config[key]:
                    raise UsageError(
                        f"{key} chooses among the graph's relationships; leave it out where "
                        "relationships are given."
                    )
        return self._found(PAGERANK, sets, config, nodes=sets, relationships=pairs)

    def link(
        self,
        mentions: Sequence[str],
        vectors: Sequence[Sequence[float] | None] | None = None,
        **given: Unpack[options.LinkOptions],
    ) -> list[Rows[LinkedEntity]]:
        """:meth:`kgdb.graph.Graph.link`, which is about several mentions itself."""
        names = texts("mentions", mentions, "names", empty=True)
        config = Config.of(LINK.options, given)
        numbers = None if vectors is None else [_vector(v) for v in items("vectors", vectors)]
        if numbers is not None and len(numbers) != len(names):
            raise UsageError(
                f"There are {counted(len(numbers), 'vector')} for "
                f"{counted(len(names), 'mention')}.",
                hint="Give one for each mention, None for one that has none.",
            )
        if not names:
            return []
        return self._found(LINK, names, config, mentions=names, vectors=numbers)

    def _search(
        self, search: Search[_T], sets: Sequence[Sequence[str]], given: Mapping[str, Any]
    ) -> list[Rows[_T]]:
        """A search with nothing but start entities and options."""
        return self._found(search, sets, Config.of(search.options, given), nodes=sets)

    def _found(
        self, search: Search[_T], sets: Sequence[object], config: Config, **arguments: Any
    ) -> list[Rows[_T]]:
        rows = self._retrieval.search(search, config, arguments)
        return search.results(sets, self._kept(rows))


class Searches(ABC):
    """The searches of a graph for one set of entities: each is one round trip."""

    @property
    @abstractmethod
    def batch(self) -> Batch:
        """The same retrieval for several sets of entities, in one round trip."""

    def neighbors(self, nodes: Nodes, **given: Unpack[options.NeighborOptions]) -> Rows[Neighbor]:
        """``CALL kgdb.neighbors``: everything one hop away."""
        return self.batch.neighbors([nodes], **given)[0]

    def relations_around(
        self, nodes: Nodes, **given: Unpack[options.AroundOptions]
    ) -> Rows[RelationAround]:
        """``CALL kgdb.relations.around``: the distinct relations of these entities."""
        return self.batch.relations_around([nodes], **given)[0]

    def follow(
        self, nodes: Nodes, relations: Chain, **given: Unpack[options.FollowOptions]
    ) -> Rows[FollowedEntity]:
        """``CALL kgdb.follow``: the ends of one exact relation chain, best supported first.

        ``paths`` is how many paths each end carries as its proof.
        """
        return self.batch.follow([nodes], relations, **given)[0]

    def all_paths(self, nodes: Nodes, **given: Unpack[options.PathOptions]) -> Rows[FoundPath]:
        """``CALL kgdb.paths.all``: every path between two of these entities, shortest first."""
        return self.batch.all_paths([nodes], **given)[0]

    def shortest_paths(
        self, nodes: Nodes, **given: Unpack[options.ShortestOptions]
    ) -> Rows[FoundPath]:
        """``CALL kgdb.paths.shortest``: the shortest paths of each pair of these entities."""
        return self.batch.shortest_paths([nodes], **given)[0]

    def beam(
        self, nodes: Nodes, hops: Sequence[Hop], **given: Unpack[options.BeamOptions]
    ) -> Rows[BeamPath]:
        """``CALL kgdb.beam``: the paths whose relations are most similar, hop by hop.

        ``hops`` gives for each hop the relations that may be followed, with their similarities:
        ``[{"directed_by": 0.9}, {"^directed_by": 0.8}]``.
        """
        return self.batch.beam([nodes], hops, **given)[0]

    def pagerank(
        self,
        nodes: Nodes,
        relationships: Sequence[tuple[str, str]] | None = None,
        **given: Unpack[options.PagerankOptions],
    ) -> Rows[RankedEntity]:
        """``CALL kgdb.pagerank``: the PageRank of a small subgraph, best first.

        ``relationships`` are pairs of ids (source, target); without them the subgraph has all
        relationships of the graph among ``nodes``.
        """
        pairs = None if relationships is None else [relationships]
        return self.batch.pagerank([nodes], pairs, **given)[0]

    def link(
        self,
        mentions: Sequence[str],
        vectors: Sequence[Sequence[float] | None] | None = None,
        **given: Unpack[options.LinkOptions],
    ) -> list[Rows[LinkedEntity]]:
        """``CALL kgdb.entities.link``: for each mention the entities it may mean, best first.

        ``vectors`` are the mentions' embeddings by the encoder that embedded the names, ``None``
        for a mention without one.
        """
        return self.batch.link(mentions, vectors, **given)

    def candidate_relations(
        self, nodes: Nodes, chains: Sequence[Sequence[Step]], *, ends: int = 1000
    ) -> list[tuple[RelationAround, ...]]:
        """For each chain from ``nodes``: the relations around (at most ``ends`` of) its ends.

        ``kgdb.follow`` and ``kgdb.relations.around`` composed in the database, one round trip for
        all chains together.
        """
        return self.batch.candidate_relations(
            [(nodes, chain) for chain in items("chains", chains)], ends=ends
        )


def start_sets(starts: Sequence[Nodes]) -> list[list[str]]:
    """The ids of each set of a call."""
    return [entity_ids(nodes) for nodes in items("starts", starts)]


def entity_ids(nodes: Nodes) -> list[str]:
    """The ids of one set, given as such or as entities; one in an adopted graph may be empty."""
    if isinstance(nodes, Sequence) and not isinstance(nodes, str):
        nodes = [entity_id(node) for node in nodes]
    return texts("nodes", nodes, "entity ids", empty=True)


def _vector(vector: Sequence[float] | None) -> list[float] | None:
    if vector is None:
        return None
    return [number("a number of vectors", value) for value in items("a vector", vector)]


def _pairs(relationships: Iterable[Any]) -> list[tuple[str, str]]:
    expected = "pairs of entity ids (source, target)"
    pairs = []
    for given in relationships:
        source, target = map(entity_id, _pair("relationships", given, expected))
        if not all(isinstance(id_, str) and is_valid_utf8(id_) for id_ in (source, target)):
            raise UsageError(f"relationships holds {short(given)}; expected {expected}.")
        pairs.append((source, target))
    return pairs


def _pair(name: str, given: Any, expected: str) -> tuple[Any, Any]:
    if isinstance(given, tuple | list) and len(given) == 2:
        return given[0], given[1]
    raise UsageError(f"{name} holds {short(given)}; expected {expected}.")


def hop_similarities(hops: Iterable[Any], config: Config) -> list[dict[str, float]]:
    """The hops of a beam as its procedure takes them."""
    return [_hop(hop, config) for hop in hops]


def _hop(hop: Any, config: Config) -> dict[str, float]:
    if not isinstance(hop, Mapping):
        raise UsageError(f"hops holds {short(hop)}; expected maps from relations to similarities.")
    steps = dict(zip(specs("hops", list(hop)), hop.values(), strict=True))
    for step in steps:
        if config["direction"] == "both" and step.startswith("^"):
            raise UsageError(
                f"hops already say a direction by '^', as in {short(step)}.",
                hint="Leave out either the '^' or direction='both'.",
            )
    return {
        step: number(f"the similarity of {short(step)}", value) for step, value in steps.items()
    }


def _same_number(name: str, given: Sequence[Any], sets: Sequence[Any]) -> None:
    if len(given) != len(sets):
        raise UsageError(
            f"{name} are for {counted(len(given), 'set')} of entities, but "
            f"{plural(len(sets), 'there is', 'there are')} {counted(len(sets), 'set')}."
        )


def followed_rows(
    sets: Sequence[Sequence[str]], chains: Sequence[Sequence[str]], rows: Iterable[Row]
) -> list[Rows[FollowedEntity]]:
    """The rows of ``kgdb.follow`` as values: for each set the ends of its chain."""

    def read(row: Row) -> FollowedEntity:
        return FOLLOW.read({**row, "relations": chains[row["batch"]]})

    return results(sets, rows, FollowedEntity, read, "id")
