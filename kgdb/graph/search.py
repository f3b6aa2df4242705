"""Everything a graph of thought needs of the knowledge graph, for many questions at once.

Along relation paths, as a whole pattern, between its entities and around them: with the plugin that
is one round trip, whatever the number of questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kgdb.graph.graph import Graph
from kgdb.graph.retrieval import retrieval_options as options
from kgdb.graph.retrieval.batch import (
    BEAM,
    NEIGHBORS,
    SHORTEST_PATHS,
    Hop,
    followed_rows,
    hop_similarities,
    start_sets,
)
from kgdb.graph.retrieval.results import BeamPath, FollowedEntity, FoundPath, Neighbor, Rows
from kgdb.graph.retrieval.retrieval_options import Config
from kgdb.graph.thoughts import matching
from kgdb.graph.thoughts.matching import Match, Pattern
from kgdb.values import Step


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What one question looks for.

    ``beams`` are the ids of the entities to start from, and the hops; ``chains`` these ids and the
    steps to follow to all their ends. ``entities`` are the ids whose shortest paths and neighbors
    are wanted.
    """

    beams: Sequence[tuple[Sequence[str], Sequence[Hop]]] = ()
    patterns: Sequence[Pattern] = ()
    chains: Sequence[tuple[Sequence[str], Sequence[Step]]] = ()
    entities: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What was found of it: rows for each beam, pattern and chain, and for the entities."""

    beams: tuple[Rows[BeamPath], ...]
    matches: tuple[Rows[Match], ...]
    ends: tuple[Rows[FollowedEntity], ...]
    paths: Rows[FoundPath]
    neighbors: Rows[Neighbor]

    @property
    def without_id(self) -> frozenset[str]:
        """The nodes without an id that were left out of all of it."""
        found = (*self.beams, *self.matches, *self.ends, self.paths, self.neighbors)
        return frozenset().union(*(each.without_id for each in found))


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """The options of the five searches."""

    beam: options.BeamOptions = field(default_factory=options.BeamOptions)
    match: options.MatchOptions = field(default_factory=options.MatchOptions)
    follow: options.FollowOptions = field(default_factory=options.FollowOptions)
    shortest: options.ShortestOptions = field(default_factory=options.ShortestOptions)
    neighbors: options.NeighborOptions = field(default_factory=options.NeighborOptions)


def search_round_trips(graph: Graph) -> int:
    """The round trips that :func:`search_all` takes."""
    return 1 if graph.database.uses_plugin else 3


def search_all(
    graph: Graph, wanted: Sequence[SearchRequest], given: SearchOptions
) -> list[SearchResult]:
    """All that each question wants; without the plugin in three round trips, with no
    matches and no ends.
    """
    return (_at_once if graph.database.uses_plugin else _one_by_one)(graph, wanted, given)


def _at_once(
    graph: Graph, wanted: Sequence[SearchRequest], given: SearchOptions
) -> list[SearchResult]:
    beam = Config.of(options.BeamOptions, given.beam)
    configs = {
        "beam": beam,
        "match": Config.of(options.MatchOptions, given.match),
        "follow": Config.of(options.FollowOptions, given.follow),
        "shortest": Config.of(options.ShortestOptions, given.shortest),
        "neighbors": Config.of(options.NeighborOptions, given.neighbors),
    }
    starts = [start_sets([nodes for nodes, _ in each.beams]) for each in wanted]
    sources = [start_sets([nodes for nodes, _ in each.chains]) for each in wanted]
    chains = [[[str(step) for step in chain] for _, chain in each.chains] for each in wanted]
    entities = [start_sets([each.entities]) for each in wanted]
    # A record for each question: what all have found may be more than the server may hold.
    rows = graph.database.run(
        "search_all",
        {
            "wanted": [
                {
                    "starts": starts[place],
                    "hops": [hop_similarities(hops, beam) for _, hops in each.beams],
                    "sources": sources[place],
                    "chains": chains[place],
                    "entities": entities[place],
                    **matching.parameters(each.patterns),
                }
                for place, each in enumerate(wanted)
            ],
            **{name: {"kg": graph.name, **config.given} for name, config in configs.items()},
        },
    )
    kept = graph.identified.rows
    return [
        SearchResult(
            tuple(BEAM.results(starts[place], kept(row["beams"]))),
            tuple(matching.matches(kept(row["matches"]), len(each.patterns))),
            tuple(followed_rows(sources[place], chains[place], kept(row["ends"]))),
            SHORTEST_PATHS.results(entities[place], kept(row["paths"]))[0],
            NEIGHBORS.results(entities[place], kept(row["neighbors"]))[0],
        )
        for place, (each, row) in enumerate(zip(wanted, rows, strict=True))
    ]


def _one_by_one(
    graph: Graph, wanted: Sequence[SearchRequest], given: SearchOptions
) -> list[SearchResult]:
    wide = [beam for each in wanted for beam in each.beams]
    starts, hops = [nodes for nodes, _ in wide], [hops for _, hops in wide]
    beams = iter(graph.batch.beam(starts, hops, **given.beam) if wide else ())
    entities = [each.entities for each in wanted]
    between = graph.batch.shortest_paths(entities, **given.shortest)
    around = graph.batch.neighbors(entities, **given.neighbors)
    nothing = Rows[Match]((), (), Match)
    return [
        SearchResult(
            tuple(next(beams) for _ in each.beams),
            (nothing,) * len(each.patterns),
            (),
            paths,
            near,
        )
        for each, paths, near in zip(wanted, between, around, strict=True)
    ]
